// The orders of FOCAL: a value folded over the path and a key made of the value and f, smaller first.
//
//   score1      -Σ log π                     the likelihood of the path under the policy
//   score2      log f - Σ log π              the same over f
//   score3      -log π of the last action
//   score4      log f - log π of the last action
//   disc1       ratio·N_pref + N_nonpref,    ratio = log acc / log((1 - acc) / α)
//   disc2       N_nonpref                    how often the path left the policy's first choice
//   disc3       Σ rank
//   disc3-last  rank of the last action
// Logarithms keep the order of the paper's products and quotients and do not underflow. Discrepancies are whole numbers,
// and Disc-1 counts in units of 2^-24, so that equal paths have equal keys in whatever order their steps are added.
#pragma once

#include <cmath>
#include <stdexcept>

#include "containers/queues.hpp"
#include "request.hpp"

namespace fsplan {

inline constexpr double kDiscrepancyUnit = 1 << 24;

// Disc-1's ratio. Without alternatives (α = 0) or with a perfect policy, following the policy costs nothing.
inline double discrepancy_ratio(double accuracy, double alpha) {
    if (alpha <= 0 || accuracy >= 1) return 0;
    return std::log(accuracy) / std::log((1 - accuracy) / alpha);
}

// What the order reads of the policy.
inline Reading reading_of(OrderKind kind) {
    if (kind == OrderKind::disc1 || kind == OrderKind::disc2) return Reading::first_choice;
    return kind == OrderKind::disc3 || kind == OrderKind::disc3_last ? Reading::ranks : Reading::log_probabilities;
}

class Order {
public:
    Order(const SearchRequest& request, std::size_t action_count)
        : kind_(request.order), custom_(request.custom_order), accuracy_(request.accuracy),
          count_applicable_(request.alpha == Alpha::applicable) {
        if (kind_ == OrderKind::custom && !custom_) throw std::invalid_argument("a custom order needs a function");
        if (kind_ != OrderKind::disc1) return;
        check_accuracy(static_cast<double>(action_count));
        ratio_ = units(static_cast<double>(action_count));
    }

    bool integer_keys() const { return kind_ >= OrderKind::disc1 && kind_ != OrderKind::custom; }
    bool needs_policy() const { return kind_ != OrderKind::custom; }
    // Otherwise it is enough to know which action is the first choice.
    bool needs_ranks() const { return kind_ >= OrderKind::disc3; }

    // The value of the path extended by one edge.
    double extend(const OrderStep& step) const {
        switch (kind_) {
            case OrderKind::score1:
            case OrderKind::score2: return step.parent - step.log_probability;
            case OrderKind::score3:
            case OrderKind::score4: return -step.log_probability;
            case OrderKind::disc1: return step.parent + (step.rank == 0 ? preferred(step) : kDiscrepancyUnit);
            case OrderKind::disc2: return step.parent + (step.rank == 0 ? 0 : 1);
            case OrderKind::disc3: return step.parent + step.rank;
            case OrderKind::disc3_last: return step.rank;
            case OrderKind::custom: break;
        }
        const double value = custom_(step);
        if (!std::isfinite(value)) throw std::invalid_argument("a custom order gave a value that is not finite");
        return value;
    }

    // f = 0 counts as 1: its logarithm must be finite, and ties by f still put it first.
    std::int64_t key(double value, Cost f) const {
        if (integer_keys()) return static_cast<std::int64_t>(value);
        if (kind_ == OrderKind::score2 || kind_ == OrderKind::score4) value += std::log(std::max<Cost>(f, 1));
        return ordered(value);
    }

private:
    void check_accuracy(double actions) const {
        if (!(accuracy_ > 0 && accuracy_ <= 1)) throw std::invalid_argument("disc1 needs an accuracy in (0, 1]");
        if (actions > 1 && accuracy_ <= 1 / actions)
            throw std::invalid_argument("disc1 needs an accuracy above 1/|A|: at or below it the policy's first choice "
                                        "is no better than any other action");
    }
    // Applicable actions may be so few that the policy does worse than chance among them; a step along the policy then
    // costs as much as a discrepancy, never more.
    double units(double actions) const {
        const double ratio = discrepancy_ratio(accuracy_, actions - 1);
        return std::round((ratio < 0 || ratio > 1 ? 1 : ratio) * kDiscrepancyUnit);
    }
    double preferred(const OrderStep& step) const { return count_applicable_ ? units(step.applicable) : ratio_; }

    OrderKind kind_;
    const CustomOrder& custom_;
    double accuracy_;
    bool count_applicable_;
    double ratio_ = 0;
};

}  // namespace fsplan
