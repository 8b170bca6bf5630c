// Tests on random graphs: searches in slices, plans and bounds from other searches, and searches that reach their memory limit.
#include "explicit/explicit_graph.hpp"
#include "search/dispatch.hpp"
#include "search/list.hpp"
#include "search/order.hpp"
#include "tests/require.hpp"

using namespace fsplan;

namespace {

constexpr std::uint32_t kFewStates = 40, kManyStates = 5000;
constexpr std::size_t kActions = 4;

// A random graph with an admissible, inconsistent heuristic. State 0 is the initial state, the last one the goal.
class Problem {
public:
    explicit Problem(std::uint64_t seed, std::uint32_t states = kFewStates) : states_(states), random_(mix(seed + 1)) {
        for (std::uint32_t state = 0; state < states_; ++state)
            for (ActionId action = 0; action < kActions; ++action)
                edges_.push_back({state, action, static_cast<Cost>(next(6)), target(state)});
        find_distances();
        for (const Cost distance : distances_)
            h_.push_back(distance == kDeadEnd
                             ? 0
                             : distance - static_cast<Cost>(next(static_cast<std::uint64_t>(distance) + 1)));
        policy_ = std::make_shared<TablePolicy>(std::vector<float>(), kActions, 1);
    }

    Cost optimum() const { return distances_[0]; }
    ExplicitGraph graph() const {
        std::vector<bool> goals(states_, false);
        goals.back() = true;
        return {states_, kActions, 0, goals, edges_};
    }
    HeuristicTable heuristic() const { return {h_, {}, {}, {.admissible = true}}; }
    SearchRequest request(const SearchInfo& search) const {
        SearchRequest request;
        request.search = &search;
        request.order = &Disc2::info;
        request.policy = policy_;
        request.w = {3, 2};
        request.ties = {Tie::h, Tie::newest};
        return request;
    }
    SearchResult solve(const SearchRequest& request) const {
        ExplicitGraph graph = this->graph();
        HeuristicTable heuristic = this->heuristic();
        return run_search(graph, heuristic, request);
    }

private:
    std::uint64_t next(std::uint64_t bound) { return (random_ = mix(random_ + 1)) % bound; }
    // Half of the edges lead to an earlier state or to the state itself, the others at most three states forward, so
    // that plans are long.
    std::uint32_t target(std::uint32_t state) {
        const std::uint64_t to = next(2) == 0 ? next(state + 1) : state + 1 + next(3);
        return std::min<std::uint32_t>(states_ - 1, static_cast<std::uint32_t>(to));
    }
    void find_distances() {
        distances_.assign(states_, kDeadEnd);
        distances_.back() = 0;
        for (bool changed = true; changed;) {
            changed = false;
            for (const ExplicitEdge& edge : edges_)
                if (distances_[edge.to] != kDeadEnd && edge.cost + distances_[edge.to] < distances_[edge.from]) {
                    distances_[edge.from] = edge.cost + distances_[edge.to];
                    changed = true;
                }
        }
    }

    std::uint32_t states_;
    std::uint64_t random_;
    std::vector<ExplicitEdge> edges_;
    std::vector<Cost> distances_;
    std::vector<Cost> h_;
    std::shared_ptr<Policy> policy_;
};

bool proves(const SearchInfo& search) { return search.proves != "nothing"; }

void require_same(const SearchResult& left, const SearchResult& right, const char* what) {
    require(left.status == right.status && left.plan == right.plan && left.cost == right.cost, what);
    require(left.lower_bound == right.lower_bound && left.certified == right.certified, what);
    require(left.statistics.expanded == right.statistics.expanded, what);
    require(left.statistics.evaluated == right.statistics.evaluated, what);
}

// The result does not depend on the length of the slices.
void run_in_slices(const Problem& problem, const SearchInfo& search) {
    for (const bool anytime : {false, true}) {
        SearchRequest request = problem.request(search);
        request.anytime = anytime;
        ExplicitGraph graph = problem.graph();
        HeuristicTable heuristic = problem.heuristic();
        StartedSearch slices(graph, heuristic, request);
        while (slices.run_for(1)) continue;
        require(!slices.run_for(1), "a search that has ended stays so");
        require_same(slices.finish(), problem.solve(request), "slices");
    }
}

// A search that proves w ends immediately if the known plan and bound prove w, and returns this plan.
void start_with_everything(const Problem& problem, const SearchInfo& search) {
    SearchRequest request = problem.request(search);
    const SearchResult best = problem.solve(problem.request(astar_search));
    request.known_bound = best.cost;
    request.known_plan = Incumbent{best.plan, best.cost, 0};
    const SearchResult found = problem.solve(request);
    require(found.certified && found.cost == best.cost && found.lower_bound == best.cost, "everything is known");
    if (proves(search)) require(found.statistics.expanded == 0 && found.plan == best.plan, "nothing is left to do");
}

void start_with_a_bound(const Problem& problem, const SearchInfo& search) {
    SearchRequest request = problem.request(search);
    request.known_bound = problem.optimum();
    const SearchResult found = problem.solve(request);
    require(found.lower_bound == problem.optimum(), "a known bound is reported");
    if (proves(search)) require(found.certified && 2 * found.cost <= 3 * problem.optimum(), "a known bound proves");
}

void start_with_a_plan(const Problem& problem, const SearchInfo& search) {
    const SearchResult greedy = problem.solve(problem.request(gbfs_search));
    SearchRequest request = problem.request(search);
    request.known_plan = Incumbent{greedy.plan, 0, 0};
    const SearchResult found = problem.solve(request);
    require(found.status == Status::solved && found.cost <= greedy.cost, "a known plan counts");
    require(found.lower_bound <= problem.optimum(), "bounds are true");
    if (proves(search)) require(found.certified && 2 * found.cost <= 3 * problem.optimum(), "its quality is proven");
    request.anytime = true;
    if (!search.reads.contains("anytime")) return;
    const SearchResult improved = problem.solve(request);
    require(improved.cost == problem.optimum() && improved.lower_bound == improved.cost, "a known plan is improved");
}

// Greedy search finds plans and the other search proves bounds, in alternating slices, until w is proven.
void share(const Problem& problem, const SearchInfo& search) {
    const auto incumbents = std::make_shared<Incumbents>();
    SearchRequest finding = problem.request(gbfs_search);
    SearchRequest thorough = problem.request(search);
    finding.anytime = true;
    finding.incumbents = thorough.incumbents = incumbents;
    finding.reopen = true;
    ExplicitGraph graphs[] = {problem.graph(), problem.graph()};
    HeuristicTable heuristics[] = {problem.heuristic(), problem.heuristic()};
    StartedSearch finder(graphs[0], heuristics[0], finding);
    StartedSearch prover(graphs[1], heuristics[1], thorough);
    while (prover.run_for(3)) finder.run_for(3);
    const SearchResult found = prover.finish();
    require(incumbents->best().cost <= found.cost && incumbents->best().lower_bound <= problem.optimum(), "shared");
    if (proves(search)) require(found.certified && 2 * found.cost <= 3 * problem.optimum(), "proven together");
}

// Simulates a memory limit that is reached during an expansion, at a given evaluation of the heuristic.
class LastingTable : public HeuristicTable {
public:
    LastingTable(HeuristicTable table, std::uint64_t evaluations)
        : HeuristicTable(std::move(table)), left_(evaluations) {}
    Evaluation evaluate(std::uint32_t state) {
        if (left_ > 0 && --left_ == 0) throw std::bad_alloc();
        return HeuristicTable::evaluate(state);
    }
    Evaluation evaluate_child(std::uint32_t, Cost, ActionId, std::uint32_t child) { return evaluate(child); }

private:
    std::uint64_t left_;
};

// When memory runs out, the search continues depth-first below the open nodes (search/below_frontier.hpp). Its bound
// must be correct, and its plan must be proven to be within w in most cases.
void run_out_of_memory(const Problem& problem, const SearchInfo& search, std::uint64_t evaluations, int& proven) {
    for (const bool anytime : {false, true}) {
        SearchRequest request = problem.request(search);
        request.anytime = anytime;
        ExplicitGraph graph = problem.graph();
        LastingTable heuristic(problem.heuristic(), evaluations);
        StartedSearch started(graph, heuristic, request);
        const SearchResult found = run_to_end(started);
        const bool solvable = problem.optimum() != kDeadEnd;
        require(found.lower_bound <= problem.optimum(), "below the frontier bounds are true");
        if (found.status == Status::unsolvable) require(!solvable, "only what is unsolvable is said to be so");
        if (found.cost != kDeadEnd)
            require(cost_of_plan(graph, found.plan) == found.cost, "below the frontier plans are valid");
        if (found.status == Status::memout) continue;
        ++proven;
        if (!solvable) require(found.status == Status::unsolvable, "what is unsolvable is recognised");
        if (solvable) require(found.certified && 2 * found.cost <= 3 * problem.optimum(), "w is proven");
        if (solvable && anytime) require(found.cost == problem.optimum(), "the plan is optimal in the end");
    }
}

void refuse_wrong_plan(const Problem& problem) {
    SearchRequest request = problem.request(astar_search);
    request.known_plan = Incumbent{{}, 0, 0};
    try {
        problem.solve(request);
    } catch (const std::invalid_argument&) { return; }
    require(false, "a known plan that reaches no goal is refused");
}

}  // namespace

int main() {
    int solvable = 0, out_of_memory = 0, proven = 0;
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        const Problem problem(seed);
        for (const SearchInfo* search : kSearches) {
            if (!proves(*search) || search == &idastar_search) continue;
            run_out_of_memory(problem, *search, 2 + seed % 30, proven);
            out_of_memory += 2;
        }
        if (problem.optimum() == kDeadEnd) continue;
        ++solvable;
        for (const SearchInfo* search : kSearches) {
            run_in_slices(problem, *search);
            start_with_everything(problem, *search);
            start_with_a_bound(problem, *search);
            start_with_a_plan(problem, *search);
            share(problem, *search);
        }
        refuse_wrong_plan(problem);
    }
    require(solvable > 100, "most problems can be solved");
    require(10 * proven > 9 * out_of_memory, "most searches that run out of memory still prove what they promise");
    // These graphs have more states than the depth-first search below the open nodes can store.
    for (std::uint64_t seed = 0; seed < 10; ++seed)
        run_out_of_memory(Problem(seed, kManyStates), astar_search, 50, proven);
}
