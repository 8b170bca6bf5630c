// Conjunctive queries over relations: a join plan is a sequence of steps, executed by backtracking over a binding.
//
// A binding has one slot per variable, then one per constant, so that steps treat both alike.
#pragma once

#include "base/budget.hpp"
#include "instantiate/relation.hpp"

namespace fsplan {

using Slot = std::uint32_t;

struct Type {
    std::vector<Object> objects;
    std::vector<std::uint8_t> member;  // object -> whether it is a member
    bool universal = false;            // whether every object is a member
};

struct BodyAtom {
    Relation* relation;
    std::vector<Slot> slots;
};

struct Filter {
    enum class Kind : std::uint8_t { equal, unequal, absent };
    Kind kind;
    Relation* relation;  // for kind `absent` only: the row must not be in this relation
    std::vector<Slot> slots;
};

struct Variable {
    Slot slot;
    const Type* type;
};

struct Body {
    std::vector<Variable> variables;  // the variables that the query binds
    std::vector<BodyAtom> atoms;
    std::vector<Filter> filters;
};

// How a row is matched with a binding: some columns are compared with slots, others are written to slots.
struct RowPattern {
    std::vector<std::pair<std::uint32_t, Slot>> binds;    // column, slot
    std::vector<std::pair<std::uint32_t, Slot>> repeats;  // column, slot: compared after the binds
    std::vector<Variable> types;                          // types that the objects in the bound slots must have

    bool match(const Object* row, Object* binding) const {
        for (auto [column, slot] : binds) binding[slot] = row[column];
        for (auto [column, slot] : repeats)
            if (binding[slot] != row[column]) return false;
        for (auto [slot, type] : types)
            if (!type->member[static_cast<std::size_t>(binding[slot])]) return false;
        return true;
    }
};

struct Step {
    enum class Kind : std::uint8_t { scan, look_up, check, absent, equal, unequal, assign, enumerate };
    Kind kind;
    bool not_trigger = false;  // whether to skip the row that triggered the query, to find each match once
    Relation* relation = nullptr;
    std::size_t index = 0;
    // The slots that the step reads, by kind. look_up: the key of the index; check and absent: the whole row; equal and
    // unequal: the two sides; assign: target and source.
    std::vector<Slot> key;
    RowPattern pattern;
    Variable variable{};  // for the kinds assign and enumerate
};

struct JoinPlan {
    RowPattern trigger;
    std::vector<Step> steps;
};

// Computes a join order by estimated selectivity. `trigger` is the atom that is matched with a new row of its relation;
// atoms before it over the same relation then match older rows only. -1: no atom triggers the query.
JoinPlan make_join_plan(const Body& body, int trigger, Budget& watch);

template <class Leaf>
class JoinRun {
public:
    JoinRun(const JoinPlan& plan, Object* binding, Budget& watch, Leaf& leaf, Relation::Row trigger_row)
        : plan_(plan), binding_(binding), watch_(watch), leaf_(leaf), trigger_row_(trigger_row) {}

    bool from(std::size_t depth) {
        for (;; ++depth) {  // steps with a single choice need no recursion
            if (depth == plan_.steps.size()) {
                watch_.tick();
                return leaf_();
            }
            const Step& step = plan_.steps[depth];
            switch (step.kind) {
                case Step::Kind::scan: return scan(step, depth);
                case Step::Kind::look_up: return look_up(step, depth);
                case Step::Kind::enumerate: return enumerate(step, depth);
                case Step::Kind::check: {
                    auto row = find(step);
                    if (row >= step.relation->active() || (step.not_trigger && row == trigger_row_)) return true;
                    break;
                }
                case Step::Kind::absent:
                    if (find(step) != Relation::kNone) return true;
                    break;
                case Step::Kind::equal:
                    if (binding_[step.key[0]] != binding_[step.key[1]]) return true;
                    break;
                case Step::Kind::unequal:
                    if (binding_[step.key[0]] == binding_[step.key[1]]) return true;
                    break;
                case Step::Kind::assign: {
                    auto object = binding_[step.key[1]];
                    if (!step.variable.type->member[static_cast<std::size_t>(object)]) return true;
                    binding_[step.key[0]] = object;
                    break;
                }
            }
        }
    }

private:
    bool scan(const Step& step, std::size_t depth) {
        auto end = step.relation->active();
        for (Relation::Row row = 0; row < end; ++row)
            if (!take(step, row, depth)) return false;
        return true;
    }

    bool look_up(const Step& step, std::size_t depth) {
        Object key[Relation::kMaskColumns];
        for (std::size_t i = 0; i < step.key.size(); ++i) key[i] = binding_[step.key[i]];
        for (auto row = step.relation->first(step.index, key); row != Relation::kNone;
             row = step.relation->next(step.index, row))
            if (!take(step, row, depth)) return false;
        return true;
    }

    bool take(const Step& step, Relation::Row row, std::size_t depth) {
        watch_.tick();
        if (step.not_trigger && row == trigger_row_) return true;
        if (!step.pattern.match(step.relation->row(row), binding_)) return true;
        return from(depth + 1);
    }

    bool enumerate(const Step& step, std::size_t depth) {
        for (auto object : step.variable.type->objects) {
            watch_.tick();
            binding_[step.variable.slot] = object;
            if (!from(depth + 1)) return false;
        }
        return true;
    }

    Relation::Row find(const Step& step) const {
        Object row[Relation::kMaskColumns];
        if (step.key.size() > Relation::kMaskColumns) return find_wide(step);
        for (std::size_t i = 0; i < step.key.size(); ++i) row[i] = binding_[step.key[i]];
        return step.relation->find(row);
    }

    Relation::Row find_wide(const Step& step) const {
        std::vector<Object> row;
        for (auto slot : step.key) row.push_back(binding_[slot]);
        return step.relation->find(row.data());
    }

    const JoinPlan& plan_;
    Object* binding_;
    Budget& watch_;
    Leaf& leaf_;
    Relation::Row trigger_row_;
};

// Calls leaf() for every completion of the binding until it returns false. Returns false if leaf() did.
template <class Leaf>
bool run(const JoinPlan& plan, Object* binding, Budget& watch, Leaf&& leaf,
         Relation::Row trigger_row = Relation::kNone) {
    return JoinRun<std::remove_reference_t<Leaf>>(plan, binding, watch, leaf, trigger_row).from(0);
}

}  // namespace fsplan
