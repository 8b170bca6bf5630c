// Maps the integers of a state to the active inputs of a network.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fsplan {

inline constexpr std::uint32_t kNoInput = 0xFFFFFFFF;

// Value v of integer i of a state activates input[first[i] + v], or nothing if that is kNoInput. A one-hot encoding
// numbers the inputs 0, 1, 2, …; an encoding by facts omits values without an atom.
struct Encoding {
    std::vector<std::uint32_t> first;  // one entry per integer, and one for the end
    std::vector<std::uint32_t> input;

    static Encoding one_hot(std::span<const std::int32_t> domain_sizes);
    bool is_one_hot() const;
    std::size_t width() const { return first.size() - 1; }
    // Writes the active inputs into `active` (capacity width()) and returns their number. Throws std::out_of_range for
    // a value outside its domain.
    std::size_t apply(const std::int32_t* values, std::uint32_t* active) const;
    // The same for a one-hot encoding, in which width() inputs are active.
    void apply_one_hot(const std::int32_t* values, std::uint32_t* active) const;
};

}  // namespace fsplan
