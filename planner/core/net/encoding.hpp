// Maps the integers of a state to the active inputs of a network.
#pragma once

#include "base/std.hpp"

namespace fsplan {

inline constexpr std::uint32_t kNoInput = 0xFFFFFFFF;

// Value v of a state's i-th integer activates the input with number input[first[i] + v], or none if that is kNoInput. A
// one-hot encoding has an input for every value; an encoding by facts has none for values without an atom.
struct Encoding {
    std::vector<std::uint32_t> first;  // integer -> index of its value 0 in `input`; one more entry for the end
    std::vector<std::uint32_t> input;

    static Encoding one_hot(std::span<const std::int32_t> domain_sizes) {
        Encoding encoding;
        std::uint32_t next = 0;
        encoding.first.push_back(0);
        for (const std::int32_t size : domain_sizes) {
            if (size <= 0) throw std::invalid_argument("a domain is empty");
            next += static_cast<std::uint32_t>(size);
            encoding.first.push_back(next);
        }
        encoding.input.resize(next);
        for (std::uint32_t i = 0; i < next; ++i) encoding.input[i] = i;
        return encoding;
    }
    bool is_one_hot() const {
        for (std::size_t i = 0; i < input.size(); ++i)
            if (input[i] != i) return false;
        return true;
    }
    std::size_t width() const { return first.size() - 1; }
    // Writes the active inputs into `active` (capacity width()) and returns their number. Throws std::out_of_range for
    // a value outside its domain.
    std::size_t apply(const std::int32_t* values, std::uint32_t* active) const {
        std::size_t count = 0;
        for (std::size_t i = 0; i + 1 < first.size(); ++i) {
            const std::uint32_t value = static_cast<std::uint32_t>(values[i]);
            if (value >= first[i + 1] - first[i]) {
                throw std::out_of_range("value " + std::to_string(values[i]) + " of integer " + std::to_string(i) +
                                        " of a state is outside what the policy knows");
            }
            const std::uint32_t on = input[first[i] + value];
            active[count] = on;
            count += on != kNoInput ? 1 : 0;
        }
        return count;
    }
    // As apply(), for a one-hot encoding: exactly width() inputs are active.
    void apply_one_hot(const std::int32_t* values, std::uint32_t* active) const {
        const std::uint32_t* begin = first.data();
        const std::size_t count = width();
        std::uint32_t outside = 0;
        for (std::size_t i = 0; i < count; ++i) {
            active[i] = begin[i] + static_cast<std::uint32_t>(values[i]);
            outside |=
                static_cast<std::uint32_t>(values[i] < 0) | static_cast<std::uint32_t>(active[i] >= begin[i + 1]);
        }
        if (outside != 0) apply(values, active);
    }
};

}  // namespace fsplan
