// Saturated cost partitioning over projections: the maximum over several orders of the sum of the projections' values.
//
// Preparing it costs a bounded amount of work; then a state takes look-ups only. Which order is good depends on the state.
// So orders are made for the start and for states on random walks from it, and an order is kept if it raises the value of
// one of these states ("diversification").
//
// Conditional effects and derived variables are treated as in projection.hpp: the projections have more transitions than
// the task, never fewer, so h is admissible and consistent.
#include <algorithm>
#include <array>
#include <random>

#include "abstractions/cost_partitioning.hpp"
#include "abstractions/patterns.hpp"
#include "heuristics/guided_heuristic.hpp"
#include "task/ground_graph.hpp"

namespace fsplan {

namespace {

// At most 64 MB of tables: each abstract state counts as work and has an entry per order.
constexpr ProjectionLimits kLimits{.variables = 3, .states = 20'000, .work = 1'000'000, .projections = 3'000};
constexpr std::size_t kWalks = 100;
constexpr std::size_t kLongestWalk = 100;
constexpr std::size_t kMostOrders = 16;
constexpr std::size_t kWorkOnOrders = 30'000'000;     // passes over the projections, see Projection::work
constexpr std::size_t kStepsWithoutGain = 10;

using Sample = std::vector<std::int32_t>;

// The start and the ends of random walks from it.
std::vector<Sample> sample_states(const GroundTask& task, WorkWatch& watch) {
    GroundGraph graph(task);
    std::mt19937_64 random(1);
    std::vector<Sample> samples;
    std::vector<std::vector<Word>> successors;
    for (std::size_t walk = 0; walk <= kWalks; ++walk) {
        std::vector<Word> state(graph.start(), graph.start() + graph.layout().stored_words);
        for (std::size_t length = walk == 0 ? 0 : random() % kLongestWalk; length > 0; --length) {
            watch.tick();
            successors.clear();
            graph.successors(state.data(), [&](ActionId, Cost, const Word* each) {
                successors.emplace_back(each, each + graph.layout().stored_words);
            });
            if (successors.empty()) break;
            state = successors[random() % successors.size()];
        }
        graph.values(state.data(), samples.emplace_back(task.variable_count()));
    }
    return samples;
}

// One cost partitioning: tables of distances, of the projections that have any.
struct Tables {
    struct Table {
        std::uint32_t projection;
        std::uint32_t offset;
    };
    std::vector<Table> tables;
    std::vector<Cost> entries;

    // kDeadEnd where a projection sees one.
    Cost sum(const std::vector<Projection>& projections, const Sample& state) const {
        std::int64_t sum = 0;
        for (auto [projection, offset] : tables) {
            const Cost h = entries[offset + projections[projection].index(state)];
            if (h == kDeadEnd) return kDeadEnd;
            sum += h;
        }
        return static_cast<Cost>(std::min<std::int64_t>(sum, kDeadEnd - 1));
    }
};

// The tables of all orders side by side: one look-up per projection gives its value under every order, from one cache
// line, and they are added up together. Dead ends are the same under all orders.
class SideBySide {
public:
    static constexpr std::size_t kLanes = kMostOrders;

    SideBySide() = default;
    SideBySide(const std::vector<Projection>& projections, const std::vector<Tables>& orders, const Layout& layout) {
        const auto largest = static_cast<Cost>((kDeadEnd - 1) / std::max<std::size_t>(projections.size(), 1));
        std::vector<std::size_t> offset(projections.size(), kUnused);
        for (std::size_t lane = 0; lane < orders.size(); ++lane) {
            for (auto [number, begin] : orders[lane].tables) {
                if (offset[number] == kUnused) offset[number] = add(projections[number], layout);
                for (std::size_t state = 0; state < projections[number].size(); ++state) {
                    const Cost h = orders[lane].entries[begin + state];
                    auto* row = entries_.data() + (offset[number] + state) * kLanes;
                    if (h == kDeadEnd) row[0] = kDead;
                    else row[lane] = std::min(h, largest);  // so that sums stay below kDeadEnd
                }
            }
        }
    }

    Cost value(const Word* state) const {
        std::array<Cost, kLanes> sums{};
        std::size_t term = 0;
        for (const auto& look_up : look_ups_) {
            std::size_t index = look_up.first;
            for (; term < look_up.end; ++term) index += terms_[term].field.get(state) * terms_[term].stride;
            const Cost* row = entries_.data() + index * kLanes;
            if (row[0] == kDead) return kDeadEnd;
            for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += row[lane];
        }
        return *std::max_element(sums.begin(), sums.end());
    }

private:
    static constexpr std::size_t kUnused = ~std::size_t{0};
    static constexpr Cost kDead = -1;
    struct Term {
        PackedField field;
        std::uint32_t stride;
    };
    struct LookUp {
        std::size_t first;  // row of the projection's state 0
        std::size_t end;    // of its terms
    };

    std::size_t add(const Projection& projection, const Layout& layout) {
        const std::size_t first = entries_.size() / kLanes;
        for (std::size_t i = 0; i < projection.pattern().size(); ++i)
            terms_.push_back({layout.field[projection.pattern()[i]], projection.strides()[i]});
        look_ups_.push_back({first, terms_.size()});
        entries_.resize(entries_.size() + projection.size() * kLanes);
        return first;
    }

    std::vector<Term> terms_;
    std::vector<LookUp> look_ups_;
    std::vector<Cost> entries_;
};

// Chooses the orders.
class OrderSearch {
public:
    explicit OrderSearch(const HeuristicInput& input)
        : input_(input), projections_(systematic_projections(input.task, kLimits)), partitioning_(projections_),
          samples_(sample_states(input.task, input.watch)), best_(samples_.size(), -1) {}

    SideBySide run() {
        std::vector<Tables> kept;
        const auto own = partitioning_.own_values(input_.task.cost);
        std::size_t without_gain = 0, work = 0;
        for (const auto& sample : samples_) {
            if (kept.size() == kMostOrders || without_gain == kStepsWithoutGain || work > kWorkOnOrders) break;
            auto tables = partition(partitioning_.greedy_order(own, sample));
            work += work_of_a_pass();
            ++without_gain;
            if (!raises_a_sample(tables)) continue;
            kept.push_back(std::move(tables));
            without_gain = 0;
        }
        return {projections_, kept, input_.layout};
    }

private:
    Tables partition(const std::vector<std::uint32_t>& order) {
        Tables tables;
        partitioning_.run(order, input_.task.cost, [&](std::uint32_t number, std::span<const Cost> h, const auto&) {
            input_.watch.look();
            if (std::all_of(h.begin(), h.end(), [](Cost each) { return each == 0; })) return;
            tables.tables.push_back({number, static_cast<std::uint32_t>(tables.entries.size())});
            tables.entries.insert(tables.entries.end(), h.begin(), h.end());
        });
        return tables;
    }

    bool raises_a_sample(const Tables& tables) {
        bool raised = false;
        for (std::size_t s = 0; s < samples_.size(); ++s) {
            const Cost sum = tables.sum(projections_, samples_[s]);
            raised = raised || sum > best_[s];
            best_[s] = std::max(best_[s], sum);
        }
        return raised;
    }

    std::size_t work_of_a_pass() const {
        std::size_t work = 0;
        for (const auto& projection : projections_) work += projection.work();
        return work;
    }

    const HeuristicInput& input_;
    std::vector<Projection> projections_;
    CostPartitioning partitioning_;
    std::vector<Sample> samples_;
    std::vector<Cost> best_;
};

class CostPartitioningHeuristic : public GuidedHeuristic {
public:
    explicit CostPartitioningHeuristic(const HeuristicInput& input)
        : GuidedHeuristic(input), tables_(OrderSearch(input).run()) {}
    Evaluation evaluate(const Word* state) override {
        const Cost h = tables_.value(state);
        if (!guided()) return {h, h};
        return guide_after(h == kDeadEnd ? kDeadEnd : explore_max(state), state, h);
    }

private:
    SideBySide tables_;
};

}  // namespace

const GroundHeuristicEntry scp_heuristic{
    .info = {.name = "scp",
             .summary = "saturated cost partitioning over projections to up to three variables, by the best of several orders",
             .properties = {.admissible = true},
             .consistent = true,
             .strength = 1},
    .make = make_from_input<CostPartitioningHeuristic>};

}  // namespace fsplan
