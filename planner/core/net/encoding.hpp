// Which inputs of a network a state's integers switch on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fsplan {

inline constexpr std::uint32_t kNoInput = 0xFFFFFFFF;

// Value v of integer i of a state switches on input[first[i] + v], or nothing where that is kNoInput. One-hot
// integers number the inputs 0, 1, 2, …; fact bits leave out the values that stand for no atom.
struct Encoding {
    std::vector<std::uint32_t> first;  // one longer than the state is wide
    std::vector<std::uint32_t> input;

    static Encoding one_hot(std::span<const std::int32_t> domain_sizes);
    bool is_one_hot() const;
    std::size_t width() const { return first.size() - 1; }
    // The inputs that are on, into `active` (room for width()); returns how many. Throws std::out_of_range for a
    // value outside its domain.
    std::size_t apply(const std::int32_t* values, std::uint32_t* active) const;
    // The same for a one-hot encoding, where width() are on.
    void apply_one_hot(const std::int32_t* values, std::uint32_t* active) const;
};

}  // namespace fsplan
