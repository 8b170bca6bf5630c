// XDP and XUP: best-first search by convex keys (Chen and Sturtevant, IJCAI 2019, AAAI 2021).
//
// Weighted A* demands the same precision of a path everywhere: its lines of equal key are straight. A convex key lets
// it vary, from 1 at one end of the path to 2w - 1 at the other, and still is within w in total:
//     XDP   Φ = (g + (2w-1)·h + sqrt((g-h)² + 4w·g·h)) / 2w       precise near the start, greedy near the goal
//     XUP   Φ = (g + h + sqrt((g+h)² + 4w(w-1)·h²)) / 2w          greedy near the start, precise near the goal
//
// Bound. Both rise with h. Some open node lies on an optimal path with its optimal g (search_space.hpp), so its h is at
// most C - g with C the optimal cost, and its Φ is at most Φ(g, C-g). That is at most C:
//     XDP   Φ <= C  iff  sqrt(C² + 4(w-1)·g·(C-g)) <= C + 2(w-1)·g, and the square of the right-hand side is
//           C² + 4(w-1)·g·C + 4(w-1)²·g², which is no less;
//     XUP   Φ is greatest at g = 0, where it is (C + C·sqrt(1 + 4w(w-1))) / 2w = (C + C·(2w-1)) / 2w = C.
// So the least Φ of the open nodes is a lower bound; for a goal, h = 0, Φ is g / w in both. With a consistent h no
// state would have to be re-opened for this; with re-opening, as here, h need only be admissible. The key is
// floor(2n·Φ) for w = n / d, exact in integers: the least key k proves ceil(k / 2n), and a goal has 2d·g.
#include "search/best_first.hpp"
#include "search/steps.hpp"

namespace fsplan {

namespace {

inline std::int64_t floor_of_root(Wide square) {
    auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(square)));
    while (Wide{root} * root > square) --root;
    while (Wide{root + 1} * (root + 1) <= square) ++root;
    return root;
}

struct ConvexKey {
    std::int64_t numerator;
    std::int64_t denominator;
    bool upward;

    std::int64_t operator()(StateId, const Node& node) const {
        return upward ? up(node.g, node.h()) : down(node.g, node.h());
    }
    Cost implied_bound(std::int64_t key) const { return bound_of_key(key, 2 * numerator); }
    ConvexKey for_weight(const Weight& asked) const { return make(asked, upward); }
    // With terms of 29 bits keys fit 64 bits, and the squares below 128.
    static ConvexKey make(const Weight& asked, bool upward) {
        const Weight w = rounded_down(asked, (std::int64_t{1} << 29) - 1);
        return {w.numerator, w.denominator, upward};
    }

private:
    std::int64_t down(std::int64_t g, std::int64_t h) const {
        const Wide difference = Wide{denominator} * (g - h);
        const Wide product = Wide{denominator} * g * (Wide{numerator} * h);
        return denominator * g + (2 * numerator - denominator) * h +
               floor_of_root(difference * difference + 4 * product);
    }
    std::int64_t up(std::int64_t g, std::int64_t h) const {
        const Wide sum = Wide{denominator} * (g + h);
        const Wide product = Wide{numerator} * h * (Wide{numerator - denominator} * h);
        return denominator * (g + h) + floor_of_root(sum * sum + 4 * product);
    }
};

}  // namespace

const SearchInfo xdp_search{
    .name = "xdp",
    .summary = "Best-first by a convex key: precise near the start, greedy near the goal.",
    .proves = "w",
    .open_proves_bound = true,
    .make = [](Run& run) { return steps_of<BestFirst<ConvexKey>>(run, ConvexKey::make(run.request.w, false)); }};

const SearchInfo xup_search{
    .name = "xup",
    .summary = "Best-first by a convex key: greedy near the start, precise near the goal.",
    .proves = "w",
    .open_proves_bound = true,
    .make = [](Run& run) { return steps_of<BestFirst<ConvexKey>>(run, ConvexKey::make(run.request.w, true)); }};

}  // namespace fsplan
