// PrefA*: A* with preferred operators. No bound is promised; what the open nodes prove at the end is reported.
//
// As in the paper: the successor by the preferred action goes to the preferred list, the others to the regular one, and
// the regular list is used only while the other is empty. With `alternate`, Fast Downward's scheme: every successor goes
// to the regular list and preferred ones to both; the lists take turns, and progress in h gives the preferred one the
// next 1000 turns. Both lists are ordered by f.
#pragma once

#include "search/run.hpp"
#include "search/scorer.hpp"
#include "search/ties.hpp"

namespace fsplan {

template <class R>
class PrefAStar {
public:
    explicit PrefAStar(R& run)
        : run_(run), space_(run.space), scorer_(run), ties_(run.request.ties),
          preferred_(ties_.newest()), regular_(ties_.newest()) {
        if (run.request.preferred == Preferred::policy && run.request.policy == nullptr)
            throw std::invalid_argument("prefastar needs a policy, or preferred operators from ff");
    }

    void search() {
        const StateId start = run_.evaluator.add_start();
        run_.prove(space_[start].h());
        if (space_[start].is_open()) push(regular_, start);
        while (drop_stale(preferred_) | drop_stale(regular_)) {
            BucketQueue& queue = next_list();
            const Entry entry = queue.top();
            queue.pop();
            if (run_.hopeless(space_[entry.id])) continue;
            space_[entry.id].become(NodeStatus::closed);
            if (space_.is_goal(entry.id)) {
                if (found(entry.id)) return;
            } else {
                expand(entry.id);
            }
        }
        run_.prove_exhausted();
    }

private:
    // Stale entries must not use up turns. True: a live entry is left.
    bool drop_stale(BucketQueue& queue) {
        while (!queue.empty() && !space_.is_live(queue.top())) queue.pop();
        return !queue.empty();
    }
    BucketQueue& next_list() {
        if (preferred_.empty()) return regular_;
        if (regular_.empty() || !run_.request.alternate) return preferred_;
        const bool turn = preferred_turns_ <= regular_turns_;
        ++(turn ? preferred_turns_ : regular_turns_);
        return turn ? preferred_ : regular_;
    }

    void push(BucketQueue& queue, StateId id) {
        const Node& node = space_[id];
        queue.push(ties_.priority(node.f(), node), {id, node.g});
    }

    void expand(StateId id) {
        note_progress(space_[id].h());
        edges_.clear();
        space_.expand(id, run_.evaluator.at_generation(), [&](const Edge& edge) { edges_.add(edge, space_.improves(id, edge)); });
        space_.keep_open(id);
        choose(id);
        for (const std::uint32_t i : edges_.improving()) {
            const Edge edge = edges_[i];
            if (!space_.relax(id, edge)) continue;
            if (chosen_[i]) push(preferred_, edge.child);
            if (!chosen_[i] || run_.request.alternate) push(regular_, edge.child);
        }
        space_.keep_open(kNoState);
    }

    void choose(StateId id) {
        chosen_.assign(edges_.size(), 0);
        if (edges_.size() == 0) return;
        if (run_.request.preferred == Preferred::policy) {
            chosen_[scorer_.first_choice_improving(id, edges_)] = 1;
            return;
        }
        const auto helpful = run_.evaluator.helpful(id);
        for (std::size_t i = 0; i < edges_.size(); ++i)
            chosen_[i] = std::binary_search(helpful.begin(), helpful.end(), edges_.actions[i]);
    }

    void note_progress(Cost h) {
        if (h >= least_h_) return;
        least_h_ = h;
        if (run_.request.alternate) preferred_turns_ -= kBoost;
    }

    // True: the search ends here.
    bool found(StateId goal) {
        const bool better = run_.accept(goal);
        run_.prove_by_open();
        if (better) run_.announce();
        return !run_.request.anytime || run_.optimal();
    }

    static constexpr std::int64_t kBoost = 1000;
    R& run_;
    decltype(R::space)& space_;
    Scorer<R> scorer_;
    TieRule ties_;
    BucketQueue preferred_;
    BucketQueue regular_;
    EdgeList edges_;
    std::vector<std::uint8_t> chosen_;
    std::int64_t preferred_turns_ = 0;
    std::int64_t regular_turns_ = 0;
    Cost least_h_ = kDeadEnd;
};

struct PrefAStarSearch {
    static constexpr SearchInfo info{
        .name = "prefastar",
        .summary = "A* with preferred operators: fast with a good policy; certified only if the open nodes happen to prove w.",
        .reads = "w policy preferred alternate ties reopen uncertified anytime",
        .proves = "nothing",
        .ties = "h,newest",
        .open_proves_bound = true,
        .needs_policy = [](const SearchRequest& request) { return request.preferred == Preferred::policy; },
        .guide_demand = [](const SearchRequest& request) {
            return request.preferred == Preferred::ff ? GuideDemand::on_demand : guides_of_policy(request, true);
        }};
    template <class R>
    static void search(R& run) {
        PrefAStar<R>(run).search();
    }
};

}  // namespace fsplan
