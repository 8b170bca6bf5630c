// Compares the hash index and the queues with standard containers, on random input and on input with many collisions.
#include <list>
#include <random>

#include "containers/queues.hpp"
#include "containers/store.hpp"
#include "tests/require.hpp"

using namespace fsplan;

namespace {

// Registers random numbers below `values`, whose hashes are given by `hash_of`.
template <class HashOf>
void test_index(std::uint64_t values, std::size_t rounds, HashOf hash_of, const char* what) {
    std::mt19937_64 random(7);
    HashIndex index;
    std::vector<std::uint64_t> kept;
    std::unordered_map<std::uint64_t, StateId> expected;
    for (std::size_t round = 0; round < rounds; ++round) {
        const std::uint64_t value = random() % values;
        const auto same = [&](StateId id) { return kept[id] == value; };
        const auto known = expected.find(value);
        require(index.find(hash_of(value), same) == (known == expected.end() ? kNoState : known->second), what);
        const Interned found = index.intern(hash_of(value), same);
        require(found.is_new == (known == expected.end()), what);
        if (found.is_new) {
            require(found.id == kept.size(), what);
            kept.push_back(value);
            expected.emplace(value, found.id);
        }
        require(expected[value] == found.id && index.size() == kept.size(), what);
    }
    for (std::uint64_t value : kept)
        require(index.find(hash_of(value), [&](StateId id) { return kept[id] == value; }) == expected[value], what);
}

void test_indexes() {
    test_index(500'000, 600'000, [](std::uint64_t value) { return mix(value); }, "a mixed hash");
    test_index(1000, 3000, [](std::uint64_t) { return std::uint64_t{0}; }, "one hash, at the front");
    test_index(1000, 3000, [](std::uint64_t) { return ~std::uint64_t{0}; }, "one hash, at the end");
    test_index(
        5000, 12'000, [](std::uint64_t value) { return value % 2 == 0 ? value << 32 : ~(value << 32); },
        "hashes at both ends");
}

class SlowQueue {
public:
    explicit SlowQueue(bool newest) : newest_(newest) {}
    bool empty() const { return lists_.empty(); }
    void push(const Priority& priority, Entry entry) {
        auto& list = lists_[priority];
        newest_ ? list.push_front(entry) : list.push_back(entry);
    }
    Priority top_priority() const { return lists_.begin()->first; }
    Entry top() const { return lists_.begin()->second.front(); }
    void pop() {
        lists_.begin()->second.pop_front();
        if (lists_.begin()->second.empty()) lists_.erase(lists_.begin());
    }
    std::vector<StateId> first(std::size_t count) const {
        std::vector<StateId> ids;
        for (const auto& [priority, list] : lists_)
            for (const Entry& entry : list)
                if (ids.size() < count) ids.push_back(entry.id);
        return ids;
    }

private:
    bool newest_;
    std::map<Priority, std::list<Entry>> lists_;
};

std::vector<StateId> first(const BucketQueue& queue, std::size_t count) {
    std::vector<StateId> ids;
    queue.in_order([&](const Entry& entry) {
        ids.push_back(entry.id);
        return ids.size() < count;
    });
    return ids;
}

// Tests random keys from `least` on (below, in and above the range of the tables) and tie-breaking by `first` alone or
// by `first` and `second`; with_second says whether the queue expects values of `second`.
void test_queue(bool newest, bool with_second, std::int64_t least, std::int64_t keys, Cost ties, Cost second) {
    std::mt19937_64 random(11);
    const auto below = [&](std::int64_t end) {
        return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end));
    };
    BucketQueue queue(newest, with_second);
    SlowQueue expected(newest);
    for (StateId id = 0; id < 20'000; ++id) {
        // The queue grows and shrinks in long phases, until it is empty.
        const bool shrinks = id / 2000 % 2 == 1;
        if (!expected.empty() && below(10) < (shrinks ? 7 : 3)) {
            require(queue.top_priority() == expected.top_priority(), "the least priority is on top");
            require(queue.top().id == expected.top().id && queue.top().g == expected.top().g, "the entry on top");
            queue.pop();
            expected.pop();
        } else {
            const Priority priority{least + below(keys), static_cast<Cost>(below(ties)),
                                    static_cast<Cost>(below(second))};
            const Entry entry{id, static_cast<Cost>(below(1000))};
            queue.push(priority, entry);
            expected.push(priority, entry);
        }
        require(queue.empty() == expected.empty(), "empty when nothing is left");
        if (id % 500 == 0 && !expected.empty()) require(first(queue, 100) == expected.first(100), "visited in order");
    }
}

}  // namespace

int main() {
    test_indexes();
    for (const bool newest : {true, false}) {
        for (const bool with_second : {true, false}) {
            test_queue(newest, with_second, 0, 100, 60, 1);
            test_queue(newest, with_second, 0, 5, 3, 1);
            test_queue(newest, with_second, 0, 10, 20, 20);
            test_queue(newest, with_second, 0, 40, 70, 70);
            test_queue(newest, with_second, 2000, 100, 70, 1);
            test_queue(newest, with_second, -50, 100, 70, 2);
            test_queue(newest, with_second, 0, std::int64_t{1} << 40, 1 << 30, 3);
        }
    }
}
