// Limited-memory BFGS (Nocedal 1980) with backtracking: minimises a smooth function of many variables.
#pragma once

#include "base/std.hpp"

namespace fsplan {

struct Minimum {
    double value;
    std::size_t steps;
};

// function(x, gradient) returns the value and sets the gradient; x is the starting point and becomes the result.
template <class Function>
class Lbfgs {
public:
    Lbfgs(Function& function, std::vector<double>& x) : function_(function), x_(x), gradient_(x.size()) {}

    // If the function throws, x and minimum() are those of the last complete step.
    void minimise(std::size_t most_steps) {
        value_ = function_(x_, gradient_);
        std::size_t slow = 0;
        while (steps_ < most_steps && slow < 5 && norm(gradient_) > kGradientTolerance) {
            const double before = value_;
            if (!step()) {
                if (pairs_.empty()) break;
                pairs_.clear();
                continue;
            }
            ++steps_;
            slow = before - value_ < kValueTolerance * std::abs(before) ? slow + 1 : 0;
        }
    }
    Minimum minimum() const { return {value_, steps_}; }

private:
    using Vector = std::vector<double>;
    struct Pair {
        Vector step, change;  // differences of x and of the gradient
        double product;
    };
    static constexpr std::size_t kPairs = 8;
    static constexpr double kGradientTolerance = 1e-6;
    static constexpr double kValueTolerance = 1e-5;
    static constexpr int kMostHalvings = 20;

    static double dot(const Vector& left, const Vector& right) {
        double sum = 0;
        for (std::size_t i = 0; i < left.size(); ++i) sum += left[i] * right[i];
        return sum;
    }
    static double norm(const Vector& vector) { return std::sqrt(dot(vector, vector)); }
    static void add(Vector& to, double factor, const Vector& vector) {
        for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * vector[i];
    }

    // Search direction: the estimate of the inverse Hessian times the gradient, by the two-loop recursion.
    Vector direction() const {
        Vector result = gradient_;
        std::vector<double> factors(pairs_.size());
        for (std::size_t i = pairs_.size(); i-- > 0;) {
            factors[i] = dot(pairs_[i].step, result) / pairs_[i].product;
            add(result, -factors[i], pairs_[i].change);
        }
        const double scale = pairs_.empty() ? 1 / norm(gradient_)
                                            : pairs_.back().product / dot(pairs_.back().change, pairs_.back().change);
        for (double& each : result) each *= scale;
        for (std::size_t i = 0; i < pairs_.size(); ++i)
            add(result, factors[i] - dot(pairs_[i].change, result) / pairs_[i].product, pairs_[i].step);
        return result;
    }

    // Takes a step that decreases the function; false if there is none along the direction.
    bool step() {
        const Vector downhill = direction();
        const double slope = dot(downhill, gradient_);
        if (!(slope > 0)) return false;
        Vector next_gradient(x_.size());
        double length = 1;
        for (int halvings = 0; halvings < kMostHalvings; ++halvings, length /= 2) {
            Vector next = x_;
            add(next, -length, downhill);
            const double value = function_(next, next_gradient);
            if (!(value <= value_ - 1e-4 * length * slope)) continue;
            remember(next, next_gradient);
            value_ = value;
            x_.swap(next);
            gradient_.swap(next_gradient);
            return true;
        }
        return false;
    }
    void remember(const Vector& next, const Vector& next_gradient) {
        Pair pair{next, next_gradient, 0};
        add(pair.step, -1, x_);
        add(pair.change, -1, gradient_);
        pair.product = dot(pair.step, pair.change);
        // Pairs without positive curvature are skipped; otherwise the direction might no longer be a descent direction.
        if (pair.product <= 1e-10 * dot(pair.change, pair.change)) return;
        pairs_.push_back(std::move(pair));
        if (pairs_.size() > kPairs) pairs_.pop_front();
    }

    Function& function_;
    Vector& x_;
    Vector gradient_;
    double value_ = 0;
    std::size_t steps_ = 0;
    std::deque<Pair> pairs_;
};

}  // namespace fsplan
