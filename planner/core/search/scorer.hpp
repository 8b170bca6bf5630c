// Calls the policy for the edges of a node: one state at a time or, for policies with a high cost per call, several at
// once. Scores computed in advance are stored until their node is expanded.
//
// Without masking, as in the paper, the policy ranks all actions of the task, applicable or not. Example: it gives four
// actions the probabilities 0.5, 0.3, 0.15 and 0.05, and only the second and the fourth are applicable. Then no edge is
// the first choice, and the edges have the ranks 1 and 3. With masking, they have the ranks 0 and 1. The list of
// actions that the policy scores begins with the edges; all other actions follow by ascending number.
#pragma once

#include "contract/policy.hpp"
#include "search/first_choice.hpp"
#include "search/run.hpp"

namespace fsplan {

class Scorer {
public:
    static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

    // With improving_only, edges to states that have a path of at most the same cost rank last.
    explicit Scorer(Run& run, Reading reading = Reading::first_choice, bool improving_only = false)
        : run_(run), space_(run.space), evaluator_(run.evaluator), policy_(run.request.policy.get()),
          width_(run.space.width()), guided_(policy_ != nullptr && policy_->needs_guide()),
          finds_first_choice_(HelpfulFirstChoice::applies(run)), first_choice_(run), reading_(reading),
          improving_only_(improving_only),
          unmasked_(policy_ != nullptr && !run.request.masked && !policy_->is_well_defined()),
          shares_ties_(policy_ != nullptr && policy_->shares_ties()) {}

    // Number of states per call of the policy. It is 1 for policies that read guides, because these need evaluated
    // successors.
    std::size_t batch(std::size_t asked) const {
        if (policy_ == nullptr || guided_) return 1;
        return std::max<std::size_t>(1, asked == 0 ? policy_->preferred_batch() : asked);
    }
    bool knows(StateId id) const { return answers_.contains(id); }
    // Whether the policy needs only the labels of the edges, not the children.
    bool reads_labels_only() const { return !guided_; }

    // Whether several edges may be first choices.
    bool shares_ties() const { return shares_ties_; }

    // One log-probability per edge; zeros without a policy. If only ranks or the first choice are read (Reading), the
    // policy may return other scores that have the same order or the same maximum.
    std::span<const float> score(StateId id, const EdgeList& edges) {
        list_asked(edges);
        if (policy_ == nullptr) {
            scores_.assign(edges.size(), 0.0F);
        } else if (answers_.empty() || !take_answer(id)) {
            if (guided_) add_guides(id, edges);
            ask(id, edges);
        }
        if (improving_only_) put_others_last(id, edges);
        return {scores_.data(), edges.size()};
    }
    // Scores of the last state: of its edges and, if unmasked, of all other actions.
    std::span<const float> all_scores() const { return scores_; }

    // The first choice; with improving_only, it is an improving edge if there is one.
    std::size_t first_choice_improving(StateId id, const EdgeList& edges) {
        if (finds_first_choice_) {
            const auto allowed = [&](const Edge& edge) { return may_be_chosen(id, edge); };
            const std::size_t choice = first_choice_.find(id, edges, allowed);
            if (choice < edges.size() || edges.size() == 0) {
                count(1);
                return choice;
            }
        }
        return first_choice(score(id, edges));
    }

    // Per edge, whether its action is helpful in the node's state.
    void mark_helpful(StateId id, const EdgeList& edges, std::vector<std::uint8_t>& marks) {
        const auto helpful = evaluator_.helpful(id);
        marks.resize(edges.size());
        for (std::size_t i = 0; i < edges.size(); ++i) marks[i] = std::ranges::binary_search(helpful, edges.actions[i]);
    }

    // Scores the edges of several nodes in one call and stores the scores.
    void prepare(const std::vector<StateId>& ids) {
        actions_.clear();
        costs_.clear();
        ends_.assign(1, 0);
        values_.resize(ids.size() * width_);
        for (std::size_t i = 0; i < ids.size(); ++i) {
            space_.values(ids[i], std::span(values_).subspan(i * width_, width_));
            space_.labels(ids[i], [&](ActionId action, Cost cost) {
                actions_.push_back(action);
                costs_.push_back(cost);
            });
            if (unmasked_) add_others(ends_.back());
            ends_.push_back(static_cast<std::uint32_t>(actions_.size()));
        }
        scores_.assign(actions_.size(), 0.0F);
        call({ids.size(), width_, values_.data(), ends_.data(), actions_.data(), costs_.data(), nullptr, nullptr,
              scores_.data(), nullptr, reading_});
        for (std::size_t i = 0; i < ids.size(); ++i)
            answers_[ids[i]].assign(scores_.begin() + ends_[i], scores_.begin() + ends_[i + 1]);
    }

    // Edges by descending score, at most this many; ties are broken by the lower action number.
    std::span<const std::int32_t> best_first(std::span<const float> scores, std::size_t most = kAll) {
        by_rank_.resize(scores.size());
        std::iota(by_rank_.begin(), by_rank_.end(), 0);
        const auto end = by_rank_.begin() + static_cast<std::ptrdiff_t>(std::min(most, scores.size()));
        std::partial_sort(by_rank_.begin(), end, by_rank_.end(), [&](std::int32_t left, std::int32_t right) {
            return scores[left] != scores[right] ? scores[left] > scores[right] : left < right;
        });
        return {by_rank_.begin(), end};
    }
    // Rank of each edge under the last scores: the number of actions with a greater score.
    std::span<const std::int32_t> rank(std::span<const float> scores) {
        ranks_.resize(scores.size());
        if (unmasked_ || shares_ties_) {
            for (std::size_t edge = 0; edge < scores.size(); ++edge) ranks_[edge] = count_better(edge);
        } else {
            best_first(scores);
            for (std::size_t place = 0; place < by_rank_.size(); ++place)
                ranks_[by_rank_[place]] = static_cast<std::int32_t>(place);
        }
        return ranks_;
    }
    // Index of the first choice; the number of edges if it is an action that is not applicable (unmasked only).
    std::size_t first_choice(std::span<const float> scores) const {
        const auto best = static_cast<std::size_t>(std::ranges::max_element(scores) - scores.begin());
        return unmasked_ && best < scores.size() && count_better(best) > 0 ? scores.size() : best;
    }

private:
    // Lists the actions that the policy must score.
    void list_asked(const EdgeList& edges) {
        if (!unmasked_) return;
        actions_.assign(edges.actions.begin(), edges.actions.begin() + static_cast<std::ptrdiff_t>(edges.size()));
        costs_.assign(edges.costs.begin(), edges.costs.begin() + static_cast<std::ptrdiff_t>(edges.size()));
        add_others(0);
    }
    // Appends all actions that do not occur in the list from index `begin` on.
    void add_others(std::size_t begin) {
        const std::size_t end = actions_.size();
        for (ActionId action = 0; action < space_.action_count(); ++action) {
            while (begin < end && actions_[begin] < action) ++begin;
            if (begin == end || actions_[begin] != action) actions_.push_back(action);
        }
        costs_.resize(actions_.size(), 0);
    }
    std::int32_t count_better(std::size_t edge) const {
        std::int32_t better = 0;
        for (std::size_t other = 0; other < scores_.size(); ++other) {
            const bool tie = !shares_ties_ && scores_[other] == scores_[edge] &&
                             (unmasked_ ? actions_[other] < actions_[edge] : other < edge);
            better += scores_[other] > scores_[edge] || tie ? 1 : 0;
        }
        return better;
    }
    bool take_answer(StateId id) {
        const auto found = answers_.find(id);
        if (found == answers_.end()) return false;
        scores_.swap(found->second);
        answers_.erase(found);
        return true;
    }
    void add_guides(StateId id, const EdgeList& edges) {
        mark_helpful(id, edges, helpful_);
        add_heuristics(id, edges);
        const bool all = evaluator_.demand() == GuideDemand::all;
        if (!ask_guides(edges, all) && !all) ask_guides(edges, true);
    }
    // Sets the h-values that the policy reads; edges that may not be chosen get kDeadEnd.
    void add_heuristics(StateId id, const EdgeList& edges) {
        heuristics_.resize(edges.size());
        for (std::size_t i = 0; i < edges.size(); ++i)
            heuristics_[i] = may_be_chosen(id, edges[i]) ? space_[edges.children[i]].h() : kDeadEnd;
    }
    // Computes the guides of all edges or of the helpful ones; returns false if all of these lead to dead ends.
    bool ask_guides(const EdgeList& edges, bool all) {
        bool alive = false;
        guides_.assign(edges.size(), kDeadEnd);
        for (std::size_t i = 0; i < edges.size(); ++i) {
            if (heuristics_[i] == kDeadEnd || !(all || helpful_[i])) continue;
            guides_[i] = evaluator_.guide(edges.children[i]);
            alive = alive || guides_[i] != kDeadEnd;
        }
        return alive;
    }
    bool may_be_chosen(StateId id, const Edge& edge) const {
        return space_[edge.child].h() != kDeadEnd && (!improving_only_ || space_.improves(id, edge));
    }
    void put_others_last(StateId id, const EdgeList& edges) {
        for (std::size_t i = 0; i < edges.size(); ++i)
            if (!space_.improves(id, edges[i])) scores_[i] = std::numeric_limits<float>::lowest();
    }
    // Calls the policy for one node. For policies that read guides, guides_, helpful_ and heuristics_ describe the
    // edges.
    std::span<const float> ask(StateId id, const EdgeList& edges) {
        const std::size_t asked = unmasked_ ? actions_.size() : edges.size();
        scores_.resize(asked);
        if (policy_->needs_values()) {
            if (values_.size() < width_) values_.resize(width_);
            space_.values(id, std::span(values_.data(), width_));
        }
        const std::uint32_t ends[] = {0, static_cast<std::uint32_t>(asked)};
        call({1, width_, values_.data(), ends, unmasked_ ? actions_.data() : edges.actions.data(),
              unmasked_ ? costs_.data() : edges.costs.data(), guides_.data(), helpful_.data(), scores_.data(),
              heuristics_.data(), reading_});
        return scores_;
    }
    void count(std::size_t states) {
        ++space_.statistics().policy_calls;
        space_.statistics().policy_evaluations += states;
    }
    void call(const PolicyBatch& batch) {
        const std::uint64_t before = policy_->work();
        policy_->score(batch);
        run_.work_of_search += policy_->work() - before + kWorkOfState * batch.size + kWorkOfEdge * scores_.size();
        count(batch.size);
        // Values outside [kLogZero, 0], NaN among them, are replaced, so that a faulty policy cannot break the search.
        for (float& score : scores_) score = score > kLogZero ? std::min(score, 0.0F) : kLogZero;
    }

    static constexpr std::uint64_t kWorkOfEdge = 10;

    Run& run_;
    SearchSpace& space_;
    Evaluator& evaluator_;
    Policy* policy_;
    std::size_t width_;
    bool guided_;
    bool finds_first_choice_;
    HelpfulFirstChoice first_choice_;
    Reading reading_;
    bool improving_only_;
    bool unmasked_;
    bool shares_ties_;
    std::unordered_map<StateId, std::vector<float>> answers_;
    std::vector<std::int32_t> values_;
    std::vector<ActionId> actions_;
    std::vector<Cost> costs_;
    std::vector<std::uint32_t> ends_;
    std::vector<Cost> guides_;
    std::vector<Cost> heuristics_;
    std::vector<std::uint8_t> helpful_;
    std::vector<float> scores_;
    std::vector<std::int32_t> by_rank_;
    std::vector<std::int32_t> ranks_;
};

}  // namespace fsplan
