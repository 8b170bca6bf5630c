// XDP and XUP: best-first search by convex keys (Chen and Sturtevant, IJCAI 2019, AAAI 2021).
//
// Weighted A* allows the same suboptimality in all parts of a path: the lines of equal key in the (h, g) plane are
// straight. With a convex key the allowed factor varies from 1 at one end of the path to 2w - 1 at the other, and the
// whole plan is still within w:
//     XDP   Φ = (g + (2w-1)·h + sqrt((g-h)² + 4w·g·h)) / 2w       precise near the start, greedy near the goal
//     XUP   Φ = (g + h + sqrt((g+h)² + 4w(w-1)·h²)) / 2w          greedy near the start, precise near the goal
//
// Bound. Both rise with h. Some open node lies on an optimal path with its optimal g (search_space.hpp), so its h is at
// most C - g with C the optimal cost, and its Φ is at most Φ(g, C-g). That is at most C:
//     XDP   Φ <= C  iff  sqrt(C² + 4(w-1)·g·(C-g)) <= C + 2(w-1)·g, and the square of the right-hand side is
//           C² + 4(w-1)·g·C + 4(w-1)²·g², which is no less;
//     XUP   Φ is greatest at g = 0, where it is (C + C·sqrt(1 + 4w(w-1))) / 2w = (C + C·(2w-1)) / 2w = C.
// So the least Φ of the open nodes is a lower bound. For a goal, h = 0, both keys are g / w. With a consistent h this
// would hold without re-opening; here nodes are re-opened, so h need only be admissible. The key is floor(2n·Φ) for
// w = n / d, exact in integers: the least key k proves the bound ceil(k / 2n), and a goal has the key 2d·g.
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
    // If numerator and denominator have 29 bits, keys fit into 64 bits and the squares below into 128 bits.
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
    .summary = "XDP, a convex key: little suboptimality near the start, more near goals.",
    .proves = "w",
    .open_proves_bound = true,
    .make = [](Run& run) { return steps_of<BestFirst<ConvexKey>>(run, ConvexKey::make(run.request.w, false)); }};

const SearchInfo xup_search{
    .name = "xup",
    .summary = "XUP, a convex key: more suboptimality near the start, little near goals.",
    .proves = "w",
    .open_proves_bound = true,
    .make = [](Run& run) { return steps_of<BestFirst<ConvexKey>>(run, ConvexKey::make(run.request.w, true)); }};

}  // namespace fsplan
