// Tests that values computed incrementally from the last state equal those computed from scratch.
#include "abstractions/partitioned_costs.hpp"
#include "task/ground_graph.hpp"
#include "tests/random_task.hpp"
#include "tests/require.hpp"

using namespace fsplan;

namespace {

// Changes the state: usually at most three variables, sometimes all of them.
void move(Random& random, const GroundTask& task, std::vector<std::int32_t>& values) {
    const bool jumps = random.below(8) == 0;
    const std::size_t changes = jumps ? values.size() : static_cast<std::size_t>(random.below(4));
    for (std::size_t change = 0; change < changes; ++change) {
        const std::size_t variable =
            jumps ? change : static_cast<std::size_t>(random.below(static_cast<int>(values.size())));
        values[variable] = random.below(task.domain_size[variable]);
    }
}

std::vector<Word> packed(const Layout& layout, const std::vector<std::int32_t>& values) {
    std::vector<Word> state(layout.words);
    for (std::size_t variable = 0; variable < values.size(); ++variable)
        layout.field[variable].set(state.data(), static_cast<Word>(values[variable]));
    return state;
}

// A split tree with up to 20 abstract states, in which a path may test the same variable several times in a row.
SplitTree random_splits(Random& random, const TaskShape& shape) {
    SplitTree splits;
    const int states = 1 + random.below(20);
    for (int other = 1; other < states; ++other) {
        std::vector<std::uint8_t> wanted;
        for (int value = 0; value < shape.values; ++value) wanted.push_back(static_cast<std::uint8_t>(random.below(2)));
        splits.split(static_cast<std::uint32_t>(random.below(other)),
                     static_cast<std::uint32_t>(random.below(shape.variables)), wanted,
                     static_cast<std::uint32_t>(other));
    }
    return splits;
}

VariablePattern random_pattern(Random& random, const TaskShape& shape) {
    VariablePattern pattern;
    for (const auto& fact : some_facts(random, shape, 1, 3)) pattern.push_back(static_cast<std::uint32_t>(fact.first));
    return pattern;
}

std::size_t projected(const GroundTask& task, const VariablePattern& pattern, const std::vector<std::int32_t>& values) {
    std::size_t row = 0, stride = 1;
    for (auto variable : pattern) {
        row += stride * static_cast<std::size_t>(values[variable]);
        stride *= static_cast<std::size_t>(task.domain_size[variable]);
    }
    return row;
}

void rows_are_those_of_the_state() {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        Random random(seed);
        const TaskShape shape{.variables = 30, .values = 2 + random.below(6)};
        const GroundTask task = random_task(seed, shape);
        const Layout layout(task);
        StateRows rows(task, layout);
        std::vector<VariablePattern> patterns;
        std::vector<SplitTree> trees;
        for (std::size_t table = 0; table < 10; ++table) {
            patterns.push_back(random_pattern(random, shape));
            rows.add_projection(patterns.back(), 2000 * table);
            trees.push_back(random_splits(random, shape));
            rows.add_tree(trees.back(), 2000 * table + 1000);
        }
        std::vector<std::int32_t> values(task.variable_count());
        std::size_t sum = 0;  // sum of the current rows, updated by the reported changes
        rows.each_row([&](std::size_t row) { sum += row; });
        for (int step = 0; step < 300; ++step) {
            move(random, task, values);
            rows.move_to(packed(layout, values).data(),
                         [&](std::size_t before, std::size_t now) { sum += now - before; });
            std::vector<std::size_t> found, wanted;
            rows.each_row([&](std::size_t row) { found.push_back(row); });
            for (std::size_t table = 0; table < 10; ++table) {
                wanted.push_back(2000 * table + projected(task, patterns[table], values));
                wanted.push_back(2000 * table + 1000 + trees[table].find(values));
            }
            require(found == wanted, "each table has the row of the state");
            require(sum == std::accumulate(wanted.begin(), wanted.end(), std::size_t{0}), "every change is reported");
        }
    }
}

template <class Value, std::size_t width>
void sums_are_those_of_the_rows(Cost most) {
    constexpr std::size_t row_width = 16, table_count = 5, rows_of_table = 40;
    Random random(width);
    std::vector<Cost> values(table_count * rows_of_table * row_width);
    for (auto& value : values) value = random.below(most + 1);
    for (std::size_t row = 0; row < values.size(); row += row_width)
        if (random.below(20) == 0) values[row] = kDeadRow;
    RowSums<Value, width> sums(values, row_width);
    std::array<std::size_t, table_count> rows{};
    for (std::size_t table = 0; table < table_count; ++table) sums.add(rows[table] = table * rows_of_table);
    std::size_t dead = 0, alive = 0;
    for (int step = 0; step < 2000; ++step) {
        const auto table = static_cast<std::size_t>(random.below(table_count));
        const std::size_t now = table * rows_of_table + static_cast<std::size_t>(random.below(rows_of_table));
        sums.replace(std::exchange(rows[table], now), now);
        Cost greatest = 0;
        bool is_dead = false;
        for (std::size_t lane = 0; lane < width; ++lane) {
            Cost sum = 0;
            for (auto row : rows) sum += values[row * row_width + lane];
            greatest = std::max(greatest, sum);
        }
        for (auto row : rows) is_dead = is_dead || values[row * row_width] == kDeadRow;
        require(sums.greatest() == (is_dead ? kDeadEnd : greatest), "the greatest sum of the rows");
        ++(is_dead ? dead : alive);
    }
    require(dead > 100 && alive > 100, "both kinds of states");
}

struct Seen {
    int dead = 0, alive = 0;
    Cost greatest = 0;
};

// Each reference value is computed by a new copy of `untouched`, which has no cached state.
Seen compare_with_fresh_values(std::uint64_t seed, const TaskShape& shape) {
    const GroundTask task = random_task(seed, shape);
    const Layout layout(task);
    Budget watch;
    const PartitionedCosts untouched(task, layout, watch);
    PartitionedCosts walking = untouched;
    Random random(seed);
    std::vector<std::int32_t> values(task.initial);
    Seen seen;
    for (int step = 0; step < 200; ++step) {
        move(random, task, values);
        const auto state = packed(layout, values);
        PartitionedCosts fresh = untouched;
        const Cost value = walking.value(state.data());
        require(value == fresh.value(state.data()), "a value does not depend on the state before");
        ++(value == kDeadEnd ? seen.dead : seen.alive);
        if (value != kDeadEnd) seen.greatest = std::max(seen.greatest, value);
    }
    return seen;
}

void values_do_not_depend_on_the_state_before() {
    for (const Cost most_cost : {4, 20'000}) {
        Seen all;
        for (std::uint64_t seed = 0; seed < 30; ++seed) {
            const TaskShape shape{.variables = 12, .values = 4, .actions = 80, .most_cost = most_cost};
            const Seen seen = compare_with_fresh_values(seed, shape);
            all.dead += seen.dead;
            all.alive += seen.alive;
            all.greatest = std::max(all.greatest, seen.greatest);
        }
        require(all.dead > 0 && all.alive > 0, "dead ends and others");
        require((all.greatest > INT16_MAX) == (most_cost > 4), "values that fit 16 bits, and others");
    }
}

}  // namespace

int main() {
    rows_are_those_of_the_state();
    sums_are_those_of_the_rows<std::int16_t, 8>(6000);
    sums_are_those_of_the_rows<std::int16_t, 16>(6000);
    sums_are_those_of_the_rows<Cost, 16>(100'000'000);
    values_do_not_depend_on_the_state_before();
}
