// A set of numbers below a limit that lists its members in the order in which they were added.
#pragma once

#include "base/std.hpp"

namespace fsplan::relational {

// Clearing takes constant time per member.
class Collected {
public:
    explicit Collected(std::size_t count) : is_in_(count) {}
    void add(std::uint32_t number) {
        if (is_in_[number]) return;
        is_in_[number] = 1;
        numbers_.push_back(number);
    }
    void clear() {
        for (const std::uint32_t number : numbers_) is_in_[number] = 0;
        numbers_.clear();
    }
    const std::vector<std::uint32_t>& numbers() const { return numbers_; }

private:
    std::vector<std::uint8_t> is_in_;
    std::vector<std::uint32_t> numbers_;
};

}  // namespace fsplan::relational
