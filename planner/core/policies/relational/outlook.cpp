#include "policies/relational/outlook.hpp"

#include <algorithm>

namespace fsplan::relational {

namespace {

constexpr std::size_t kSeenBits = 14;

}  // namespace

Outlook::Outlook(const GroundTask& task)
    : graph_(task), state_(graph_.layout().words), seen_(std::size_t{1} << kSeenBits) {
    WorkWatch watch;
    heuristic_ = make_ground_heuristic("hmax", {task, graph_.layout(), watch});
    heuristic_->want_guide(true);
}

void Outlook::compute(std::span<const std::int32_t> values, std::span<const ActionId> actions, bool with_successors) {
    const GroundTask& task = graph_.task();
    for (std::size_t variable = 0; variable < values.size(); ++variable)
        if (task.layer[variable] < 0)
            graph_.layout().field[variable].set(state_.data(), static_cast<Word>(values[variable]));
    guide_ = heuristic_->evaluate(state_.data()).guide;
    const auto helpful = heuristic_->helpful();
    helpful_.resize(actions.size());
    for (std::size_t edge = 0; edge < actions.size(); ++edge)
        helpful_[edge] = std::binary_search(helpful.begin(), helpful.end(), actions[edge]);
    if (with_successors) evaluate_successors(state_.data(), actions);
}

void Outlook::evaluate_successors(const Word* state, std::span<const ActionId> actions) {
    guides_.assign(actions.size(), kDeadEnd);
    std::size_t edge = 0;
    graph_.successors(state, [&](ActionId action, Cost, const Word* successor) {
        while (edge < actions.size() && actions[edge] < action) ++edge;
        if (edge < actions.size() && actions[edge] == action) guides_[edge] = guide_of(successor);
    });
}

Cost Outlook::guide_of(const Word* state) {
    // Never 0, so that an empty entry is no state's.
    const std::uint64_t hash = hash_words(state, graph_.layout().stored_words * sizeof(Word)) | 1;
    Seen& seen = seen_[hash >> (64 - kSeenBits)];
    if (seen.hash != hash) seen = {hash, heuristic_->evaluate(state).guide};
    return seen.guide;
}

}  // namespace fsplan::relational
