// The orders of FOCAL. An order computes a value of a path, edge by edge, and a key from this value and f; smaller keys
// are expanded first.
//
// Each order is a struct with `info` and `extend(step)`, the value of the path extended by one edge; one with
// parameters has a constructor that reads them. To add an order, write such a struct in a file of the folder orders/
// and add one line to the list below; the build includes all files of that folder.
#pragma once

#include "containers/queues.hpp"
#include "contract/request.hpp"
#include "every_order.hpp"

namespace fsplan {

// An order that calls a function of the user. It has no name, so it is not in the list.
class CustomOrder {
public:
    static constexpr OrderInfo info{
        .name = "", .equation = "", .summary = "", .reading = Reading::log_probabilities, .integer_keys = false};

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

// In the order in which they are listed to users.
// clang-format off: one entry per line
using Orders = OrderList<
    Score1,
    Score2,
    Score3,
    Score4,
    Disc1,
    Disc1Profile,
    Disc2,
    Disc3,
    Disc3Last>;
// clang-format on

class Order {
public:
    Order(const SearchRequest& request, std::size_t action_count)
        : info_(*request.order), one_(Orders::make(request, action_count)) {}

    Reading reading() const { return info_.reading; }
    bool integer_keys() const { return info_.integer_keys; }
    bool needs_policy() const { return !std::holds_alternative<CustomOrder>(one_); }
    // Whether the order reads ranks; otherwise log-probabilities suffice.
    bool needs_ranks() const { return info_.reading != Reading::log_probabilities || !needs_policy(); }

    double extend(const OrderStep& step) const {
        return std::visit([&](const auto& order) { return order.extend(step); }, one_);
    }
    // f = 0 counts as 1, so that its logarithm is finite; tie-breaking by f still puts it first.
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
