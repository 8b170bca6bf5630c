// Arithmetic with w = numerator / denominator, exact in integers.
#pragma once

#include "contract/request.hpp"

namespace fsplan {

using Wide = __int128;

inline constexpr std::int64_t kLargestTerm = (std::int64_t{1} << 31) - 1;

// The largest cost c with c <= w * bound.
inline Cost threshold(const Weight& w, Cost bound) {
    if (bound == kInfinite) return kInfinite - 1;
    const Wide product = static_cast<Wide>(w.numerator) * bound / w.denominator;
    return static_cast<Cost>(std::min<Wide>(product, kInfinite - 1));
}

// The least bound with cost <= w * bound.
inline Cost least_bound_within(const Weight& w, Cost cost) {
    if (cost == kInfinite) return kInfinite;
    return static_cast<Cost>((static_cast<Wide>(cost) * w.denominator + w.numerator - 1) / w.numerator);
}

inline bool within(const Weight& w, Cost cost, Cost bound) { return cost <= threshold(w, bound); }

// w itself if its terms are at most `largest`; by default they fit 31 bits, so that denominator * g + numerator * h
// fits 64. Otherwise a fraction below w with such terms, relative error about 2 / largest: a search bounded by it is
// bounded by w.
inline Weight rounded_down(const Weight& w, std::int64_t largest = kLargestTerm) {
    if (w.numerator <= largest && w.denominator <= largest) return w;
    const Wide denominator = std::max<Wide>(1, static_cast<Wide>(largest) * w.denominator / w.numerator);
    const Wide numerator = static_cast<Wide>(w.numerator) * denominator / w.denominator;
    return {static_cast<std::int64_t>(std::min<Wide>(numerator, largest)), static_cast<std::int64_t>(denominator)};
}

// Halfway from w to 1, exactly 1 once w * bound rounds to bound.
inline Weight halved(const Weight& w, Cost bound) {
    const Weight reduced = rounded_down(w);
    const Weight half{reduced.numerator + reduced.denominator, 2 * reduced.denominator};
    return threshold(half, bound) > bound ? half : Weight{1, 1};
}

}  // namespace fsplan
