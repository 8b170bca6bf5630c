#include "invariants/invariants.hpp"

namespace fsplan::invariants {

namespace {

// Adjacent schemas with the same name are alternatives of one action. An instance of the action is recorded under one
// of its schemas only, so the results of all of them are joined.
void share_among_alternatives(const lifted::Task& lifted, std::vector<std::vector<std::uint8_t>>& equal) {
    for (std::size_t first = 0, last; first < equal.size(); first = last) {
        std::vector<std::uint8_t> joined;
        for (last = first; last < equal.size() && lifted.schemas[last].name == lifted.schemas[first].name; ++last) {
            joined.resize(std::max(joined.size(), equal[last].size()));
            for (std::size_t i = 0; i < equal[last].size(); ++i) joined[i] |= equal[last][i];
        }
        std::fill(equal.begin() + static_cast<std::ptrdiff_t>(first), equal.begin() + static_cast<std::ptrdiff_t>(last),
                  joined);
    }
}

// For each schema: the pairs of parameters that are equal in some reachable instance; empty for schemas without
// instances.
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
    share_among_alternatives(lifted, result);
    return result;
}

struct PartsHash {
    std::size_t operator()(const std::vector<Part>& parts) const {
        std::size_t hash = parts.size();
        auto mix = [&](std::size_t value) { hash = (hash ^ (hash >> 29) ^ value) * 0x9E3779B97F4A7C15ULL; };
        for (const auto& part : parts) {
            mix(static_cast<std::size_t>(part.predicate));
            mix(part.counted());
            for (std::size_t i = 0; i < part.size(); ++i) mix(part[i]);
        }
        return hash ^ (hash >> 32);
    }
};

// Normal form of a candidate: parts are sorted by predicate, and parameters are numbered by their order in the first
// part.
std::vector<Part> normal_form(std::vector<Part> parts) {
    std::ranges::sort(parts, {}, &Part::predicate);
    std::vector<std::size_t> order(parts[0].size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::sort(order, {}, [&, first = parts[0]](std::size_t i) { return first[i]; });
    for (auto& part : parts) {
        auto old = part;
        while (part.size() > 0) part.pop();
        for (auto parameter : order) part.push(old[parameter]);
    }
    return parts;
}

Instance instance_of(const Parts& parts, const Part& part, const Literal& atom) {
    Instance instance{parts, {}};
    for (std::size_t i = 0; i < part.size(); ++i) instance.parameters.push_back(atom.arguments[part[i]]);
    return instance;
}

bool belongs(const Literal& atom, const Instance& instance) {
    const auto* part = instance.parts.find(atom.predicate);
    if (!part) return false;
    for (std::size_t i = 0; i < part->size(); ++i)
        if (atom.arguments[(*part)[i]] != instance.parameters[i]) return false;
    return true;
}

bool balanced(const Operator& op, const Add& add, const Instance& instance) {
    return std::ranges::any_of(add.deleted, [&](const Deleted& deleted) {
        return belongs(deleted.atom, instance) && op.surely_deletes(add, deleted, instance);
    });
}

bool covers(const Cleared& pattern, const Part& part, const Instance& instance) {
    if (pattern.predicate != part.predicate) return false;
    if (part.counts() && pattern.arguments[part.counted()] != Cleared::kAnything) return false;
    for (std::size_t i = 0; i < part.size(); ++i) {
        auto term = pattern.arguments[part[i]];
        if (term != Cleared::kAnything && term != instance.parameters[i]) return false;
    }
    return true;
}

// Whether the added atom is certain to be the only true atom of its instance after the action.
bool alone_afterwards(const Operator& op, const Add& add, const Instance& instance) {
    auto cleared = [&](const Part& part) {
        if (part.predicate == add.atom.predicate && !part.counts()) return true;
        return std::ranges::any_of(add.cleared,
                                   [&](const Cleared& pattern) { return covers(pattern, part, instance); });
    };
    auto joined = [&](const Add& second) {
        return &second != &add && instance.parts.find(second.atom.predicate) &&
               op.both_add(add, second, instance, false);
    };
    return std::ranges::all_of(instance.parts.all(), cleared) && std::ranges::none_of(op.adds(), joined);
}

void include(std::vector<Part>& parts, const Part& part) {
    if (std::ranges::find(parts, part) == parts.end()) parts.push_back(part);
}

// Parts that may balance the add effect if they are added to the candidate: those of an atom that is deleted with it;
// or, if a deleted atom of the instance may be added at the same time, those that rule out this case. Parts without a
// counted argument come last.
std::vector<Part> ways_to_balance(const Operator& op, const Add& add, const Instance& instance) {
    std::vector<Part> found, result;
    for (const auto& deleted : add.deleted) {
        if (belongs(deleted.atom, instance)) op.find_rivals(add, deleted, instance, found);
        else find_parts(deleted.atom.arguments, deleted.atom.predicate, instance, found);
    }
    for (const auto& part : found) include(result, part);
    std::ranges::stable_partition(result, [](const Part& part) { return part.counts(); });
    return result;
}

// Depth-first search over candidates, because breadth-first search would try all small candidates before it reaches an
// invariant with many parts.
class Search {
public:
    Search(const lifted::Task& lifted, const propositional::Task& task, Budget& watch, const Limits& limits)
        : lifted_(lifted), watch_(watch), limits_(limits), world_(lifted, task), adders_(lifted.predicates.size()),
          excluded_(lifted.predicates.size()), found_parts_(lifted.predicates.size()) {
        auto equal = equal_parameters(lifted, task);
        operators_.reserve(lifted.schemas.size());
        for (std::size_t s = 0; s < lifted.schemas.size(); ++s) {
            if (equal[s].empty()) continue;
            if (lifted.schemas[s].effects.size() > limits.effects_of_operator) exclude(lifted.schemas[s]);
            else operators_.emplace_back(lifted.schemas[s], world_, equal[s]);
        }
        for (const auto& op : operators_)
            for (const auto& add : op.adds()) {
                auto& adders = adders_[static_cast<std::size_t>(add.atom.predicate)];
                if (adders.empty() || adders.back() != &op) adders.push_back(&op);
            }
    }

    std::vector<Invariant> run() {
        for (const auto& seed : seeds())
            if (!finished() && !(seed_ran_out_ && is_part_of_found(seed))) explore(seed);
        return std::move(found_);
    }

private:
    struct Pending {
        const Operator* op;
        const Add* add;
    };
    // A refined candidate inherits the results of the candidate that it refines: its add effects that were balanced
    // stay balanced, and two add effects that cannot happen together still cannot.
    struct Candidate {
        Parts parts;
        std::size_t checked = 0;       // number of parts that have been checked
        std::vector<Pending> pending;  // unbalanced add effects of the checked parts
    };

    void exclude(const lifted::Schema& schema) {
        for (const auto& effect : schema.effects)
            if (!effect.literal.negated) excluded_[static_cast<std::size_t>(effect.literal.predicate)] = 1;
    }
    void step() {
        ++steps_;
        watch_.tick();
    }
    bool finished() const { return seen_.size() > limits_.candidates || steps_ > limits_.steps; }
    static std::uint32_t counted_bit(const Part& part) { return part.counts() ? 2U << part.counted() : 1U; }
    bool is_part_of_found(const Part& part) const {
        return (found_parts_[static_cast<std::size_t>(part.predicate)] & counted_bit(part)) != 0;
    }

    std::vector<Part> seeds() const {
        std::vector<Part> seeds;
        for (std::int32_t predicate = 0; predicate < static_cast<std::int32_t>(lifted_.predicates.size());
             ++predicate) {
            if (!world_.changes(predicate)) continue;
            auto arity = static_cast<std::size_t>(lifted_.predicates[static_cast<std::size_t>(predicate)].arity);
            for (std::size_t counted = 0; counted <= arity; ++counted) {
                if (arity - (counted < arity) > Part::kMostParameters) continue;
                Part seed;
                seed.predicate = predicate;
                for (std::size_t position = 0; position < arity; ++position)
                    if (position != counted) seed.push(position);
                if (counted < arity) seed.count(counted);
                seeds.push_back(seed);
            }
        }
        return seeds;
    }
    void explore(const Part& seed) {
        Candidate first{Parts(lifted_.predicates.size()), 0, {}};
        first.parts.add(seed);
        stack_.push_back(std::move(first));
        for (std::size_t count = 0; !stack_.empty() && !finished(); ++count) {
            if (count == limits_.candidates_per_seed) {
                seed_ran_out_ = true;
                stack_.clear();
                return;
            }
            auto candidate = std::move(stack_.back());
            stack_.pop_back();
            check(candidate);
        }
    }
    // An invariant that contains the candidate balances each of its add effects. So it contains every part that is the only way
    // to balance an add effect (forced parts); if there are none, it suffices to branch over the parts for one add effect.
    void check(Candidate& candidate) {
        do {
            if (!check_parts(candidate)) return;
            balance(candidate);
            accept(candidate);
            if (fewest_ways_.size() != 1) {
                for (const auto& part : fewest_ways_) branch(candidate, part);
                return;
            }
        } while (extend(candidate));
    }
    bool check_parts(Candidate& candidate) {
        const auto& parts = candidate.parts.all();
        for (; candidate.checked < parts.size(); ++candidate.checked)
            if (!check_part(candidate, parts[candidate.checked])) return false;
        return true;
    }
    // Adds the add effects of one more part to `pending`. Returns false if the candidate is too heavy (see invariants.hpp).
    bool check_part(Candidate& candidate, const Part& part) {
        if (excluded_[static_cast<std::size_t>(part.predicate)]) return false;
        for (const auto* op : adders_[static_cast<std::size_t>(part.predicate)])
            for (const auto& add : op->adds()) {
                if (add.atom.predicate != part.predicate || op->requires_atom(add.atom)) continue;
                if (too_heavy(candidate.parts, *op, add)) return false;
                if (!add.second_copy) candidate.pending.push_back({op, &add});
            }
        return true;
    }
    bool too_heavy(const Parts& parts, const Operator& op, const Add& add) {
        auto instance = instance_of(parts, *parts.find(add.atom.predicate), add.atom);
        return std::ranges::any_of(op.adds(), [&](const Add& other) {
            step();
            return &other != &add && parts.find(other.atom.predicate) && op.both_add(add, other, instance, true);
        });
    }
    void balance(Candidate& candidate) {
        forced_.clear();
        std::optional<std::vector<Part>> fewest;
        std::erase_if(candidate.pending, [&](const Pending& pending) {
            step();
            const auto& atom = pending.add->atom;
            auto instance = instance_of(candidate.parts, *candidate.parts.find(atom.predicate), atom);
            if (balanced(*pending.op, *pending.add, instance)) return true;
            if (fewest && fewest->empty()) return false;
            auto ways = ways_to_balance(*pending.op, *pending.add, instance);
            if (ways.size() == 1) include(forced_, ways[0]);
            if (!fewest || ways.size() < fewest->size()) fewest = std::move(ways);
            return false;
        });
        fewest_ways_ = fewest ? std::move(*fewest) : std::vector<Part>{};
    }
    void accept(const Candidate& candidate) {
        const auto& parts = candidate.parts.all();
        bool trivial = parts.size() == 1 && !parts[0].counts();
        auto harmless = [&](const Pending& pending) {
            const auto& atom = pending.add->atom;
            return alone_afterwards(*pending.op, *pending.add,
                                    instance_of(candidate.parts, *candidate.parts.find(atom.predicate), atom));
        };
        bool never_rises = candidate.pending.empty();
        if (!never_rises && (trivial || !std::ranges::all_of(candidate.pending, harmless))) return;
        for (const auto& part : parts) found_parts_[static_cast<std::size_t>(part.predicate)] |= counted_bit(part);
        auto form = normal_form(parts);
        if (accepted_.insert(form).second) found_.push_back({std::move(form), never_rises});
    }
    void branch(const Candidate& candidate, const Part& part) {
        auto refined = candidate;
        refined.parts.add(part);
        if (seen_.insert(normal_form(refined.parts.all())).second) stack_.push_back(std::move(refined));
    }
    // Adds the forced parts; false if two different parts of one predicate are forced.
    bool extend(Candidate& candidate) const {
        for (const auto& part : forced_) {
            if (candidate.parts.find(part.predicate)) return false;
            candidate.parts.add(part);
        }
        return !finished();
    }

    const lifted::Task& lifted_;
    Budget& watch_;
    Limits limits_;
    World world_;
    std::vector<Operator> operators_;
    std::vector<std::vector<const Operator*>> adders_;           // predicate -> operators that add it
    std::vector<std::uint8_t> excluded_;                         // predicate -> whether it can be in no invariant
    std::unordered_set<std::vector<Part>, PartsHash> seen_;      // all candidates that were ever pushed on stack_
    std::unordered_set<std::vector<Part>, PartsHash> accepted_;  // the parts of the invariants in found_
    std::vector<Candidate> stack_;
    std::vector<Invariant> found_;
    std::vector<std::uint32_t> found_parts_;  // predicate -> bit set (counted_bit()) of its counted positions in found_
    std::size_t steps_ = 0;
    bool seed_ran_out_ = false;
    // Data of the candidate that is being checked:
    std::vector<Part> fewest_ways_;  // the shortest list of parts that may balance one of its add effects
    std::vector<Part> forced_;       // parts without an alternative for some add effect
};

}  // namespace

std::vector<Invariant> find_invariants(const lifted::Task& lifted, const propositional::Task& task, Budget& watch,
                                       const Limits& limits) {
    return Search(lifted, task, watch, limits).run();
}

}  // namespace fsplan::invariants
