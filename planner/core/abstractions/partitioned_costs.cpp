#include "abstractions/partitioned_costs.hpp"

#include "abstractions/cartesian.hpp"
#include "abstractions/cost_partitioning.hpp"
#include "abstractions/patterns.hpp"
#include "relaxation/sampled_states.hpp"

namespace fsplan {

// One cost partitioning: its tables of goal distances, without tables of zeros.
struct PartitionTables {
    struct Table {
        std::uint32_t abstraction;
        std::uint32_t offset;
    };
    std::vector<Table> tables;
    std::vector<Cost> entries;

    // kDeadEnd if an abstraction detects a dead end.
    Cost sum(const std::vector<Abstraction>& abstractions, const StateValues& state) const {
        std::int64_t sum = 0;
        for (auto [abstraction, offset] : tables) {
            const Cost h = entries[offset + abstractions[abstraction].index(state)];
            if (h == kDeadEnd) return kDeadEnd;
            sum += h;
        }
        return static_cast<Cost>(std::min<std::int64_t>(sum, kDeadEnd - 1));
    }
};

namespace {

// The tables of the projections take about 64 MB at most: each abstract state counts as a unit of work, so there are
// about a million at most, and each has kMostOrders entries of four bytes.
constexpr ProjectionLimits kLimits{.variables = 3, .states = 20'000, .work = 1'000'000, .projections = 3'000};
constexpr RefinementLimits kRefinement{.states = 500, .work = 3'000'000, .abstractions = 30};
constexpr std::size_t kWorkOnOrders = 30'000'000;  // sum of Abstraction::work over all passes of the order search
constexpr std::size_t kStepsWithoutGain = 10;
// Counted work (contract/request.hpp) of building the abstractions, and per unit of Abstraction::work in the search for
// orders.
constexpr std::uint64_t kWorkOfAbstractions = 40'000'000, kWorkOfTransition = 5;

// Searches for good orders of the abstractions.
class OrderSearch {
public:
    OrderSearch(const GroundTask& task, Budget& watch)
        : task_(task), watch_(watch), samples_(sample_states(task, watch)), abstractions_(collect()),
          partitioning_(abstractions_), best_(samples_.size(), -1) {}

    std::vector<PartitionTables> run() {
        std::vector<PartitionTables> kept;
        const auto own = partitioning_.own_values(task_.cost, watch_);
        std::size_t without_gain = 0;
        for (const auto& sample : samples_) {
            if (kept.size() == PartitionedCosts::kMostOrders || without_gain == kStepsWithoutGain ||
                work_ > kWorkOnOrders)
                break;
            auto tables = partition(partitioning_.greedy_order(own, sample));
            work_ += work_of_a_pass();
            ++without_gain;
            if (!raises_a_sample(tables)) continue;
            kept.push_back(std::move(tables));
            without_gain = 0;
        }
        return kept;
    }

    const std::vector<Abstraction>& abstractions() const { return abstractions_; }
    // Sum of Abstraction::work over all passes.
    std::size_t work() const { return work_; }

private:
    std::vector<Abstraction> collect() {
        auto all = systematic_projections(task_, kLimits, watch_);
        auto refined = cartesian_abstractions(task_, samples_[0], kRefinement, watch_);
        std::move(refined.begin(), refined.end(), std::back_inserter(all));
        return all;
    }
    PartitionTables partition(const std::vector<std::uint32_t>& order) {
        PartitionTables tables;
        partitioning_.run(order, task_.cost, watch_, [&](std::uint32_t number, std::span<const Cost> h, const auto&) {
            if (std::ranges::all_of(h, [](Cost each) { return each == 0; })) return;
            tables.tables.push_back({number, static_cast<std::uint32_t>(tables.entries.size())});
            tables.entries.insert(tables.entries.end(), h.begin(), h.end());
        });
        return tables;
    }

    bool raises_a_sample(const PartitionTables& tables) {
        bool raised = false;
        for (std::size_t s = 0; s < samples_.size(); ++s) {
            const Cost sum = tables.sum(abstractions_, samples_[s]);
            raised = raised || sum > best_[s];
            best_[s] = std::max(best_[s], sum);
        }
        return raised;
    }

    std::size_t work_of_a_pass() const {
        std::size_t work = 0;
        for (const auto& abstraction : abstractions_) work += abstraction.work();
        return work;
    }

    const GroundTask& task_;
    Budget& watch_;
    std::vector<StateValues> samples_;
    std::vector<Abstraction> abstractions_;
    CostPartitioning partitioning_;
    std::vector<Cost> best_;
    std::size_t work_ = 0;
};

// Several projections that share one table over all their variables; the table has the sums of their values.
struct MergedPattern {
    VariablePattern pattern;
    std::size_t size;
    std::vector<std::uint32_t> members;
};

VariablePattern united(const VariablePattern& a, const VariablePattern& b) {
    VariablePattern both;
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    return both;
}

// Fewer look-ups make evaluations faster. A pattern that is a subset of another needs no table of its own; two patterns
// are merged if the joint table is not larger than their two tables, or very small.
std::vector<MergedPattern> merge_patterns(const GroundTask& task, const std::vector<Abstraction>& projections,
                                          std::vector<std::uint32_t> used) {
    constexpr std::size_t small = 64;
    std::ranges::stable_sort(used, [&](auto a, auto b) { return projections[a].size() > projections[b].size(); });
    std::vector<MergedPattern> merged;
    for (auto number : used) {
        const auto& pattern = projections[number].pattern();
        auto size_of = [&](const VariablePattern& variables) {
            std::size_t size = 1;
            for (auto v : variables)
                size = std::min<std::size_t>(size * static_cast<std::size_t>(task.domain_size[v]), 1U << 30);
            return size;
        };
        auto takes = [&](const MergedPattern& each) {
            const auto size = size_of(united(each.pattern, pattern));
            return size <= std::max(small, each.size + projections[number].size());
        };
        auto found = std::ranges::find_if(merged, takes);
        if (found == merged.end()) found = merged.insert(merged.end(), {pattern, projections[number].size(), {}});
        found->pattern = united(found->pattern, pattern);
        found->size = size_of(found->pattern);
        found->members.push_back(number);
    }
    return merged;
}

}  // namespace

PartitionedCosts::PartitionedCosts(const GroundTask& task, const Layout& layout, Budget& watch) : rows_(task, layout) {
    OrderSearch orders(task, watch);
    const auto kept = orders.run();
    preparation_ = kWorkOfAbstractions + kWorkOfTransition * orders.work();
    add_tables(orders.abstractions(), kept, task, watch);
    choose_width(kept.size());
    std::visit([&](auto& sums) { rows_.each_row([&](std::size_t row) { sums.add(row); }); }, sums_);
}

void PartitionedCosts::add_tables(const std::vector<Abstraction>& abstractions,
                                  const std::vector<PartitionTables>& orders, const GroundTask& task, Budget& watch) {
    std::vector<std::vector<OneTable>> tables(abstractions.size());
    for (std::uint32_t lane = 0; lane < orders.size(); ++lane) {
        for (auto [number, begin] : orders[lane].tables)
            tables[number].push_back({lane, std::span(orders[lane].entries).subspan(begin)});
    }
    std::vector<std::uint32_t> projections, refined;
    for (std::uint32_t number = 0; number < abstractions.size(); ++number) {
        if (!tables[number].empty()) (abstractions[number].pattern().empty() ? refined : projections).push_back(number);
    }
    // Sums stay below kDeadEnd.
    const auto largest =
        static_cast<Cost>((kDeadEnd - 1) / std::max<std::size_t>(projections.size() + refined.size(), 1));
    for (const auto& merged : merge_patterns(task, abstractions, projections)) {
        const std::size_t first = add_rows(merged.size);
        rows_.add_projection(merged.pattern, first);
        StateValues values(task.variable_count());
        for (std::size_t state = 0; state < merged.size; ++state) {
            watch.tick();
            std::size_t rest = state;
            for (auto variable : merged.pattern) {
                const auto values_of = static_cast<std::size_t>(task.domain_size[variable]);
                values[variable] = static_cast<std::int32_t>(rest % values_of);
                rest /= values_of;
            }
            Cost* row = values_.data() + (first + state) * kMostOrders;
            for (auto number : merged.members) add(row, tables[number], abstractions[number].index(values), largest);
        }
    }
    for (auto number : refined) {
        const std::size_t first = add_rows(abstractions[number].size());
        rows_.add_tree(abstractions[number].splits(), first);
        for (std::size_t state = 0; state < abstractions[number].size(); ++state)
            add(values_.data() + (first + state) * kMostOrders, tables[number], state, largest);
    }
}

// Chooses the width of the entries: a sum is at most the sum of the greatest values of all tables.
void PartitionedCosts::choose_width(std::size_t orders) {
    first_.push_back(values_.size() / kMostOrders);
    std::int64_t greatest = 0;
    for (std::size_t table = 0; table + 1 < first_.size(); ++table)
        greatest += *std::max_element(values_.begin() + static_cast<std::ptrdiff_t>(first_[table] * kMostOrders),
                                      values_.begin() + static_cast<std::ptrdiff_t>(first_[table + 1] * kMostOrders));
    if (greatest > std::numeric_limits<std::int16_t>::max()) sums_ = RowSums<Cost, kMostOrders>(values_, kMostOrders);
    else if (orders > kFewOrders) sums_ = RowSums<std::int16_t, kMostOrders>(values_, kMostOrders);
    else sums_ = RowSums<std::int16_t, kFewOrders>(values_, kMostOrders);
    values_ = {};
}

std::size_t PartitionedCosts::add_rows(std::size_t count) {
    first_.push_back(values_.size() / kMostOrders);
    require_memory(count * kMostOrders * sizeof(Cost));
    values_.resize(values_.size() + count * kMostOrders);
    return first_.back();
}

void PartitionedCosts::add(Cost* row, const std::vector<OneTable>& tables, std::size_t state, Cost largest) {
    for (const auto& [lane, entries] : tables) {
        if (row[0] == kDeadRow) return;
        if (entries[state] == kDeadEnd) row[0] = kDeadRow;
        else row[lane] += std::min(entries[state], largest);
    }
}

}  // namespace fsplan
