#include "policies/relational/fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "policies/relational/lbfgs.hpp"
#include "policies/relational/weights.hpp"

namespace fsplan::relational {

namespace {

bool is_used(Hash feature, const FitOptions& options) {
    const Block block = block_of(feature);
    return block <= options.last && !(options.relaxed_only && block == Block::colours);
}

// The features in enough tasks, sorted.
std::vector<Hash> shared_features(std::span<const LabelledFeatures* const> tasks, const FitOptions& options) {
    std::unordered_map<Hash, std::uint32_t> count;
    std::vector<Hash> own;
    for (const LabelledFeatures* task : tasks) {
        own = task->features;
        std::sort(own.begin(), own.end());
        own.erase(std::unique(own.begin(), own.end()), own.end());
        for (const Hash feature : own)
            if (is_used(feature, options)) ++count[feature];
    }
    std::vector<Hash> shared;
    for (const auto& [feature, occurrences] : count)
        if (occurrences >= std::min(options.least_tasks, tasks.size())) shared.push_back(feature);
    std::sort(shared.begin(), shared.end());
    return shared;
}

// The states of all tasks over numbered features. A feature that all actions of a state have does not matter there and
// is left out.
class Problem {
public:
    Problem(std::span<const LabelledFeatures* const> tasks, const std::vector<Hash>& features, double l2, WorkWatch& watch)
        : l2_(l2), watch_(watch) {
        for (std::size_t i = 0; i < features.size(); ++i) number_.emplace(features[i], static_cast<std::uint32_t>(i));
        for (const LabelledFeatures* task : tasks)
            for (std::size_t state = 0; state < task->state_count(); ++state) add(*task, state);
        number_.clear();
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
        shared_.clear();
        for (std::uint32_t row = begin; row < end; ++row)
            for (const Hash feature : task.row(row)) ++shared_[feature];
        for (std::uint32_t row = begin; row < end; ++row) {
            for (const Hash feature : task.row(row)) {
                if (shared_[feature] == end - begin) continue;
                const auto found = number_.find(feature);
                if (found != number_.end()) items_.push_back(found->second);
            }
            rows_.push_back(items_.size());
            actions_.push_back(task.actions[row]);
            optimal_.push_back(task.optimal[row]);
        }
        states_.push_back(rows_.size() - 1);
    }

    // The state's loss; its gradient is added.
    double add_state(std::size_t state, const std::vector<double>& weights, std::vector<double>& gradient, double scale) {
        const std::size_t begin = states_[state], count = states_[state + 1] - begin;
        scores_.assign(count, 0.0);
        double greatest = -std::numeric_limits<double>::infinity();
        for (std::size_t row = 0; row < count; ++row) {
            for (std::size_t i = rows_[begin + row]; i < rows_[begin + row + 1]; ++i) scores_[row] += weights[items_[i]];
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
            const double pull = actions_[begin + row] * scores_[row] / all - optimal_[begin + row] * scores_[row] / best;
            if (pull == 0) continue;
            for (std::size_t i = rows_[begin + row]; i < rows_[begin + row + 1]; ++i) gradient[items_[i]] += scale * pull;
        }
        return std::log(all) - std::log(best);
    }

    double l2_;
    WorkWatch& watch_;
    std::unordered_map<Hash, std::uint32_t> number_, shared_;
    std::vector<std::size_t> states_{0}, rows_{0};
    std::vector<std::uint32_t> items_;
    std::vector<float> actions_, optimal_;
    std::vector<double> scores_;
};

// Where the time is up after some steps, these are what there is.
template <class Fitting>
void minimise_in_time(Fitting& fitting, std::size_t most_steps) {
    try {
        fitting.minimise(most_steps);
    } catch (const LimitReached& limit) {
        if (limit.kind != LimitReached::Kind::time || fitting.minimum().steps == 0) throw;
    }
}

}  // namespace

Fitted fit(std::span<const LabelledFeatures* const> tasks, const FitOptions& options, WorkWatch& watch) {
    const std::vector<Hash> features = shared_features(tasks, options);
    Problem problem(tasks, features, options.l2, watch);
    std::vector<double> weights(features.size(), 0.0);
    Lbfgs fitting(problem, weights);
    minimise_in_time(fitting, options.most_steps);
    Fitted fitted{{}, {}, fitting.minimum().value, fitting.minimum().steps};
    for (std::size_t i = 0; i < features.size(); ++i) {
        const auto weight = static_cast<float>(weights[i]);
        if (weight == 0) continue;
        fitted.features.push_back(features[i]);
        fitted.weights.push_back(weight);
    }
    return fitted;
}

std::vector<float> first_choices(const LabelledFeatures& examples, std::span<const Hash> features, std::span<const float> weights) {
    HashTable table(features.size());
    for (std::size_t i = 0; i < features.size(); ++i) table.insert(features[i], weights[i]);
    std::vector<float> chances;
    for (std::size_t state = 0; state < examples.state_count(); ++state) {
        float greatest = -std::numeric_limits<float>::infinity(), actions = 0, optimal = 0;
        for (auto row = examples.states[state]; row < examples.states[state + 1]; ++row) {
            float score = 0;
            for (const Hash feature : examples.row(row)) score += table[feature];
            if (score < greatest - 1e-6F) continue;
            if (score > greatest + 1e-6F) actions = optimal = 0;
            greatest = std::max(greatest, score);
            actions += examples.actions[row];
            optimal += examples.optimal[row];
        }
        chances.push_back(actions > 0 ? optimal / actions : 0);
    }
    return chances;
}

}  // namespace fsplan::relational
