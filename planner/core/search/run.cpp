#include "search/run.hpp"

namespace fsplan {

Run::Run(const SearchRequest& asked, SearchSpace& its_space, Evaluator& its_evaluator)
    : request(asked), space(its_space), evaluator(its_evaluator), watch(its_space.watch()),
      admissible_(its_evaluator.admissible()) {
    take_outside_bound(asked.known_bound);
    if (asked.known_plan) accept_plan_of_task({asked.known_plan->plan, space.plan_cost(asked.known_plan->plan), 0});
    take_news();
}

void Run::raise_bound_to_end() {
    if (space.left_out() && !has_plan()) throw std::overflow_error(kPlansTooExpensive);
    raise_bound(kInfinite);
    if (admissible_ && !has_plan()) take_bound(kInfinite);
}

bool Run::accept_plan_of_task(Incumbent found) {
    if (found.cost >= best_.cost) return false;
    if (found.cost < lower_bound_) throw std::invalid_argument(refuted(found.cost));
    take_plan(std::move(found));
    if (request.incumbents) {
        request.incumbents->offer_plan(best_);
        end_of_slice = 0;
    }
    return true;
}

void Run::announce() {
    best_.lower_bound = lower_bound_;
    if (request.on_incumbent) request.on_incumbent(best_);
}

SearchResult Run::finish(std::optional<Status> stopped) {
    SearchResult result;
    result.certified = proven(request.w);
    result.status = status(stopped, result.certified);
    result.plan = std::move(best_.plan);
    result.cost = best_.cost;
    result.lower_bound = lower_bound_;
    result.statistics = statistics();
    result.work = work();
    return result;
}

void Run::take_over() {
    seen_version_ = request.incumbents->version();
    Incumbent news = request.incumbents->best();
    take_outside_bound(news.lower_bound);
    if (news.cost < best_.cost) take_plan(std::move(news));
}

void Run::take_outside_bound(Cost bound) {
    if (bound <= outside_bound_) return;
    outside_bound_ = bound;
    ++changes_;
    take_bound(bound);
}

void Run::take_bound(Cost bound) {
    if (bound <= lower_bound_) return;
    lower_bound_ = bound;
    ++changes_;
    watch.lower_bound = bound;
    if (request.incumbents) request.incumbents->offer_bound(bound);
}

void Run::take_plan(Incumbent found) {
    best_ = std::move(found);
    ++changes_;
    watch.incumbent = best_.cost;
}

std::string Run::refuted(Cost cost) const {
    return "the heuristic is not admissible: by it no plan costs less than " + std::to_string(lower_bound_) +
           ", and one costs " + std::to_string(cost) +
           "; say so (admissible = False) and search without a bound (option uncertified)";
}

Status Run::status(std::optional<Status> stopped, bool certified) const {
    if (stopped && !certified) return *stopped;
    if (has_plan()) return Status::solved;
    return lower_bound_ == kInfinite ? Status::unsolvable : Status::not_found;
}

Statistics Run::statistics() {
    Statistics counts = space.statistics();
    counts.registered = space.size();
    counts.search_seconds = watch.seconds();
    counts.peak_memory_bytes = watch.peak_bytes();
    counts.node_bytes = space.size() == 0 ? 0 : (space.bytes() + evaluator.bytes_of_guides()) / space.size();
    return counts;
}

}  // namespace fsplan
