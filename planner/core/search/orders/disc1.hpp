// Discrepancies weighted by the policy's accuracy. They are counted in units of 2^-24, so that equal paths have equal
// keys in whatever order their steps are added.
#pragma once

#include "contract/request.hpp"
#include "search/info.hpp"

namespace fsplan {

inline constexpr double kDiscrepancyUnit = 1 << 24;

// Disc-1's ratio: the price of following the policy, if a discrepancy costs 1. It is 0 without alternatives (α = 0) or
// with a perfect policy.
inline double discrepancy_ratio(double accuracy, double alpha) {
    if (alpha <= 0 || accuracy >= 1) return 0;
    return std::log(accuracy) / std::log((1 - accuracy) / alpha);
}

class Disc1 {
public:
    static constexpr OrderInfo info{
        .name = "disc1",
        .equation = "N_pref · log(acc) / log((1 - acc) / α) + N_nonpref",
        .summary = "Number of discrepancies, plus a small cost, set by the accuracy, per step that follows the policy.",
        .reading = Reading::first_choice,
        .reads = "accuracy alpha"};

    Disc1(const SearchRequest& request, std::size_t action_count)
        : accuracy_(request.accuracy), count_applicable_(request.alpha == Alpha::applicable) {
        check_accuracy(static_cast<double>(action_count));
        ratio_ = units(static_cast<double>(action_count));
    }
    double extend(const OrderStep& step) const {
        if (step.rank != 0) return step.parent + kDiscrepancyUnit;
        return step.parent + (count_applicable_ ? units(step.applicable) : ratio_);
    }

private:
    void check_accuracy(double actions) const {
        if (!(accuracy_ > 0 && accuracy_ <= 1)) throw std::invalid_argument("disc1 needs an accuracy in (0, 1]");
        if (actions > 1 && accuracy_ <= 1 / actions)
            throw std::invalid_argument(
                "disc1 needs an accuracy above 1/|A|: at or below it the policy's first choice "
                "is no better than any other action");
    }
    // With few applicable actions the accuracy may be below that of a random choice; then following the policy costs as
    // much as a discrepancy, not more.
    double units(double actions) const {
        const double ratio = discrepancy_ratio(accuracy_, actions - 1);
        return std::round((ratio < 0 || ratio > 1 ? 1 : ratio) * kDiscrepancyUnit);
    }

    double accuracy_;
    bool count_applicable_;
    double ratio_ = 0;
};

// Disc-1 with an accuracy that depends on the distance to the goal: the likelihood that the path is the prefix of an
// optimal one, if the policy is right with probability p(d) in a state whose estimated distance is d, its h. A step
// along the policy then costs -log p(d), and one against it -log((1 - p(d)) / α); where p is the same for all d this is
// the order of Disc-1. Example: p is 0.99 near the goal and 0.8 far from it, α = 3. A step against the policy costs 5.7
// near the goal and 2.7 far from it, so the search first deviates from the policy far from the goal.
class Disc1Profile {
public:
    static constexpr OrderInfo info{
        .name = "disc1-profile",
        .equation = "-Σ log p_i, p_i = acc(h(s_i)) or (1 - acc(h(s_i))) / α",
        .summary = "Disc-1 with the policy's accuracy at the estimated distance to the goal.",
        .reading = Reading::first_choice,
        .reads = "alpha",
        .needs_profile = true};

    Disc1Profile(const SearchRequest& request, std::size_t action_count)
        : accuracies_(request.accuracy_profile), actions_(static_cast<double>(action_count)),
          count_applicable_(request.alpha == Alpha::applicable) {
        if (accuracies_.empty()) throw std::invalid_argument("disc1-profile needs the policy's accuracy by distance");
    }
    double extend(const OrderStep& step) const {
        const double accuracy = accuracy_at(step.parent_h);
        const double alpha = std::max(1.0, (count_applicable_ ? step.applicable : actions_) - 1);
        const double likelihood = step.rank == 0 ? accuracy : (1 - accuracy) / alpha;
        return step.parent + std::round(-std::log(likelihood) * kDiscrepancyUnit);
    }

private:
    // The accuracy is kept away from 0 and 1, because it was measured on a few states only.
    double accuracy_at(Cost distance) const {
        const auto last = static_cast<Cost>(accuracies_.size() - 1);
        return std::clamp(accuracies_[static_cast<std::size_t>(std::min(distance, last))], 0.001, 0.999);
    }

    const std::vector<double>& accuracies_;
    double actions_;
    bool count_applicable_;
};

}  // namespace fsplan
