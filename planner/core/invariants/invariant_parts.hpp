// Candidates for lifted invariants, and instances of candidates.
#pragma once

#include "lifted/lifted_task.hpp"

namespace fsplan::invariants {

using lifted::Literal;
using lifted::Term;

// A part of a candidate: a predicate, for each parameter the argument position that holds it, and the counted position.
class Part {
public:
    static constexpr std::size_t kMostParameters = 10;

    std::int32_t predicate = 0;

    bool operator==(const Part&) const = default;
    std::size_t size() const { return size_; }
    std::size_t operator[](std::size_t parameter) const { return position_[parameter]; }
    bool counts() const { return counted_ != kNothing; }
    std::size_t counted() const { return counted_; }
    bool uses(std::size_t position) const {
        return std::find(position_.begin(), position_.begin() + size_, position) != position_.begin() + size_;
    }

    void push(std::size_t position) { position_[size_++] = static_cast<std::uint8_t>(position); }
    void pop() { position_[--size_] = 0; }
    void count(std::size_t position) { counted_ = static_cast<std::uint8_t>(position); }

private:
    static constexpr std::uint8_t kNothing = 255;
    std::uint8_t counted_ = kNothing;
    std::uint8_t size_ = 0;
    std::array<std::uint8_t, kMostParameters> position_{};
};

// The parts of a candidate, at most one per predicate.
class Parts {
public:
    explicit Parts(std::size_t predicates) : slot_(predicates, kAbsent) {}

    void add(const Part& part) {
        slot_[static_cast<std::size_t>(part.predicate)] = static_cast<std::int32_t>(parts_.size());
        parts_.push_back(part);
    }
    const Part* find(std::int32_t predicate) const {
        auto slot = predicate < 0 ? kAbsent : slot_[static_cast<std::size_t>(predicate)];
        return slot == kAbsent ? nullptr : &parts_[static_cast<std::size_t>(slot)];
    }
    const std::vector<Part>& all() const { return parts_; }

private:
    static constexpr std::int32_t kAbsent = -1;
    std::vector<Part> parts_;
    std::vector<std::int32_t> slot_;  // predicate -> index of its part in parts_, or kAbsent
};

// An instance of a candidate: terms for its parameters. At most one of its atoms is true before an action.
struct Instance {
    const Parts& parts;
    std::vector<Term> parameters;
};

// Appends the parts that would make an atom with these arguments a member of the instance, if its predicate has no part
// yet.
void find_parts(std::span<const Term> arguments, std::int32_t predicate, const Instance& instance,
                std::vector<Part>& parts);

}  // namespace fsplan::invariants
