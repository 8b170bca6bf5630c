#include "ground/invariants.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <unordered_set>

#include "ground/operators.hpp"

namespace fsplan::invariants {

namespace {

// Which pairs of parameters are equal in some reachable instance of each schema; empty for schemas without instances.
std::vector<std::vector<std::uint8_t>> equal_parameters(const lifted::Task& lifted, const propositional::Task& task) {
    std::vector<std::vector<std::uint8_t>> result(lifted.schemas.size());
    for (std::size_t a = 0; a < task.action_atom.size(); ++a) {
        auto atom = task.action_atom[a];
        auto arguments = atom.subspan(1);
        auto count = arguments.size();
        auto& equal = result[atom[0]];
        if (equal.empty()) equal.resize(count * count + 1);
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t j = i + 1; j < count; ++j)
                if (arguments[i] == arguments[j]) equal[i * count + j] = 1;
    }
    return result;
}

struct InvariantHash {
    std::size_t operator()(const Invariant& invariant) const {
        std::size_t hash = invariant.size();
        auto mix = [&](std::int32_t value) { hash = (hash ^ static_cast<std::uint32_t>(value + 1)) * 0x9E3779B97F4A7C15ULL; };
        for (const auto& part : invariant) {
            mix(part.predicate);
            mix(part.counted);
            std::ranges::for_each(part.positions, mix);
        }
        return hash ^ (hash >> 32);
    }
};

// Renumbers the parameters so that they ascend in the first part.
void normalise(Invariant& invariant) {
    std::ranges::sort(invariant, {}, &Part::predicate);
    std::vector<std::size_t> order(invariant[0].positions.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::sort(order, {}, [&](std::size_t i) { return invariant[0].positions[i]; });
    for (auto& part : invariant) {
        auto old = part.positions;
        for (std::size_t i = 0; i < order.size(); ++i) part.positions[i] = old[order[i]];
    }
}

Instance instance_of(const Invariant& invariant, const Part& part, const Literal& atom) {
    Instance instance{invariant, {}};
    for (auto position : part.positions) instance.parameters.push_back(atom.arguments[static_cast<std::size_t>(position)]);
    return instance;
}

bool belongs(const Literal& atom, const Instance& instance) {
    const auto* part = part_for(instance.invariant, atom.predicate);
    return part && instance_of(instance.invariant, *part, atom).parameters == instance.parameters;
}

class Search {
public:
    Search(const lifted::Task& lifted, const propositional::Task& task, const Limits& limits)
        : lifted_(lifted), limits_(limits), world_(lifted, task), adders_(lifted.predicates.size()) {
        auto equal = equal_parameters(lifted, task);
        operators_.reserve(lifted.schemas.size());
        for (std::size_t s = 0; s < lifted.schemas.size(); ++s)
            if (!equal[s].empty()) operators_.emplace_back(lifted.schemas[s], world_, equal[s]);
        for (const auto& op : operators_)
            for (const auto& add : op.adds()) {
                auto& adders = adders_[static_cast<std::size_t>(add.atom.predicate)];
                if (adders.empty() || adders.back() != &op) adders.push_back(&op);
            }
    }

    std::vector<Found> run() {
        start();
        while (!queue_.empty()) {
            auto candidate = std::move(queue_.front());
            queue_.pop_front();
            check(candidate);
        }
        return std::move(found_);
    }

private:
    void start();
    void enqueue(Invariant invariant);
    void check(const Invariant& candidate);
    void check_operator(const Invariant& candidate, const Operator& op);
    bool too_heavy(const Invariant& candidate, const Operator& op) const;
    bool balanced(const Operator& op, const Add& add, const Instance& instance) const;
    bool alone_afterwards(const Operator& op, const Add& add, const Instance& instance) const;
    std::vector<Invariant> refinements(const Operator& op, const Add& add, const Instance& instance) const;

    const lifted::Task& lifted_;
    Limits limits_;
    World world_;
    std::vector<Operator> operators_;
    std::vector<std::vector<const Operator*>> adders_;  // predicate -> operators that add it
    std::unordered_set<Invariant, InvariantHash> seen_;
    std::deque<Invariant> queue_;
    std::vector<Found> found_;
    // of the candidate being checked
    std::optional<std::vector<Invariant>> best_refinements_;
    bool at_most_one_ = true;
};

void Search::start() {
    for (std::size_t p = 0; p < lifted_.predicates.size(); ++p) {
        const auto& predicate = lifted_.predicates[p];
        if (!world_.changes(static_cast<std::int32_t>(p))) continue;
        for (std::int32_t counted = -1; counted < predicate.arity; ++counted) {
            Part part{static_cast<std::int32_t>(p), counted, {}};
            for (std::int32_t position = 0; position < predicate.arity; ++position)
                if (position != counted) part.positions.push_back(position);
            enqueue({std::move(part)});
        }
    }
}

void Search::enqueue(Invariant invariant) {
    normalise(invariant);
    if (seen_.size() < limits_.candidates && seen_.insert(invariant).second) queue_.push_back(std::move(invariant));
}

// Every invariant that contains an unbalanced candidate has to balance each of its adds, so it is enough to refine for
// the add with the fewest ways.
void Search::check(const Invariant& candidate) {
    best_refinements_.reset();
    at_most_one_ = candidate.size() > 1 || candidate[0].counted >= 0;
    for (const auto& part : candidate)
        for (const auto* op : adders_[static_cast<std::size_t>(part.predicate)]) {
            if (too_heavy(candidate, *op)) return;
            check_operator(candidate, *op);
            if (!at_most_one_ && best_refinements_ && best_refinements_->empty()) return;
        }
    if (at_most_one_ || !best_refinements_) found_.push_back({candidate, !best_refinements_});
    if (best_refinements_)
        for (auto& refinement : *best_refinements_) enqueue(std::move(refinement));
}

void Search::check_operator(const Invariant& candidate, const Operator& op) {
    for (const auto& add : op.adds()) {
        const auto* part = part_for(candidate, add.atom.predicate);
        if (!part || add.second_copy || op.requires_atom(add.atom)) continue;
        auto instance = instance_of(candidate, *part, add.atom);
        if (balanced(op, add, instance)) continue;
        at_most_one_ = at_most_one_ && alone_afterwards(op, add, instance);
        if (best_refinements_ && best_refinements_->empty()) continue;
        auto ways = refinements(op, add, instance);
        if (!best_refinements_ || ways.size() < best_refinements_->size()) best_refinements_ = std::move(ways);
    }
}

bool Search::too_heavy(const Invariant& candidate, const Operator& op) const {
    const auto& adds = op.adds();
    for (std::size_t i = 0; i < adds.size(); ++i) {
        const auto* part = part_for(candidate, adds[i].atom.predicate);
        if (!part) continue;
        auto instance = instance_of(candidate, *part, adds[i].atom);
        for (std::size_t j = i + 1; j < adds.size(); ++j)
            if (part_for(candidate, adds[j].atom.predicate) && op.both_add(adds[i], adds[j], instance, true)) return true;
    }
    return false;
}

bool Search::balanced(const Operator& op, const Add& add, const Instance& instance) const {
    return std::ranges::any_of(add.deleted, [&](const Deleted& deleted) {
        return belongs(deleted.atom, instance) && op.surely_deletes(add, deleted, instance);
    });
}

bool covers(const Cleared& pattern, const Part& part, const Instance& instance) {
    auto at = [&](std::int32_t position) { return pattern.arguments[static_cast<std::size_t>(position)]; };
    if (pattern.predicate != part.predicate) return false;
    if (part.counted >= 0 && at(part.counted) != Cleared::kAnything) return false;
    for (std::size_t i = 0; i < part.positions.size(); ++i)
        if (at(part.positions[i]) != Cleared::kAnything && at(part.positions[i]) != instance.parameters[i]) return false;
    return true;
}

bool Search::alone_afterwards(const Operator& op, const Add& add, const Instance& instance) const {
    auto cleared = [&](const Part& part) {
        if (part.predicate == add.atom.predicate && part.counted < 0) return true;
        return std::ranges::any_of(add.cleared, [&](const Cleared& pattern) { return covers(pattern, part, instance); });
    };
    auto joined = [&](const Add& second) {
        return &second != &add && part_for(instance.invariant, second.atom.predicate) && op.both_add(add, second, instance, false);
    };
    return std::ranges::all_of(instance.invariant, cleared) && std::ranges::none_of(op.adds(), joined);
}

// What has to join the candidate so that it balances the add: an atom that is deleted with it; or, where a deleted atom
// of the instance may be added again at once, an atom with which that case cannot arise.
std::vector<Invariant> Search::refinements(const Operator& op, const Add& add, const Instance& instance) const {
    std::vector<Part> parts;
    for (const auto& deleted : add.deleted) {
        if (belongs(deleted.atom, instance))
            op.find_rivals(add, deleted, instance, parts);
        else
            find_parts(deleted.atom.arguments, deleted.atom.predicate, instance, parts);
    }
    std::vector<Invariant> result;
    for (auto& part : parts) {
        result.push_back(instance.invariant);
        result.back().push_back(std::move(part));
    }
    return result;
}

}  // namespace

std::vector<Found> find_invariants(const lifted::Task& lifted, const propositional::Task& task, const Limits& limits) {
    return Search(lifted, task, limits).run();
}

}  // namespace fsplan::invariants
