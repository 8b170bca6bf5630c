// Arithmetic with w = numerator / denominator, exact in integers.
#pragma once

#include "contract/request.hpp"

namespace fsplan {

using Wide = __int128;

inline constexpr std::int64_t kLargestTerm = (std::int64_t{1} << 31) - 1;

// The largest integer c with c <= w * bound.
inline Cost threshold(const Weight& w, Cost bound) {
    if (bound == kInfinite) return kInfinite - 1;
    const Wide product = static_cast<Wide>(w.numerator) * bound / w.denominator;
    return static_cast<Cost>(std::min<Wide>(product, kInfinite - 1));
}

// The least bound with cost <= w * bound.
inline Cost least_bound_within(const Weight& w, Cost cost) {
    if (cost == kInfinite) return kInfinite;
    return static_cast<Cost>((static_cast<Wide>(cost) * w.denominator + w.numerator - 1) / w.numerator);
}

inline bool within(const Weight& w, Cost cost, Cost bound) { return cost <= threshold(w, bound); }

// Returns w if numerator and denominator are at most `largest`. Otherwise returns a fraction with such terms that is
// less than w by a factor of about 1 - 2 / largest; plans within this fraction are within w, too. The default for
// `largest` has 31 bits, so that denominator * g + numerator * h fits 64 bits.
inline Weight rounded_down(const Weight& w, std::int64_t largest = kLargestTerm) {
    if (w.numerator <= largest && w.denominator <= largest) return w;
    const Wide denominator = std::max<Wide>(1, static_cast<Wide>(largest) * w.denominator / w.numerator);
    const Wide numerator = static_cast<Wide>(w.numerator) * denominator / w.denominator;
    return {static_cast<std::int64_t>(std::min<Wide>(numerator, largest)), static_cast<std::int64_t>(denominator)};
}

// The mean m of w and 1. If floor(m * bound) = bound, m allows no greater cost than weight 1, and 1 is returned.
inline Weight halved(const Weight& w, Cost bound) {
    const Weight reduced = rounded_down(w);
    const Weight half{reduced.numerator + reduced.denominator, 2 * reduced.denominator};
    return threshold(half, bound) > bound ? half : Weight{1, 1};
}

}  // namespace fsplan
