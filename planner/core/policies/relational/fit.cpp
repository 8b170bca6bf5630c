#include "policies/relational/fit.hpp"

#include "policies/relational/hash_table.hpp"
#include "policies/relational/lbfgs.hpp"

namespace fsplan::relational {

namespace {

// Weights with a smaller absolute value are dropped. These are more than half of all weights and hardly affect scores.
constexpr float kLeastWeight = 0.003F;

bool is_used(Hash feature, const FitOptions& options) {
    return std::ranges::find(options.blocks, block_of(feature)) != options.blocks.end();
}

// The features that occur in at least `least_tasks` tasks, sorted.
std::vector<Hash> shared_features(std::span<const LabelledFeatures* const> tasks, const FitOptions& options) {
    std::vector<Hash> all;  // features of all tasks, once per task
    HashTable<std::uint32_t> own;
    for (const LabelledFeatures* task : tasks) {
        own.clear();
        for (const Hash feature : task->features) {
            if (!is_used(feature, options) || own.find(feature) != nullptr) continue;
            own.insert(feature, 1);
            all.push_back(feature);
        }
    }
    std::ranges::sort(all);
    const std::size_t enough = std::min(options.least_tasks, tasks.size());
    std::vector<Hash> shared;
    for (auto first = all.begin(); first != all.end();) {
        const auto last = std::find_if(first, all.end(), [&](Hash feature) { return feature != *first; });
        if (static_cast<std::size_t>(last - first) >= enough) shared.push_back(*first);
        first = last;
    }
    return shared;
}

// The features that all rows of a state have, sorted as the rows are.
void find_common(const LabelledFeatures& task, std::size_t state, std::vector<Hash>& common) {
    const auto first = task.row(task.states[state]);
    common.assign(first.begin(), first.end());
    for (auto row = task.states[state] + 1; row < task.states[state + 1]; ++row) {
        const auto features = task.row(row);
        const auto end =
            std::set_intersection(common.begin(), common.end(), features.begin(), features.end(), common.begin());
        common.erase(end, common.end());
    }
}

// The states of all tasks over numbered features. A feature that all actions of a state have adds the same to all
// scores, so it is omitted in that state.
class Problem {
public:
    Problem(std::span<const LabelledFeatures* const> tasks, const std::vector<Hash>& features, double l2, Budget& watch)
        : l2_(l2), watch_(watch) {
        for (std::size_t i = 0; i < features.size(); ++i) number_.insert(features[i], static_cast<std::uint32_t>(i));
        for (const LabelledFeatures* task : tasks)
            for (std::size_t state = 0; state < task->state_count(); ++state) add(*task, state);
        number_ = HashTable<std::uint32_t>();
    }

    double operator()(const std::vector<double>& weights, std::vector<double>& gradient) {
        const double scale = 1.0 / static_cast<double>(std::max<std::size_t>(1, states_.size() - 1));
        double loss = 0;
        std::fill(gradient.begin(), gradient.end(), 0.0);
        for (std::size_t state = 0; state + 1 < states_.size(); ++state) {
            watch_.tick();
            loss += add_state(state, weights, gradient, scale);
        }
        double squares = 0;
        for (std::size_t i = 0; i < weights.size(); ++i) {
            squares += weights[i] * weights[i];
            gradient[i] += l2_ * weights[i];
        }
        return loss * scale + l2_ / 2 * squares;
    }

private:
    void add(const LabelledFeatures& task, std::size_t state) {
        const std::uint32_t begin = task.states[state], end = task.states[state + 1];
        find_common(task, state, common_);
        for (std::uint32_t row = begin; row < end; ++row) {
            watch_.tick();
            auto common = common_.begin();
            for (const Hash feature : task.row(row)) {
                while (common != common_.end() && *common < feature) ++common;
                if (common != common_.end() && *common == feature) continue;
                if (const std::uint32_t* number = number_.find(feature)) items_.push_back(*number);
            }
            rows_.push_back(items_.size());
            actions_.push_back(task.actions[row]);
            optimal_.push_back(task.optimal[row]);
        }
        states_.push_back(rows_.size() - 1);
    }

    // Returns the loss of the state and adds its gradient.
    double add_state(std::size_t state, const std::vector<double>& weights, std::vector<double>& gradient,
                     double scale) {
        const std::size_t begin = states_[state], count = states_[state + 1] - begin;
        scores_.assign(count, 0.0);
        double greatest = -std::numeric_limits<double>::infinity();
        for (std::size_t row = 0; row < count; ++row) {
            for (std::size_t i = rows_[begin + row]; i < rows_[begin + row + 1]; ++i)
                scores_[row] += weights[items_[i]];
            greatest = std::max(greatest, scores_[row]);
        }
        double all = 0, best = 0;
        for (std::size_t row = 0; row < count; ++row) {
            scores_[row] = std::exp(scores_[row] - greatest);
            all += actions_[begin + row] * scores_[row];
            best += optimal_[begin + row] * scores_[row];
        }
        best = std::max(best, 1e-300);
        for (std::size_t row = 0; row < count; ++row) {
            const double pull =
                actions_[begin + row] * scores_[row] / all - optimal_[begin + row] * scores_[row] / best;
            if (pull == 0) continue;
            for (std::size_t i = rows_[begin + row]; i < rows_[begin + row + 1]; ++i)
                gradient[items_[i]] += scale * pull;
        }
        return std::log(all) - std::log(best);
    }

    double l2_;
    Budget& watch_;
    HashTable<std::uint32_t> number_;
    std::vector<Hash> common_;
    std::vector<std::size_t> states_{0}, rows_{0};
    std::vector<std::uint32_t> items_;
    std::vector<float> actions_, optimal_;
    std::vector<double> scores_;
};

// If time runs out after at least one step, the result of the steps so far is used.
template <class Fitting>
void minimise_in_time(Fitting& fitting, std::size_t most_steps) {
    try {
        fitting.minimise(most_steps);
    } catch (const LimitReached& limit) {
        if (limit.limit != Limit::time || fitting.minimum().steps == 0) throw;
    }
}

float score_of(const LabelledFeatures& examples, const HashTable<float>& table, std::uint32_t row) {
    float score = 0;
    for (const Hash feature : examples.row(row)) score += table[feature];
    return score;
}

// Keeps the rows of the shortlist: those of highest score that together have enough actions, and all rows that have the
// same score as the last of these.
void keep_shortlist(const LabelledFeatures& examples, const HashTable<float>& table, std::vector<std::uint32_t>& rows) {
    std::vector<std::pair<float, std::uint32_t>> ranked;
    for (const std::uint32_t row : rows) ranked.push_back({-score_of(examples, table, row), row});
    std::ranges::sort(ranked);
    rows.clear();
    float all = 0, kept = 0, last = 0;
    for (const auto& [score, row] : ranked) all += examples.actions[row];
    for (const auto& [score, row] : ranked) {
        if (kept >= static_cast<float>(shortlist_size(static_cast<std::size_t>(all))) && score != last) break;
        rows.push_back(row);
        kept += examples.actions[row];
        last = score;
    }
}

float chance_of_best(const LabelledFeatures& examples, const HashTable<float>& table,
                     const std::vector<std::uint32_t>& rows) {
    float greatest = -std::numeric_limits<float>::infinity(), actions = 0, optimal = 0;
    for (const std::uint32_t row : rows) {
        const float score = score_of(examples, table, row);
        if (score < greatest - 1e-6F) continue;
        if (score > greatest + 1e-6F) actions = optimal = 0;
        greatest = std::max(greatest, score);
        actions += examples.actions[row];
        optimal += examples.optimal[row];
    }
    return actions > 0 ? optimal / actions : 0;
}

}  // namespace

Fitted fit(std::span<const LabelledFeatures* const> tasks, const FitOptions& options, Budget& watch) {
    const std::vector<Hash> features = shared_features(tasks, options);
    Problem problem(tasks, features, options.l2, watch);
    std::vector<double> weights(features.size(), 0.0);
    Lbfgs fitting(problem, weights);
    minimise_in_time(fitting, options.most_steps);
    Fitted fitted{{}, {}, fitting.minimum().value, fitting.minimum().steps};
    for (std::size_t i = 0; i < features.size(); ++i) {
        const auto weight = static_cast<float>(weights[i]);
        if (std::abs(weight) < kLeastWeight) continue;
        fitted.features.push_back(features[i]);
        fitted.weights.push_back(weight);
    }
    return fitted;
}

std::vector<float> first_choices(const LabelledFeatures& examples, std::span<const Hash> features,
                                 std::span<const float> weights, std::span<const float> first_weights) {
    const HashTable<float> table = weight_table(features, weights);
    std::optional<HashTable<float>> first_table;
    if (!first_weights.empty()) first_table = weight_table(features, first_weights);
    std::vector<float> chances;
    std::vector<std::uint32_t> rows;
    for (std::size_t state = 0; state < examples.state_count(); ++state) {
        rows.resize(examples.states[state + 1] - examples.states[state]);
        std::iota(rows.begin(), rows.end(), examples.states[state]);
        if (first_table) keep_shortlist(examples, *first_table, rows);
        chances.push_back(chance_of_best(examples, table, rows));
    }
    return chances;
}

}  // namespace fsplan::relational
