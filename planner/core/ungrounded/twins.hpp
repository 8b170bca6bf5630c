// Interchangeable objects of a state: swapping two of them maps the state, the goal, the static atoms and the costs to
// themselves. Examples: equal slices of bread in the kitchen, and packages at one place with one destination.
//
// Two objects are interchangeable if they have the same types and the same atoms, apart from the object itself. The
// atoms of an object are compared by the sum of their 64-bit hashes.
#pragma once

#include "containers/store.hpp"
#include "instantiate/relation.hpp"
#include "lifted/lifted_task.hpp"

namespace fsplan {

class Twins {
public:
    explicit Twins(const lifted::Task& task);

    // Adds an atom that is true in every state. All of them must be added before the first state.
    void add_constant(std::int32_t predicate, std::span<const Object> objects) {
        add(constant_, static_cast<std::uint64_t>(predicate), objects);
    }
    // To set the state: call clear(), then add() for each of its true atoms, then finish().
    void clear() { keys_ = constant_; }
    void add(std::int32_t predicate, std::span<const Object> objects) {
        add(keys_, static_cast<std::uint64_t>(predicate), objects);
    }
    void finish();

    // Position of the object among the objects that are interchangeable with it, from 0.
    std::uint32_t rank(Object object) const { return rank_[static_cast<std::size_t>(object)]; }
    bool are_twins(Object one, Object other) const {
        return keys_[static_cast<std::size_t>(one)] == keys_[static_cast<std::size_t>(other)];
    }
    // Whether these arguments represent all arguments to which swaps map them: before the first occurrence of an
    // object, all interchangeable objects of smaller rank have occurred. If a1, a2 and a3 are interchangeable, the
    // result is true for (a1, b, a2) and (a1, b, a1), but false for (a2, b, a1) and (a1, b, a3).
    bool is_first(std::span<const Object> arguments) const;

private:
    static void add(std::vector<std::uint64_t>& keys, std::uint64_t label, std::span<const Object> objects);

    std::vector<std::uint64_t> constant_, keys_;  // per object: the sum of the hashes of its atoms
    std::vector<std::uint32_t> rank_;             // per object
    std::vector<Object> order_;
};

}  // namespace fsplan
