// DSWA*, Dynamic Suboptimality Weighted A*: best-first search by a convex key that is defined while the search runs (Hami
// and Sturtevant, AAAI 2025).
//
// The key Φ(h, g) is given by its isoline Φ = 1 in the plane of h and g, a polygon from (1, 0) to (0, w); Φ of another
// node is found on its ray from (0, 0). Weighted A*'s isoline is the straight line between these points, those of XDP and
// XUP (convex.cpp) are curves. Here the polygon is known up to the greatest slope g / h that was generated. When an
// expansion generates a greater one, the polygon is continued to that ray by one segment, g + v·h = constant. The range
// of v keeps the polygon between the lines g + h = w and g + (2w-1)·h = w through its end, and v between 1 and 2w-1.
// Within the range, v is chosen so that the new node's key is as close as possible to a target, the least key of the open
// nodes minus c·(w-1)/2w, with c the cost of the action: the rule that the authors' program calls ECBP. The initial
// state has no such target, and takes the least v. Keys of nodes in the queue do not change, because their slopes are known.
//
// Bound. Φ rises with h, and v >= 1, so the polygon is nowhere below the line g + h = 1. Some open node lies on an optimal
// path with its optimal g (search_space.hpp), so its h is at most C - g with C the optimal cost, and its Φ is at most
// Φ(C-g, g) <= C. So the least Φ of the open nodes is a lower bound, and a goal, h = 0, has Φ = g / w. As in convex.cpp,
// nodes are re-opened, so h need only be admissible. Points are integers, in which v >= 1 is exact, and the key is
// floor(64n·Φ) for w = n / d: the least key k proves ceil(k / 64n), and a goal has 64d·g.
#include "search/loop.hpp"
#include "search/steps.hpp"

namespace fsplan {

namespace {

inline Wide floor_of(Wide numerator, Wide positive) {
    return numerator / positive - (numerator % positive < 0 ? 1 : 0);
}
inline Wide ceil_of(Wide numerator, Wide positive) { return -floor_of(-numerator, positive); }

struct Point {
    std::int64_t h;
    std::int64_t g;
};

class Isoline {
public:
    explicit Isoline(const Weight& asked) : w_(rounded_down(asked, kLargest)) {
        unit_ = w_.denominator * (kUnit / w_.denominator);
        end_ = w_.numerator * (kUnit / w_.denominator);
        points_.push_back({unit_, 0});
    }

    // Whether g / h is greater; h = 0 is infinitely steep.
    static bool is_steeper(Point one, Point other) { return Wide{one.g} * other.h > Wide{other.g} * one.h; }
    // Factor between the integer keys and Φ.
    std::int64_t scale() const { return kScale * w_.numerator; }
    bool reaches(Point node) const { return !is_steeper(node, points_.back()); }
    std::int64_t key(Point node) const {
        const auto next = std::ranges::partition_point(points_, [&](Point each) { return is_steeper(node, each); });
        if (next == points_.begin()) return scale() * node.h;
        const Point from = *(next - 1), to = *next;
        const Wide above = Wide{node.h} * (to.g - from.g) + Wide{node.g} * (from.h - to.h);
        const Wide area = Wide{from.h} * to.g - Wide{to.h} * from.g;
        return static_cast<std::int64_t>(Wide{scale()} * unit_ * above / area);
    }
    // Continues the polygon to the ray of the node. `target`: least key of the open nodes; `drop`: cost c of the action.
    void extend(Point node, std::optional<std::int64_t> target, Cost drop) {
        if (reaches(node)) return;
        const std::int64_t v = weight(node, target, drop);
        const Point last = points_.back();
        Point next{node.h, 0};
        next.h = static_cast<std::int64_t>(Wide{node.h} * (kParts * last.g + Wide{v} * last.h) /
                                           (Wide{kParts} * node.g + Wide{v} * node.h));
        next.h = std::min(next.h, last.h - 1);
        next.g = next.h == 0 ? end_ : static_cast<std::int64_t>(ceil_of(Wide{node.g} * next.h, node.h));
        next.g = std::max(next.g, last.g + last.h - next.h);  // v >= 1
        if (next.g + next.h > end_) {
            next.h = static_cast<std::int64_t>(Wide{end_} * node.h / (node.g + node.h));
            next.g = end_ - next.h;
        }
        points_.push_back(next);
    }

private:
    static constexpr std::int64_t kLargest = (1 << 12) - 1;  // largest term of w: products below fit 128 bits
    static constexpr std::int64_t kUnit = 1 << 24;  // coordinates of the polygon are multiples of about 1 / kUnit
    static constexpr std::int64_t kScale = 64;
    static constexpr std::int64_t kParts = 256;  // v is a multiple of 1 / kParts

    // Returns v, multiplied by kParts.
    std::int64_t weight(Point node, std::optional<std::int64_t> target, Cost drop) const {
        const Point last = points_.back();
        const Wide n = w_.numerator, d = w_.denominator, most = 2 * n - d;
        const Wide low_line = node.g * d + node.h * most;
        const Wide low =
            ceil_of(kParts * (end_ * node.g * d - last.g * low_line), last.h * low_line - end_ * node.h * d);
        const Wide least = std::max<Wide>(low, kParts);
        if (!target) return static_cast<std::int64_t>(least);
        Wide greatest = kParts * most / d;
        const Wide high_line = Wide{node.g} + node.h;
        if (const Wide run = last.h * high_line - Wide{end_} * node.h; run > 0)
            greatest = std::min(greatest, floor_of(kParts * (Wide{end_} * node.g - last.g * high_line), run));
        return static_cast<std::int64_t>(std::max(least, std::min(greatest, towards(node, *target, drop))));
    }
    // The v for which the key of the node is the target minus the drop.
    Wide towards(Point node, std::int64_t target, Cost drop) const {
        const Point last = points_.back();
        const Wide aim = Wide{target} - kScale * (w_.numerator - w_.denominator) * Wide{drop} / 2;
        const Wide rise = Wide{scale()} * unit_ * node.g - aim * last.g,
                   run = aim * last.h - Wide{scale()} * unit_ * node.h;
        if (rise <= 0) return 0;
        return run <= 0 ? kParts * 2 * w_.numerator : floor_of(kParts * rise, run);
    }

    Weight w_;
    std::int64_t unit_ = 0;  // integer coordinate h of the point (1, 0)
    std::int64_t end_ = 0;   // integer coordinate g of the point (0, w)
    std::vector<Point> points_;
};

struct IsolineKey {
    static constexpr const char* kName = "least Φ";
    const Isoline* isoline;

    std::int64_t operator()(StateId, const Node& node) const { return isoline->key({node.h(), node.g}); }
};

class Dswa : public Loop<Dswa> {
    using Base = Loop<Dswa>;
    friend Base;

public:
    explicit Dswa(Run& run)
        : Base(run), isoline_(run.request.w), open_(run, IsolineKey{&isoline_}, TieRule(run.request.ties)) {}
    Dswa(const Dswa&) = delete;
    Dswa& operator=(const Dswa&) = delete;

private:
    static constexpr bool kKnowsLeastF = false;

    void enter(StateId id) {
        isoline_.extend({space_[id].h(), space_[id].g}, {}, 0);
        open_.push(id);
    }
    Cost least_f() { return open_.find_first() ? bound_of_key(open_.first_key(), isoline_.scale()) : kInfinite; }
    bool take_turn() { return visit(open_.pop()); }
    void expand(StateId id) {
        const auto opened = [&](std::size_t i) { enter(edges_.children[i]); };
        expand_scored(id, evaluator_.at_generation(), [&] { extend_isoline(id); }, opened);
    }
    // Continues the isoline to the steepest successor.
    void extend_isoline(StateId id) {
        std::optional<Edge> steepest;
        const auto place = [&](const Edge& edge) {
            return Point{space_[edge.child].h(), std::int64_t{space_[id].g} + edge.cost};
        };
        for (const std::uint32_t i : edges_.improving()) {
            const Edge edge = edges_[i];
            if (isoline_.reaches(place(edge))) continue;
            if (!steepest || Isoline::is_steeper(place(edge), place(*steepest))) steepest = edge;
        }
        if (!steepest) return;
        std::optional<std::int64_t> least;
        if (open_.find_first()) least = open_.first_key();
        isoline_.extend(place(*steepest), least, steepest->cost);
    }
    void restart(const Weight& w) {
        isoline_ = Isoline(w);
        open_.clear();
        enter_all_open();
    }

    Isoline isoline_;
    OpenQueue<IsolineKey> open_;
};

}  // namespace

const SearchInfo dswa_search{.name = "dswa",
                             .summary = "DSWA*: best-first by a convex key that is adapted during the search.",
                             .proves = "w",
                             .open_proves_bound = true,
                             .make = [](Run& run) { return steps_of<Dswa>(run); }};

}  // namespace fsplan
