// Monotone priority queues of operators for explorations of the delete relaxation. pop() removes all operators of the
// least key at once, and keys never decrease. Every operator is pushed at most once between two clear()s, so the
// buckets are linked lists in one array and a queue never allocates.
#pragma once

#include "contract/graph.hpp"
#include "relaxation/bitmap.hpp"
#include "relaxation/relaxation.hpp"

namespace fsplan {

// Queue for keys that exceed the current key by at most kReach: a ring of buckets.
class RingQueue {
public:
    static constexpr Cost kReach = Bitmap4096::kSize - 1;

    explicit RingQueue(std::size_t operators) : next_(operators) { head_.fill(kNoOperator); }

    void clear() {
        while (!filled_.empty()) take(filled_.first());
        key_ = 0;
    }

    void push(OperatorId op, Cost key) {
        auto bucket = static_cast<std::uint32_t>(key) & kReach;
        next_[op] = head_[bucket];
        head_[bucket] = op;
        filled_.insert(bucket);
    }

    bool empty() const { return filled_.empty(); }

    // Appends the operators of the lowest key to batch and returns that key.
    Cost pop(std::vector<OperatorId>& batch) {
        auto bucket = filled_.next(static_cast<std::uint32_t>(key_) & kReach);
        key_ += static_cast<Cost>((bucket - static_cast<std::uint32_t>(key_)) & kReach);
        for (auto op = take(bucket); op != kNoOperator; op = next_[op]) batch.push_back(op);
        return key_;
    }

private:
    OperatorId take(std::uint32_t bucket) {
        filled_.erase(bucket);
        return std::exchange(head_[bucket], kNoOperator);
    }

    Cost key_ = 0;
    Bitmap4096 filled_;
    std::array<OperatorId, kReach + 1> head_;
    std::vector<OperatorId> next_;
};

// Queue for arbitrary keys: a radix heap. Bucket b > 0 holds keys that differ from the last popped one in bit b - 1 at
// the highest.
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
        if (bucket != 0) redistribute(bucket);
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
        filled_ &= ~(std::uint64_t{1} << bucket);
        return std::exchange(head_[bucket], kNoOperator);
    }

    // Moves the operators of a bucket to lower buckets after its lowest key has become the current key.
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

// Queue for operators of equal cost: a batch is a layer of the exploration.
class LayerQueue {
public:
    explicit LayerQueue(Cost cost) : cost_(cost) {}

    void clear() {
        next_.clear();
        key_ = 0;
    }
    void push(OperatorId op, Cost) { next_.push_back(op); }
    bool empty() const { return next_.empty(); }
    Cost pop(std::vector<OperatorId>& batch) {
        batch.swap(next_);
        next_.clear();
        return key_ += cost_;
    }

private:
    Cost cost_;
    Cost key_ = 0;
    std::vector<OperatorId> next_;
};

// Chooses the fastest queue for the operator costs of a relaxation. A key exceeds the current one by at most one
// operator's cost.
class BatchQueues {
public:
    explicit BatchQueues(const Relaxation& relaxation)
        : largest_(*std::ranges::max_element(relaxation.cost)),
          uniform_(largest_ > 0 && std::all_of(relaxation.cost.begin(), relaxation.cost.end() - 1,
                                               [&](auto each) { return each == largest_; })),
          layers_(largest_), ring_(relaxation.operator_count()), radix_(relaxation.operator_count()) {}

    template <class Run>
    auto with_suitable(Run run) {
        return uniform_ ? run(layers_) : with_general(run);
    }
    // Calls run(queue). Operator costs may be lower than when the queue was chosen, but not below 0.
    template <class Run>
    auto with_general(Run run) {
        return largest_ <= RingQueue::kReach ? run(ring_) : run(radix_);
    }

private:
    Cost largest_;
    bool uniform_;
    LayerQueue layers_;
    RingQueue ring_;
    RadixQueue radix_;
};

}  // namespace fsplan
