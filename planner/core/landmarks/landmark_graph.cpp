#include "landmarks/landmark_graph.hpp"

namespace fsplan {

namespace {

constexpr std::uint64_t kMostWork = 40'000'000;  // budget of find_landmarks, in operators visited
constexpr std::size_t kMostFactsOfLandmark = 4;  // greatest number of facts of a disjunctive landmark
constexpr std::size_t kMostOrdered = 600;        // with more landmarks no reasonable orderings are computed

using Facts = std::vector<std::uint32_t>;
using Flags = std::vector<std::uint8_t>;

// Reachability in the delete relaxation without the achievers of given facts.
class Reachability {
public:
    Reachability(const Relaxation& relaxation, Facts start, Budget& watch)
        : relaxation_(relaxation), start_(std::move(start)), watch_(watch) {}

    // Whether the goal is reachable without achieving the facts `without`, which must not hold in the initial state.
    bool explore(const Facts& without) {
        missing_ = relaxation_.precondition_count;
        reached_.assign(relaxation_.fact_count, 0);
        supporter_.resize(relaxation_.fact_count);
        for (const auto fact : without) reached_[fact] = 1;
        open_.clear();
        for (const auto fact : start_) reach(fact, kNoOperator);
        for (const auto op : relaxation_.unconditional) apply(op);
        for (std::size_t next = 0; next < open_.size(); ++next) expand(open_[next]);
        for (const auto fact : without) reached_[fact] = 0;
        return missing_[relaxation_.goal()] == 0;
    }
    bool reached(std::uint32_t fact) const { return reached_[fact] != 0; }
    bool is_applicable(OperatorId op) const {
        return std::ranges::all_of(relaxation_.precondition[op], [&](auto fact) { return reached(fact); });
    }
    // After an exploration that reached the goal: the facts of a relaxed plan that do not hold in the initial state.
    Facts plan_facts() const {
        Facts facts;
        Flags seen(relaxation_.fact_count);
        const auto visit = [&](std::uint32_t fact) {
            if (!std::exchange(seen[fact], 1) && supporter_[fact] != kNoOperator) facts.push_back(fact);
        };
        for (const auto fact : relaxation_.precondition[relaxation_.goal()]) visit(fact);
        for (std::size_t next = 0; next < facts.size(); ++next)
            for (const auto fact : relaxation_.precondition[supporter_[facts[next]]]) visit(fact);
        return facts;
    }
    bool may_go_on() const { return work_ < kMostWork; }
    std::uint64_t work() const { return work_; }

private:
    void reach(std::uint32_t fact, OperatorId by) {
        if (std::exchange(reached_[fact], 1)) return;
        supporter_[fact] = by;
        open_.push_back(fact);
    }
    void expand(std::uint32_t fact) {
        const auto needed_by = relaxation_.needed_by[fact];
        work_ += needed_by.size();
        watch_.tick();
        for (const auto op : needed_by)
            if (--missing_[op] == 0) apply(op);
    }
    void apply(OperatorId op) {
        for (const auto effect : relaxation_.effect[op]) reach(effect, op);
    }

    const Relaxation& relaxation_;
    Facts start_;
    Budget& watch_;
    std::uint64_t work_ = 0;
    std::vector<std::uint32_t> missing_;
    Flags reached_;
    std::vector<OperatorId> supporter_;
    Facts open_;
};

class Finder {
public:
    Finder(const GroundTask& task, const Relaxation& relaxation, Budget& watch)
        : task_(task), relaxation_(relaxation), achievers_(transpose(relaxation.effect, relaxation.fact_count)),
          variable_(variables_of_facts(task)), fact_of_task_(relaxation.fact_count, kIrrelevant),
          holds_(relaxation.fact_count), reachability_(relaxation, start_facts(), watch) {}

    std::uint64_t work() const { return reachability_.work(); }
    std::vector<Landmark> find() {
        if (!reachability_.explore({})) return {};
        const Facts candidates = reachability_.plan_facts();
        add_goals();
        for (std::size_t i = 0; i < candidates.size() && reachability_.may_go_on(); ++i) test(candidates[i]);
        for (std::size_t i = 0; i < disjunctive_.size() && reachability_.may_go_on(); ++i) {
            const auto [facts, after] = disjunctive_[i];  // a copy, because add_disjunctive appends to disjunctive_
            add_disjunctive(facts, after);
        }
        for (auto& [before, after] : greedy_) order(before, after);
        if (landmarks_.size() <= kMostOrdered) add_reasonable();
        return std::move(landmarks_);
    }

private:
    Facts start_facts() {
        for (FactId fact = 0; fact < task_.fact_count(); ++fact)
            if (relaxation_.fact_of[fact] != kIrrelevant) fact_of_task_[relaxation_.fact_of[fact]] = fact;
        Facts facts;
        for (std::size_t v = 0; v < task_.variable_count(); ++v) {
            if (task_.layer[v] >= 0) continue;
            const auto fact = relaxation_.fact_of[task_.first_fact[v] + static_cast<FactId>(task_.initial[v])];
            if (fact == kIrrelevant) continue;
            facts.push_back(fact);
            holds_[fact] = 1;
        }
        return facts;
    }
    // Whether actions set the variable of the fact; false for helper facts of the relaxation.
    bool is_plain(std::uint32_t fact) const {
        const FactId of_task = fact_of_task_[fact];
        return of_task != kIrrelevant && task_.layer[variable_[of_task]] < 0;
    }
    std::optional<std::uint32_t> add(const Facts& facts) {
        if (!std::ranges::all_of(facts, [&](auto fact) { return is_plain(fact); })) return {};
        const auto [found, is_new] = number_.try_emplace(facts, static_cast<std::uint32_t>(landmarks_.size()));
        if (!is_new) return found->second;
        Landmark landmark;
        for (const auto fact : facts) landmark.facts.push_back(fact_of_task_[fact]);
        landmark.least_cost = least_cost(facts);
        landmarks_.push_back(std::move(landmark));
        without_.emplace_back();
        return found->second;
    }
    Cost least_cost(const Facts& facts) const {
        Cost least = kDeadEnd;
        for (const auto fact : facts)
            for (const auto op : achievers_[fact]) least = std::min(least, relaxation_.cost[op]);
        return least == kDeadEnd ? 0 : least;
    }
    void add_goals() {
        for (const auto fact : relaxation_.precondition[relaxation_.goal()])
            if (const auto goal = add({fact})) landmarks_[*goal].is_goal = true;
    }

    void test(std::uint32_t fact) {
        if (!reachability_.explore({fact})) study({fact});
    }
    // Adds a disjunctive landmark that holds before landmark `after`. Sets that contain a landmark add no information.
    void add_disjunctive(const Facts& facts, std::uint32_t after) {
        if (std::ranges::any_of(facts, [&](auto fact) { return number_.contains({fact}); })) return;
        if (!number_.contains(facts) && !reachability_.explore(facts)) study(facts);
        if (const auto found = number_.find(facts); found != number_.end()) greedy_.emplace_back(found->second, after);
    }
    // Adds a landmark with its orderings, after an exploration without its achievers.
    void study(const Facts& facts) {
        const auto landmark = add(facts);
        if (!landmark) return;
        note_reachable(*landmark);
        const auto first = first_achievers(facts);
        if (first.empty()) return;
        for (const auto fact : shared_preconditions(first))
            if (const auto before = add({fact})) greedy_.emplace_back(*before, *landmark);
        find_disjunctive(first, *landmark);
    }
    void note_reachable(std::uint32_t landmark) {
        Flags& reachable = without_[landmark];
        reachable.resize(relaxation_.fact_count);
        for (std::uint32_t fact = 0; fact < relaxation_.fact_count; ++fact)
            reachable[fact] = reachability_.reached(fact);
    }
    std::vector<OperatorId> first_achievers(const Facts& facts) const {
        std::vector<OperatorId> first;
        for (const auto fact : facts)
            for (const auto op : achievers_[fact])
                if (reachability_.is_applicable(op)) first.push_back(op);
        return first;
    }
    Facts shared_preconditions(const std::vector<OperatorId>& operators) const {
        const auto row = relaxation_.precondition[operators[0]];
        Facts shared(row.begin(), row.end());
        for (const auto op : operators)
            std::erase_if(shared,
                          [&](auto fact) { return !std::ranges::binary_search(relaxation_.precondition[op], fact); });
        return shared;
    }
    // Finds candidates for disjunctive landmarks. If every first achiever has preconditions of one predicate, the set of
    // all these preconditions is a candidate, unless it is too large.
    void find_disjunctive(const std::vector<OperatorId>& first, std::uint32_t landmark) {
        std::map<std::uint32_t, Facts> by_predicate;
        for (const auto fact : relaxation_.precondition[first[0]])
            if (const auto predicate = predicate_of(fact)) by_predicate[*predicate];
        for (auto& [predicate, facts] : by_predicate)
            if (collect(predicate, first, facts)) disjunctive_.emplace_back(facts, landmark);
    }
    bool collect(std::uint32_t predicate, const std::vector<OperatorId>& operators, Facts& facts) const {
        for (const auto op : operators) {
            bool found = false;
            for (const auto fact : relaxation_.precondition[op]) {
                if (predicate_of(fact) != predicate) continue;
                if (holds_[fact]) return false;
                found = true;
                facts.push_back(fact);
            }
            if (!found) return false;
            sort_unique(facts);
            if (facts.size() > kMostFactsOfLandmark) return false;
        }
        return facts.size() > 1;
    }
    std::optional<std::uint32_t> predicate_of(std::uint32_t fact) const {
        if (!is_plain(fact)) return {};
        const FactId of_task = fact_of_task_[fact];
        if (of_task >= task_.fact_atom.size()) return {};
        const auto atom = task_.fact_atom[of_task];
        if (atom.empty() || task_.fact_negated[of_task]) return {};
        return atom[0];
    }

    void order(std::uint32_t before, std::uint32_t after) {
        landmarks_[after].predecessors.push_back(before);
        landmarks_[before].needed_for.push_back(after);
    }

    // Adds reasonable orderings between fact landmarks, except those that would close a cycle.
    void add_reasonable() {
        for (std::uint32_t a = 0; a < landmarks_.size(); ++a) {
            if (landmarks_[a].facts.size() != 1) continue;
            for (const auto b : together_with(a))
                if (b != a && landmarks_[b].facts.size() == 1 && destroys(b, a) && !comes_before(a, b))
                    landmarks_[a].predecessors.push_back(b);
        }
    }
    // Landmarks that can be needed together with a: if a is a goal, all other goals; and if a has to hold immediately
    // before a landmark, the other landmarks that come before that landmark.
    std::vector<std::uint32_t> together_with(std::uint32_t a) const {
        std::vector<std::uint32_t> others;
        for (std::uint32_t b = 0; b < landmarks_.size(); ++b) {
            const auto precedes = [&](auto next) { return next != b && naturally_before(b, next); };
            const bool both_goals = landmarks_[a].is_goal && landmarks_[b].is_goal;
            if (both_goals || std::ranges::any_of(landmarks_[a].needed_for, precedes)) others.push_back(b);
        }
        return others;
    }
    bool naturally_before(std::uint32_t before, std::uint32_t after) const {
        if (without_[before].empty()) return false;
        const auto is_reachable = [&](FactId fact) { return without_[before][relaxation_.fact_of[fact]] != 0; };
        return std::ranges::none_of(landmarks_[after].facts, is_reachable);
    }
    // Whether achieving b makes a false: a fact needed immediately before b is mutex with a, or every achiever of b
    // deletes a.
    bool destroys(std::uint32_t b, std::uint32_t a) const {
        const FactId fact = landmarks_[a].facts[0];
        for (const auto before : landmarks_[b].predecessors)
            if (is_needed_for(before, b) && excludes(landmarks_[before], fact)) return true;
        const auto bringing = achievers_[relaxation_.fact_of[landmarks_[b].facts[0]]];
        return !bringing.empty() &&
               std::ranges::all_of(bringing, [&](OperatorId op) { return makes_false(relaxation_.action[op], fact); });
    }
    bool is_needed_for(std::uint32_t before, std::uint32_t after) const {
        return std::ranges::count(landmarks_[before].needed_for, after) > 0;
    }
    bool excludes(const Landmark& landmark, FactId fact) const {
        return std::ranges::all_of(landmark.facts,
                                   [&](FactId each) { return each != fact && variable_[each] == variable_[fact]; });
    }
    bool makes_false(ActionId action, FactId fact) const {
        if (action == kNoAction) return false;
        for (auto e = task_.first_effect[action]; e < task_.first_effect[action + 1]; ++e)
            if (variable_[task_.effect[e]] == variable_[fact] && task_.effect[e] != fact) return true;
        return false;
    }
    // Whether a path of orderings of any kind leads from `first` to `last`.
    bool comes_before(std::uint32_t first, std::uint32_t last) const {
        Flags seen(landmarks_.size());
        Facts open{last};
        for (std::size_t next = 0; next < open.size(); ++next) {
            if (open[next] == first || naturally_before(first, open[next])) return true;
            for (const auto before : landmarks_[open[next]].predecessors)
                if (!std::exchange(seen[before], 1)) open.push_back(before);
        }
        return false;
    }

    const GroundTask& task_;
    const Relaxation& relaxation_;
    Rows achievers_;                       // fact -> operators that add it
    std::vector<std::uint32_t> variable_;  // fact of the task -> its variable
    std::vector<FactId> fact_of_task_;     // fact of the relaxation -> fact of the task
    Flags holds_;                          // fact -> whether it holds in the initial state
    Reachability reachability_;
    std::vector<Landmark> landmarks_;
    std::vector<Flags> without_;  // landmark -> facts that are reachable without it; empty if not computed
    std::map<Facts, std::uint32_t> number_;
    std::vector<std::pair<Facts, std::uint32_t>> disjunctive_;  // candidates, each with the landmark that it precedes
    std::vector<std::pair<std::uint32_t, std::uint32_t>> greedy_;  // orderings: (earlier landmark, later one)
};

}  // namespace

FoundLandmarks find_landmarks(const GroundTask& task, const Relaxation& relaxation, Budget& watch) {
    Finder finder(task, relaxation, watch);
    std::vector<Landmark> landmarks = finder.find();
    return {std::move(landmarks), finder.work()};
}

}  // namespace fsplan
