// Random numbers that are a pure function of a seed and a key, the same on every machine.
#pragma once

#include "containers/store.hpp"

namespace fsplan {

// SplitMix64.
class Random {
public:
    Random(std::uint64_t seed, std::uint64_t key) : state_(mix(seed + 0x9E3779B97F4A7C15ULL) ^ mix(~key)) {}

    std::uint64_t next() {
        std::uint64_t value = state_ += 0x9E3779B97F4A7C15ULL;
        value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ULL;
        value = (value ^ (value >> 27)) * 0x94D049BB133111EBULL;
        return value ^ (value >> 31);
    }
    // A number from 0 to bound - 1; the bias is below bound / 2^64.
    std::uint64_t below(std::uint64_t bound) {
        return static_cast<std::uint64_t>((static_cast<unsigned __int128>(next()) * bound) >> 64);
    }
    // A number in [0, 1).
    double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
    // A normally distributed number (Box–Muller; the second one of the pair is discarded).
    double normal() {
        const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
        return radius * std::cos(6.283185307179586 * uniform());
    }
    double exponential() { return -std::log(1.0 - uniform()); }

private:
    std::uint64_t state_;
};

}  // namespace fsplan
