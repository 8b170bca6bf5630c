// IDA*: depth-first passes with a growing limit on f. A pass without a goal proves the least f above its limit as a
// lower bound, which is the limit of the next pass. One step is one pass.
#include "search/depth_first.hpp"
#include "search/steps.hpp"

namespace fsplan {

namespace {

class IdaStar {
public:
    explicit IdaStar(Run& run)
        : run_(run), counts_(run.space.statistics()), passes_(run.space.depth_first_passes(counts_, true)) {
        if (!passes_)
            throw std::invalid_argument("idastar needs a task with cheap states (puzzles, explicit graphs); use astar");
    }

    bool step() {
        run_.take_news();
        limit_ = std::max({limit_, passes_->start_h(), run_.lower_bound()});
        if (limit_ >= run_.cost()) return run_.raise_bound_to_end(), false;
        run_.raise_bound(limit_);
        run_.watch.f_min = limit_;
        if (run_.finished()) return false;
        return goes_on_after(passes_->pass(limit_, nodes_left()));
    }

private:
    bool goes_on_after(PassEnd end) {
        if (end == PassEnd::too_deep)
            throw std::length_error("idastar: a path of 20000 actions, or as many as the stack holds; use astar");
        if (end == PassEnd::out_of_nodes) throw LimitReached{Limit::expansions};
        if (end == PassEnd::finished) {
            limit_ = passes_->next();
            return true;
        }
        run_.accept_plan(passes_->plan());
        run_.announce();
        return false;
    }
    std::uint64_t nodes_left() const {
        const std::uint64_t most = run_.request.expansion_limit;
        return most == 0 ? kAllNodes : most - counts_.expanded;
    }

    Run& run_;
    Statistics& counts_;
    std::unique_ptr<DepthFirstPasses> passes_;
    Cost limit_ = 0;
};

}  // namespace

const SearchInfo idastar_search{
    .name = "idastar",
    .summary = "IDA*, for puzzles and explicit graphs: an optimal plan, without storing states.",
    .reads = "uncertified",
    .proves = "optimal",
    .defaults = "w=1/1",
    .make = [](Run& run) { return steps_of<IdaStar>(run); }};

}  // namespace fsplan
