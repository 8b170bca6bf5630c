// The novelty of a state among the states of its class: 0 if one of its facts (a variable and its value) is seen for
// the first time in this class, 1 if a pair of its facts is, 2 otherwise (Lipovetzky and Geffner 2012).
//
// Facts are numbered in the order in which they are seen, so no domain sizes are needed. Each class has a bit set of
// the facts seen and, per fact, a bit set (a row) of the facts seen together with it. If the parent is in the same
// class, only facts and pairs with a fact that the parent does not have can be new.
#pragma once

#include "base/std.hpp"

namespace fsplan {

class NoveltyTable {
public:
    explicit NoveltyTable(std::size_t width) : numbers_(width), facts_(width) {}

    // `parent`: the values of a state of this class that was measured before; empty if there is none.
    int measure(std::uint64_t state_class, std::span<const std::int32_t> values, std::span<const std::int32_t> parent) {
        number_facts(values, parent);
        Seen& seen = classes_[state_class];
        const bool new_fact = add(seen.facts);
        const bool new_pair = add_pairs(seen);
        work_ += facts_.size() + changed_facts_.size() * state_.size() / kWordsPerWork;
        return new_fact ? 0 : new_pair ? 1 : 2;
    }
    // Counted work: 1 per fact, 1 per kWordsPerWork words of bit sets, and kWorkOfPair per new pair (a cache miss).
    std::uint64_t work() const { return work_; }

private:
    using Block = std::uint64_t;
    using Bits = std::vector<Block>;
    struct Seen {
        Bits facts;
        std::vector<Bits> beside;  // fact -> facts seen together with it
    };
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;
    static constexpr std::uint64_t kWorkOfPair = 2, kWordsPerWork = 4;
    // No more rows than this are allocated; pairs without a row count as seen.
    static constexpr std::size_t kMostBlocks = std::size_t{1} << 25;

    static Block bit(std::uint32_t fact) { return Block{1} << (fact % 64); }

    void number_facts(std::span<const std::int32_t> values, std::span<const std::int32_t> parent) {
        changed_facts_.clear();
        for (std::size_t v = 0; v < values.size(); ++v) {
            facts_[v] = number(v, static_cast<std::size_t>(values[v]));
            if (parent.empty() || values[v] != parent[v]) changed_facts_.push_back(facts_[v]);
        }
        state_.assign((count_ + 63) / 64, 0);
        for (const std::uint32_t fact : facts_) state_[fact / 64] |= bit(fact);
    }
    std::uint32_t number(std::size_t variable, std::size_t value) {
        std::vector<std::uint32_t>& numbers = numbers_[variable];
        if (value >= numbers.size()) numbers.resize(value + 1, kNone);
        if (numbers[value] == kNone) numbers[value] = count_++;
        return numbers[value];
    }
    bool add(Bits& seen) const {
        if (seen.size() < state_.size()) seen.resize(state_.size());
        bool any = false;
        for (const std::uint32_t fact : changed_facts_) {
            any |= !(seen[fact / 64] & bit(fact));
            seen[fact / 64] |= bit(fact);
        }
        return any;
    }
    bool add_pairs(Seen& seen) {
        if (seen.beside.size() < count_) seen.beside.resize(count_);
        bool any = false;
        for (const std::uint32_t fact : changed_facts_) any |= make_room(seen.beside[fact]) && add_pairs(seen, fact);
        return any;
    }
    bool add_pairs(Seen& seen, std::uint32_t fact) {
        bool any = false;
        Bits& row = seen.beside[fact];
        for (std::size_t word = 0; word < state_.size(); ++word) {
            Block unknown = state_[word] & ~row[word];
            any |= unknown != 0;
            row[word] |= unknown;
            work_ += kWorkOfPair * static_cast<std::uint64_t>(std::popcount(unknown));
            for (; unknown != 0; unknown &= unknown - 1) {
                const auto other = static_cast<std::uint32_t>(64 * word + std::countr_zero(unknown));
                if (make_room(seen.beside[other])) seen.beside[other][fact / 64] |= bit(fact);
            }
        }
        return any;
    }
    bool make_room(Bits& row) {
        if (row.size() >= state_.size()) return true;
        if (blocks_ >= kMostBlocks) return false;
        blocks_ += state_.size() - row.size();
        row.resize(state_.size());
        return true;
    }

    std::vector<std::vector<std::uint32_t>> numbers_;  // variable, value -> fact
    std::uint32_t count_ = 0;
    std::unordered_map<std::uint64_t, Seen> classes_;
    std::size_t blocks_ = 0;
    std::uint64_t work_ = 0;
    // Facts of the current state, and those of them that the parent does not have.
    std::vector<std::uint32_t> facts_, changed_facts_;
    Bits state_;
};

}  // namespace fsplan
