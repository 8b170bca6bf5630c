#include "search/dispatch.hpp"

namespace fsplan {

GuideDemand checked_demand(const SearchRequest& request, const HeuristicProperties& heuristic) {
    const Weight& w = request.w;
    if (w.denominator < 1 || w.numerator < w.denominator) throw std::invalid_argument("w must be at least 1");
    if (request.search == nullptr) throw std::invalid_argument("no search was chosen");
    if (!heuristic.admissible && !request.uncertified && request.search->needs_admissible)
        throw std::invalid_argument(
            "this heuristic is not admissible, so it proves no bound: choose an admissible one "
            "or do without a bound: --uncertified (uncertified=True)");
    return request.search->guide_demand(request);
}

bool SlicedRun::run_for(std::uint64_t work) {
    if (ended_) return false;
    try {
        if (!steps_) steps_ = make_steps();
        run_.end_of_slice = work == kUnlimited ? kUnlimited : run_.work() + work;
        ended_ = !steps_->run();
    } catch (const LimitReached& reached) { reached_limit(status_of(reached.limit)); } catch (const std::bad_alloc&) {
        if (!go_below_frontier()) stop_with(Status::memout);
    }
    return !ended_;
}

SearchResult SlicedRun::finish() {
    steps_.reset();
    return run_.finish(stopped_);
}

std::unique_ptr<Steps> SlicedRun::make_steps() {
    return below_frontier_ ? run_.space.below_frontier(run_) : run_.request.search->make(run_);
}

void SlicedRun::reached_limit(Status status) {
    if (status == Status::memout && go_below_frontier()) return;
    stop_with(status);
    if (run_.request.search->open_proves_bound && !below_frontier_) run_.raise_bound_by_open();
}

// Continues below the frontier, if the bound can still rise without further memory.
bool SlicedRun::go_below_frontier() {
    if (below_frontier_ || run_.request.ends_without_memory || run_.request.search->proves == "nothing") return false;
    if (!run_.evaluator.admissible() || !run_.space.bound_valid() || run_.space.size() == 0) return false;
    below_frontier_ = true;
    steps_.reset();  // frees the memory of the queues
    return true;
}

void SlicedRun::stop_with(Status status) {
    stopped_ = status;
    ended_ = true;
}

}  // namespace fsplan
