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

const Part* part_for(const Invariant& invariant, std::int32_t predicate) {
    for (const auto& part : invariant)
        if (part.predicate == predicate) return &part;
    return nullptr;
}

bool same_instance(const Part& part, std::span<const Term> arguments, const Part& other, std::span<const Term> others) {
    for (std::size_t i = 0; i < part.positions.size(); ++i)
        if (arguments[static_cast<std::size_t>(part.positions[i])] != others[static_cast<std::size_t>(other.positions[i])]) return false;
    return true;
}

class Search {
public:
    Search(const lifted::Task& lifted, const propositional::Task& task, const Limits& limits)
        : lifted_(lifted), limits_(limits), objects_(lifted, task), adders_(lifted.predicates.size()) {
        auto equal = equal_parameters(lifted, task);
        operators_.reserve(lifted.schemas.size());
        for (std::size_t s = 0; s < lifted.schemas.size(); ++s)
            if (!equal[s].empty()) operators_.emplace_back(lifted.schemas[s], objects_, equal[s]);
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
    bool balanced(const Invariant& candidate, const Add& add, const Part& part) const;
    bool alone_afterwards(const Invariant& candidate, const Operator& op, const Add& add, const Part& part) const;
    std::vector<Invariant> refinements(const Invariant& candidate, const Add& add, const Part& part) const;
    bool both_in_instance(const Operator& op, const Add& first, const Part& part, const Add& second, const Part& other,
                          bool second_is_new) const;

    const lifted::Task& lifted_;
    Limits limits_;
    Objects objects_;
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
        if (!predicate.fluent || predicate.derived) continue;
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
        if (!part || add.second_copy || op.requires_atom(add.atom) || balanced(candidate, add, *part)) continue;
        at_most_one_ = at_most_one_ && alone_afterwards(candidate, op, add, *part);
        if (best_refinements_ && best_refinements_->empty()) continue;
        auto ways = refinements(candidate, add, *part);
        if (!best_refinements_ || ways.size() < best_refinements_->size()) best_refinements_ = std::move(ways);
    }
}

bool Search::both_in_instance(const Operator& op, const Add& first, const Part& part, const Add& second, const Part& other,
                              bool second_is_new) const {
    std::vector<TermPair> equal;
    for (std::size_t i = 0; i < part.positions.size(); ++i)
        equal.emplace_back(first.atom.arguments[static_cast<std::size_t>(part.positions[i])],
                           second.atom.arguments[static_cast<std::size_t>(other.positions[i])]);
    return op.both_possible(first, second, equal, second_is_new);
}

bool Search::too_heavy(const Invariant& candidate, const Operator& op) const {
    const auto& adds = op.adds();
    for (std::size_t i = 0; i < adds.size(); ++i) {
        const auto* part = part_for(candidate, adds[i].atom.predicate);
        for (std::size_t j = i + 1; part && j < adds.size(); ++j) {
            const auto* other = part_for(candidate, adds[j].atom.predicate);
            if (other && both_in_instance(op, adds[i], *part, adds[j], *other, true)) return true;
        }
    }
    return false;
}

bool Search::balanced(const Invariant& candidate, const Add& add, const Part& part) const {
    return std::ranges::any_of(add.surely_deleted, [&](const Literal& deleted) {
        const auto* other = part_for(candidate, deleted.predicate);
        return other && same_instance(part, add.atom.arguments, *other, deleted.arguments);
    });
}

bool Search::alone_afterwards(const Invariant& candidate, const Operator& op, const Add& add, const Part& part) const {
    auto cleared = [&](const Part& other) {
        if (&other == &part && other.counted < 0) return true;
        return std::ranges::any_of(add.cleared, [&](const Cleared& pattern) {
            if (pattern.predicate != other.predicate) return false;
            if (other.counted >= 0 && pattern.arguments[static_cast<std::size_t>(other.counted)] != Cleared::kAnything) return false;
            for (std::size_t i = 0; i < other.positions.size(); ++i) {
                auto term = pattern.arguments[static_cast<std::size_t>(other.positions[i])];
                if (term != Cleared::kAnything && term != add.atom.arguments[static_cast<std::size_t>(part.positions[i])]) return false;
            }
            return true;
        });
    };
    auto joined = [&](const Add& second) {
        const auto* other = part_for(candidate, second.atom.predicate);
        return other && &second != &add && both_in_instance(op, add, part, second, *other, false);
    };
    return std::ranges::all_of(candidate, cleared) && std::ranges::none_of(op.adds(), joined);
}

// All ways to lay the candidate's parameters onto the arguments of the atom, one argument at most left to be counted.
void match_parameters(const std::vector<Term>& parameters, const Literal& atom, Part& part, std::vector<Part>& matches) {
    if (part.positions.size() == parameters.size()) {
        part.counted = -1;
        for (std::size_t position = 0; position < atom.arguments.size(); ++position)
            if (std::ranges::find(part.positions, static_cast<std::int32_t>(position)) == part.positions.end())
                part.counted = static_cast<std::int32_t>(position);
        matches.push_back(part);
        return;
    }
    for (std::size_t position = 0; position < atom.arguments.size(); ++position) {
        auto number = static_cast<std::int32_t>(position);
        if (atom.arguments[position] != parameters[part.positions.size()]) continue;
        if (std::ranges::find(part.positions, number) != part.positions.end()) continue;
        part.positions.push_back(number);
        match_parameters(parameters, atom, part, matches);
        part.positions.pop_back();
    }
}

std::vector<Invariant> Search::refinements(const Invariant& candidate, const Add& add, const Part& part) const {
    std::vector<Term> parameters;
    for (auto position : part.positions) parameters.push_back(add.atom.arguments[static_cast<std::size_t>(position)]);
    std::vector<Part> matches;
    for (const auto& deleted : add.surely_deleted) {
        auto free = deleted.arguments.size() - parameters.size();
        if (free > 1 || part_for(candidate, deleted.predicate)) continue;
        Part match{deleted.predicate, -1, {}};
        match_parameters(parameters, deleted, match, matches);
    }
    std::vector<Invariant> result;
    for (auto& match : matches) {
        result.push_back(candidate);
        result.back().push_back(std::move(match));
    }
    return result;
}

}  // namespace

std::vector<Found> find_invariants(const lifted::Task& lifted, const propositional::Task& task, const Limits& limits) {
    return Search(lifted, task, limits).run();
}

}  // namespace fsplan::invariants
