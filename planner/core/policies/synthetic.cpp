#include "policies/synthetic.hpp"

#include "policies/log_softmax.hpp"

namespace fsplan {
namespace {

// Independent streams of random numbers for one seed.
constexpr std::uint64_t kChoiceStream = 0x63686F696365;
constexpr std::uint64_t kDealStream = 0x6465616C;
constexpr std::uint64_t kScoreStream = 0x73636F726573;

double draw(Distribution distribution, Random& random) {
    switch (distribution) {
        case Distribution::uniform: return random.uniform();
        case Distribution::exponential: return random.exponential();
        default: return random.normal();
    }
}

void check(const SyntheticOptions& options) {
    if (!(options.accuracy >= 0 && options.accuracy <= 1)) throw std::invalid_argument("accuracy must lie in 0 … 1");
    if (!(options.scale > 0 && options.scale <= 100))
        throw std::invalid_argument("scale must be positive, at most 100");
}

}  // namespace

SyntheticPolicy::SyntheticPolicy(std::span<const std::int32_t> domain_sizes, std::size_t action_count,
                                 const SyntheticOptions& options)
    : options_(options), action_count_(action_count), table_(domain_sizes) {
    check(options);
}

void SyntheticPolicy::draw_list(std::size_t size, Random random, ScoreList& list) const {
    list.logarithm.resize(size);
    for (float& score : list.logarithm)
        score = static_cast<float>(options_.scale * draw(options_.distribution, random));
    std::ranges::sort(list.logarithm, std::greater<>());
    log_softmax(list.logarithm);
    list.wrong.assign(size, 0.0);
    for (std::size_t j = 1; j < size; ++j) list.wrong[j] = list.wrong[j - 1] + std::exp(double{list.logarithm[j]});
}

const SyntheticPolicy::ScoreList& SyntheticPolicy::shared_list(std::size_t size) {
    const auto [entry, is_new] = shared_.try_emplace(size);
    if (is_new) draw_list(size, Random(options_.seed ^ kScoreStream, size), entry->second);
    return entry->second;
}

const SyntheticPolicy::ScoreList& SyntheticPolicy::scores_for(std::size_t edges, std::uint64_t hash) {
    if (options_.shared) return shared_list(list_size(edges));
    draw_list(list_size(edges), Random(options_.seed ^ kScoreStream, hash), own_);
    return own_;
}

ActionId SyntheticPolicy::draw_optimal(const GraphView& graph, StateId state, Random& random) const {
    std::uint64_t seen = 0;
    ActionId chosen = kNoAction;
    for (std::uint32_t e = graph.edges_begin[state]; e < graph.edges_begin[state + 1]; ++e) {
        // Reservoir sampling: the i-th optimal action replaces the earlier ones with probability 1/i.
        if (graph.is_optimal(state, e) && random.below(++seen) == 0) chosen = graph.actions[e];
    }
    return chosen;
}

std::uint32_t SyntheticPolicy::draw_place(const ScoreList& scores, double accuracy, Random& random) {
    if (random.uniform() < accuracy || scores.wrong.size() == 1) return 0;
    const double drawn = random.uniform() * scores.wrong.back();
    const auto above = std::upper_bound(scores.wrong.begin() + 1, scores.wrong.end(), drawn);
    return static_cast<std::uint32_t>(std::min(above, scores.wrong.end() - 1) - scores.wrong.begin());
}

void SyntheticPolicy::add(const GraphView& graph, StateId state, const std::int32_t* values, double accuracy) {
    if (table_.intern(values).id != state)
        throw std::invalid_argument("two states of the graph have the same integers");
    Choice choice{kNoAction, 0};
    if (graph.has_decision(state)) {
        const std::size_t edges = graph.edges_begin[state + 1] - graph.edges_begin[state];
        Random random(options_.seed ^ kChoiceStream, table_.hash());
        choice.action = draw_optimal(graph, state, random);
        choice.place = draw_place(scores_for(edges, table_.hash()), accuracy, random);
        measure(graph, state, choice, Random(options_.seed ^ kDealStream, table_.hash()));
    }
    choices_.push_back(choice);
}

void SyntheticPolicy::deal(std::span<const ActionId> actions, std::size_t list_size, const Choice& choice,
                           Random random) {
    const bool chosen = choice.action != kNoAction;
    for (std::size_t i = order_.size(); i < list_size; ++i) order_.push_back(static_cast<std::uint32_t>(i));
    places_.resize(actions.size());
    swapped_.clear();
    const std::size_t free = list_size - (chosen ? 1 : 0);
    for (std::size_t i = 0; i < actions.size(); ++i) {
        if (actions[i] == choice.action) {
            places_[i] = choice.place;
            continue;
        }
        // One step of the Fisher–Yates shuffle over the places other than the chosen action's.
        const std::size_t step = swapped_.size();
        if (step == free) throw std::invalid_argument("the state has other actions than the policy was made for");
        const std::size_t other = step + random.below(free - step);
        std::swap(order_[step], order_[other]);
        swapped_.push_back(static_cast<std::uint32_t>(other));
        places_[i] = order_[step] + (chosen && order_[step] >= choice.place ? 1 : 0);
    }
    while (!swapped_.empty()) {
        const std::uint32_t other = swapped_.back();
        swapped_.pop_back();
        std::swap(order_[swapped_.size()], order_[other]);
    }
}

void SyntheticPolicy::measure(const GraphView& graph, StateId state, const Choice& choice, Random random) {
    const std::uint32_t begin = graph.edges_begin[state];
    const std::span<const ActionId> actions{graph.actions + begin, graph.edges_begin[state + 1] - begin};
    deal(actions, list_size(actions.size()), choice, random);
    const auto best = std::ranges::min_element(places_);
    const bool optimal = graph.is_optimal(state, begin + static_cast<std::uint32_t>(best - places_.begin()));
    ++measured_.states;
    measured_.masked += optimal ? 1 : 0;
    measured_.literal += optimal && *best == 0 ? 1 : 0;
}

void SyntheticPolicy::score_in_turn(const PolicyBatch& batch) {
    if (batch.width != table_.width()) throw std::invalid_argument("the policy was made for another task");
    for (std::size_t i = 0; i < batch.size; ++i) {
        const std::uint32_t begin = batch.edges_begin[i];
        const std::span<const ActionId> actions{batch.actions + begin, batch.edges_begin[i + 1] - begin};
        if (actions.empty()) continue;
        const StateId state = table_.find(batch.values + i * batch.width);
        if (state == kNoState) throw std::out_of_range("a state outside the graph the policy was made from");
        const std::uint64_t hash = table_.hash();
        const std::vector<float>& scores = scores_for(actions.size(), hash).logarithm;
        deal(actions, scores.size(), choices_[state], Random(options_.seed ^ kDealStream, hash));
        const std::span<float> out{batch.log_probabilities + begin, actions.size()};
        for (std::size_t e = 0; e < out.size(); ++e) out[e] = scores[places_[e]];
        if (options_.masked) log_softmax(out);
    }
}

}  // namespace fsplan
