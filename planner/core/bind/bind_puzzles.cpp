#include "bind/arrays.hpp"
#include "bind/parts.hpp"
#include "puzzles/database_heuristic.hpp"
#include "puzzles/pattern_database.hpp"
#include "puzzles/state_spaces.hpp"
#include "puzzles/traces.hpp"

namespace fsplan {

namespace {

// Calls a Python function from native code that has released the GIL. If the function raises an exception, the work
// stops and the exception is raised again.
class Callback {
public:
    explicit Callback(nb::object function) : function_(std::move(function)) {}

    template <class... Arguments>
    bool operator()(Arguments... arguments) {
        const nb::gil_scoped_acquire lock;
        try {
            if (PyErr_CheckSignals() != 0) throw nb::python_error();
            return function_.is_none() || nb::cast<bool>(function_(arguments...));
        } catch (nb::python_error& error) {
            raised_ = std::current_exception();
            return false;
        }
    }

    void rethrow() const {
        if (raised_) std::rethrow_exception(raised_);
    }

private:
    nb::object function_;
    std::exception_ptr raised_;
};

bool build_database(const std::string& path, unsigned columns, unsigned rows, std::vector<int> tiles, unsigned threads,
                    nb::object progress) {
    const Board board(columns, rows);
    const Pattern pattern(board, std::move(tiles));
    Callback callback(std::move(progress));
    std::vector<std::uint8_t> entries;
    {
        const nb::gil_scoped_release unlocked;
        entries = build_pattern_database(board, pattern, threads, std::ref(callback));
        if (!entries.empty()) write_pattern_database(path, board, pattern, entries);
    }
    callback.rethrow();
    return !entries.empty();
}

using Starts = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

std::vector<Word64> packed_starts(const Board& board, const Starts& starts) {
    std::vector<Word64> packed;
    for (std::size_t i = 0; i < starts.shape(0); ++i) {
        const std::vector<int> tiles(starts.data() + i * starts.shape(1), starts.data() + (i + 1) * starts.shape(1));
        board.check(tiles);
        if (!board.is_solvable(tiles))
            throw std::invalid_argument("the goal cannot be reached: the permutation has the wrong parity");
        packed.push_back(pack<Word64>(tiles));
    }
    return packed;
}

using TraceArrays = std::tuple<Array<Word64>, Array<std::uint8_t>, Array<std::uint8_t>, Array<std::uint16_t>>;

std::optional<TraceArrays> traces(unsigned columns, unsigned rows, DatabaseHeuristic::Databases databases,
                                  const Starts& starts, unsigned threads, nb::object progress) {
    const Board board(columns, rows);
    const DatabaseHeuristic heuristic(board, std::move(databases));
    const std::vector<Word64> packed = packed_starts(board, starts);
    Callback callback(std::move(progress));
    std::vector<Trace> found;
    {
        const nb::gil_scoped_release unlocked;
        found = optimal_traces(board, heuristic, packed, threads, std::ref(callback));
    }
    callback.rethrow();
    if (found.size() != packed.size()) return std::nullopt;
    std::vector<Word64> states;
    std::vector<std::uint8_t> actions, optimal;
    std::vector<std::uint16_t> lengths;
    for (const Trace& trace : found) {
        states.insert(states.end(), trace.states.begin(), trace.states.end());
        actions.insert(actions.end(), trace.actions.begin(), trace.actions.end());
        optimal.insert(optimal.end(), trace.optimal.begin(), trace.optimal.end());
        lengths.push_back(static_cast<std::uint16_t>(trace.states.size()));
    }
    return TraceArrays(to_array(std::move(states)), to_array(std::move(actions)), to_array(std::move(optimal)),
                       to_array(std::move(lengths)));
}

void bind_puzzle_state_spaces(nb::module_& module) {
    nb::class_<TilesStateSpace, StateSpace>(module, "TilesStateSpace", "A sliding-tile puzzle")
        .def(nb::init<unsigned, unsigned, const std::vector<int>&>(), nb::arg("columns"), nb::arg("rows"),
             nb::arg("tiles"))
        .def("use_databases", &TilesStateSpace::use_databases, nb::arg("name"), nb::arg("databases"));
    nb::class_<PancakeStateSpace, StateSpace>(module, "PancakeStateSpace", "A stack of pancakes")
        .def(nb::init<const std::vector<int>&>(), nb::arg("stack"));
}

}  // namespace

void bind_puzzles(nb::module_& module) {
    bind_puzzle_state_spaces(module);
    nb::class_<PatternDatabase>(module, "PatternDatabase", "Distances of a few tiles of a board, from a file")
        .def(
            "__init__",
            [](PatternDatabase* self, const std::string& path, unsigned columns, unsigned rows,
               std::vector<int> tiles) { new (self) PatternDatabase(path, Board(columns, rows), std::move(tiles)); },
            nb::arg("path"), nb::arg("columns"), nb::arg("rows"), nb::arg("tiles"))
        .def_prop_ro("tiles", [](const PatternDatabase& self) { return self.pattern().tiles(); })
        .def("__len__", [](const PatternDatabase& self) { return self.pattern().placements(); });
    module.def(
        "tile_partitions",
        [] {
            std::vector<std::tuple<std::string, unsigned, unsigned, std::vector<std::vector<int>>>> found;
            for (const TilePartition& partition : tile_partitions())
                found.emplace_back(partition.info.name, partition.columns, partition.rows, partition.patterns);
            return found;
        },
        "(name, columns, rows, patterns) of every set of pattern databases that has a name");
    module.def("build_pattern_database", &build_database, nb::arg("path"), nb::arg("columns"), nb::arg("rows"),
               nb::arg("tiles"), nb::arg("threads"), nb::arg("progress").none() = nb::none(),
               "Writes a database; False if `progress(level, finished, placements)` asked to stop.");
    module.def("optimal_traces", &traces, nb::arg("columns"), nb::arg("rows"), nb::arg("databases"), nb::arg("starts"),
               nb::arg("threads"), nb::arg("progress").none() = nb::none(),
               "Packed states, actions, sets of optimal actions, trace lengths; None if `progress` asked to stop.");
}

}  // namespace fsplan
