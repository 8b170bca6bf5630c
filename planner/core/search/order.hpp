// The orders of FOCAL: a value folded over the path and a key made of the value and f, smaller first.
//
// Each order is a struct with `info` and `extend(step)`, the value of the path extended by one edge; one with parameters
// has a constructor that reads them. A further order is such a struct and one line in the list below.
// Logarithms keep the order of the paper's products and quotients and do not underflow. Discrepancies are whole numbers,
// and Disc-1 counts in units of 2^-24, so that equal paths have equal keys in whatever order their steps are added.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <variant>

#include "containers/queues.hpp"
#include "request.hpp"
#include "search/info.hpp"

namespace fsplan {

struct Score1 {
    static constexpr OrderInfo info{.name = "score1",
                                    .equation = "-Π π(a_i|s_i)",
                                    .summary = "The likelihood of the path under the policy; computed as -Σ log π.",
                                    .reading = Reading::log_probabilities,
                                    .integer_keys = false};
    double extend(const OrderStep& step) const { return step.parent - step.log_probability; }
};

struct Score2 : Score1 {
    static constexpr OrderInfo info{.name = "score2",
                                    .equation = "score1 / f",
                                    .summary = "The likelihood of the path over f; computed as log f - Σ log π.",
                                    .reading = Reading::log_probabilities,
                                    .integer_keys = false,
                                    .over_f = true};
};

struct Score3 {
    static constexpr OrderInfo info{.name = "score3",
                                    .equation = "-π(a_n|s_n)",
                                    .summary = "The probability of the last action; computed as -log π.",
                                    .reading = Reading::log_probabilities,
                                    .integer_keys = false};
    double extend(const OrderStep& step) const { return -step.log_probability; }
};

struct Score4 : Score3 {
    static constexpr OrderInfo info{.name = "score4",
                                    .equation = "score3 / f",
                                    .summary = "The probability of the last action over f; computed as log f - log π.",
                                    .reading = Reading::log_probabilities,
                                    .integer_keys = false,
                                    .over_f = true};
};

inline constexpr double kDiscrepancyUnit = 1 << 24;

// Disc-1's ratio. Without alternatives (α = 0) or with a perfect policy, following the policy costs nothing.
inline double discrepancy_ratio(double accuracy, double alpha) {
    if (alpha <= 0 || accuracy >= 1) return 0;
    return std::log(accuracy) / std::log((1 - accuracy) / alpha);
}

class Disc1 {
public:
    static constexpr OrderInfo info{
        .name = "disc1",
        .equation = "N_pref · log(acc) / log((1 - acc) / α) + N_nonpref",
        .summary = "The discrepancies of the path, and a small price, by the policy's accuracy, for each step along it.",
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
            throw std::invalid_argument("disc1 needs an accuracy above 1/|A|: at or below it the policy's first choice "
                                        "is no better than any other action");
    }
    // Applicable actions may be so few that the policy does worse than chance among them; a step along the policy then
    // costs as much as a discrepancy, never more.
    double units(double actions) const {
        const double ratio = discrepancy_ratio(accuracy_, actions - 1);
        return std::round((ratio < 0 || ratio > 1 ? 1 : ratio) * kDiscrepancyUnit);
    }

    double accuracy_;
    bool count_applicable_;
    double ratio_ = 0;
};

// Disc-1 with an accuracy that depends on the distance to the goal: the likelihood that the path is the prefix of an optimal
// one, if the policy is right with probability p(d) in a state whose estimated distance is d, its h. A step along the policy
// then costs -log p(d), and one against it -log((1 - p(d)) / α); where p is the same for all d this is the order of Disc-1.
// Example: p is 0.99 near the goal and 0.8 far from it, α = 3. A step against the policy costs 5.7 near the goal and 2.7 far
// from it: the search doubts the policy's early steps first.
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
    // Neither certain nor hopeless: what was measured on a few states is no proof.
    double accuracy_at(Cost distance) const {
        const auto last = static_cast<Cost>(accuracies_.size() - 1);
        return std::clamp(accuracies_[static_cast<std::size_t>(std::min(distance, last))], 0.001, 0.999);
    }

    const std::vector<double>& accuracies_;
    double actions_;
    bool count_applicable_;
};

struct Disc2 {
    static constexpr OrderInfo info{.name = "disc2",
                                    .equation = "N_nonpref",
                                    .summary = "How often the path left the policy's first choice.",
                                    .reading = Reading::first_choice};
    double extend(const OrderStep& step) const { return step.parent + (step.rank == 0 ? 0 : 1); }
};

struct Disc3 {
    static constexpr OrderInfo info{.name = "disc3",
                                    .equation = "Σ rank(a_i|s_i)",
                                    .summary = "The sum of the ranks of the path's actions.",
                                    .reading = Reading::ranks};
    double extend(const OrderStep& step) const { return step.parent + step.rank; }
};

struct Disc3Last {
    static constexpr OrderInfo info{.name = "disc3-last",
                                    .equation = "rank(a_n|s_n)",
                                    .summary = "The rank of the last action.",
                                    .reading = Reading::ranks};
    double extend(const OrderStep& step) const { return step.rank; }
};

// A function of the user's own. Not in the list: it has no name to choose it by.
class CustomOrder {
public:
    static constexpr OrderInfo info{.name = "",
                                    .equation = "",
                                    .summary = "",
                                    .reading = Reading::log_probabilities,
                                    .integer_keys = false};

    CustomOrder(const SearchRequest& request, std::size_t) : function_(request.custom_order) {
        if (!function_) throw std::invalid_argument("a custom order needs a function");
    }
    double extend(const OrderStep& step) const {
        const double value = function_(step);
        if (!std::isfinite(value)) throw std::invalid_argument("a custom order gave a value that is not finite");
        return value;
    }

private:
    const CustomFunction& function_;
};

template <class... Orders>
struct OrderList {
    using OneOf = std::variant<Orders..., CustomOrder>;
    static constexpr std::array<const OrderInfo*, sizeof...(Orders)> infos{&Orders::info...};

    static OneOf make(const SearchRequest& request, std::size_t action_count) {
        std::optional<OneOf> made;
        ((request.order == &Orders::info && (add<Orders>(made, request, action_count), true)) || ...);
        return made ? std::move(*made) : OneOf(CustomOrder(request, action_count));
    }

private:
    template <class Order>
    static void add(std::optional<OneOf>& made, const SearchRequest& request, std::size_t action_count) {
        if constexpr (std::is_constructible_v<Order, const SearchRequest&, std::size_t>) {
            made.emplace(Order(request, action_count));
        } else {
            made.emplace(Order());
        }
    }
};

using Orders = OrderList<Score1, Score2, Score3, Score4, Disc1, Disc1Profile, Disc2, Disc3, Disc3Last>;

class Order {
public:
    Order(const SearchRequest& request, std::size_t action_count)
        : info_(*request.order), one_(Orders::make(request, action_count)) {}

    Reading reading() const { return info_.reading; }
    bool integer_keys() const { return info_.integer_keys; }
    bool needs_policy() const { return !std::holds_alternative<CustomOrder>(one_); }
    // Otherwise log-probabilities are enough.
    bool needs_ranks() const { return info_.reading != Reading::log_probabilities || !needs_policy(); }

    double extend(const OrderStep& step) const {
        return std::visit([&](const auto& order) { return order.extend(step); }, one_);
    }
    // f = 0 counts as 1: its logarithm must be finite, and ties by f still put it first.
    std::int64_t key(double value, Cost f) const {
        if (info_.integer_keys) return static_cast<std::int64_t>(value);
        if (info_.over_f) value += std::log(std::max<Cost>(f, 1));
        return ordered(value);
    }

private:
    OrderInfo info_;
    Orders::OneOf one_;
};

}  // namespace fsplan
