// Monotone queues for explorations: operators leave in batches of equal key, keys never fall. Every operator is pushed
// at most once between two clear()s, so a queue is linked lists threaded through one array and never allocates.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "graph.hpp"

namespace fsplan {

using OperatorId = std::uint32_t;
inline constexpr OperatorId kNoOperator = std::numeric_limits<OperatorId>::max();

// Keys within kReach of the current one: a ring of buckets under a two-level bitmap.
class RingQueue {
public:
    static constexpr Cost kReach = 4095;

    explicit RingQueue(std::size_t operators) : next_(operators) { head_.fill(kNoOperator); }

    void clear() {
        for (; summary_ != 0; summary_ &= summary_ - 1) {
            auto word = std::countr_zero(summary_);
            for (auto& bits = bitmap_[word]; bits != 0; bits &= bits - 1) {
                head_[word * 64 + std::countr_zero(bits)] = kNoOperator;
            }
        }
        key_ = 0;
    }

    void push(OperatorId op, Cost key) {
        auto bucket = static_cast<std::uint32_t>(key) & kReach;
        next_[op] = head_[bucket];
        head_[bucket] = op;
        bitmap_[bucket / 64] |= std::uint64_t{1} << (bucket % 64);
        summary_ |= std::uint64_t{1} << (bucket / 64);
    }

    bool empty() const { return summary_ == 0; }

    // Appends the operators of the lowest key to batch and returns that key.
    Cost pop(std::vector<OperatorId>& batch) {
        auto bucket = first_bucket();
        key_ += static_cast<Cost>((bucket - static_cast<std::uint32_t>(key_)) & kReach);
        for (auto op = head_[bucket]; op != kNoOperator; op = next_[op]) batch.push_back(op);
        head_[bucket] = kNoOperator;
        auto& bits = bitmap_[bucket / 64];
        bits &= ~(std::uint64_t{1} << (bucket % 64));
        if (bits == 0) summary_ &= ~(std::uint64_t{1} << (bucket / 64));
        return key_;
    }

private:
    // The first non-empty bucket at or after key_, around the ring.
    std::uint32_t first_bucket() const {
        auto start = static_cast<std::uint32_t>(key_) & kReach;
        auto word = start / 64;
        auto here = bitmap_[word] & (~std::uint64_t{0} << (start % 64));
        if (here != 0) return word * 64 + static_cast<std::uint32_t>(std::countr_zero(here));
        auto later = word == 63 ? 0 : summary_ & (~std::uint64_t{0} << (word + 1));
        word = static_cast<std::uint32_t>(std::countr_zero(later != 0 ? later : summary_));
        return word * 64 + static_cast<std::uint32_t>(std::countr_zero(bitmap_[word]));
    }

    Cost key_ = 0;
    std::uint64_t summary_ = 0;
    std::array<std::uint64_t, 64> bitmap_{};
    std::array<OperatorId, kReach + 1> head_;
    std::vector<OperatorId> next_;
};

// Any keys: a radix heap. Bucket b > 0 holds keys that differ from the last popped one in bit b - 1 at the highest.
class RadixQueue {
public:
    explicit RadixQueue(std::size_t operators) : next_(operators), key_of_(operators) { head_.fill(kNoOperator); }

    void clear() {
        head_.fill(kNoOperator);
        filled_ = 0;
        last_ = 0;
    }

    void push(OperatorId op, Cost key) {
        key_of_[op] = key;
        link(op);
    }

    bool empty() const { return filled_ == 0; }

    Cost pop(std::vector<OperatorId>& batch) {
        auto bucket = std::countr_zero(filled_);
        if (bucket != 0) {
            redistribute(bucket);
            bucket = 0;
        }
        for (auto op = take(0); op != kNoOperator; op = next_[op]) batch.push_back(op);
        return last_;
    }

private:
    void link(OperatorId op) {
        auto bucket = std::bit_width(static_cast<std::uint32_t>(key_of_[op] ^ last_));
        next_[op] = head_[bucket];
        head_[bucket] = op;
        filled_ |= std::uint64_t{1} << bucket;
    }

    OperatorId take(int bucket) {
        auto head = head_[bucket];
        head_[bucket] = kNoOperator;
        filled_ &= ~(std::uint64_t{1} << bucket);
        return head;
    }

    // Moves a bucket's operators down, now that its lowest key is the current one.
    void redistribute(int bucket) {
        auto head = take(bucket);
        last_ = key_of_[head];
        for (auto op = head; op != kNoOperator; op = next_[op]) last_ = std::min(last_, key_of_[op]);
        for (auto op = head; op != kNoOperator;) {
            auto following = next_[op];
            link(op);
            op = following;
        }
    }

    Cost last_ = 0;
    std::uint64_t filled_ = 0;
    std::array<OperatorId, 33> head_;
    std::vector<OperatorId> next_;
    std::vector<Cost> key_of_;
};

}  // namespace fsplan
