#include "abstractions/projection.hpp"
#include "bind/arrays.hpp"
#include "bind/parts.hpp"
#include "proofs/proof_search.hpp"
#include "spaces/ground_state_space.hpp"

namespace fsplan {

namespace {

// A search for a proof, and the watch that limits its time and memory.
class WatchedProofSearch {
public:
    using Swaps = std::vector<std::vector<std::string>>;

    WatchedProofSearch(GroundStateSpace& space, double seconds, std::size_t memory_bytes, const Swaps& swaps)
        : task_(space.task()), memory_bytes_(memory_bytes), watch_(seconds, memory_bytes, signal_raised) {
        within_limits([&] {
            Symmetries symmetries;
            if (!swaps.empty()) symmetries = Symmetries(task_, Layout(task_), watch_);
            symmetries.keep_if([&](const Symmetries::Swap& swap) {
                return std::ranges::find(swaps, swap.names(task_)) != swaps.end();
            });
            search_.emplace(task_, std::move(symmetries), watch_);
        });
    }

    std::optional<Cost> prove(std::optional<Cost> target, std::size_t most_states, double seconds) {
        watch_ = Budget(seconds, memory_bytes_, signal_raised);
        try {
            const nb::gil_scoped_release released;
            return finite(search_->prove(target.value_or(kDeadEnd), most_states));
        } catch (const LimitReached&) { throw nb::python_error(); }
    }
    void write(const std::vector<std::vector<std::uint32_t>>& literals, const std::vector<std::int32_t>& atom_of,
               std::size_t first_part, nb::object emit) const {
        search_->write(literals, atom_of, first_part, [&](std::string_view text) { emit(text); });
    }
    void add(const Column<std::int64_t>& weights, std::int64_t constant, std::int64_t denominator,
             std::vector<std::pair<std::vector<FactId>, std::int64_t>> cuts) {
        const auto of_facts = items(weights);
        const auto is_fact = [&](FactId fact) { return fact < task_.fact_count(); };
        const auto is_cut = [&](const auto& cut) { return std::ranges::all_of(cut.first, is_fact); };
        if (of_facts.size() != task_.fact_count() || denominator <= 0 || !std::ranges::all_of(cuts, is_cut))
            throw std::invalid_argument("a weight per fact, a denominator and cuts of facts are needed");
        search_->add({{of_facts.begin(), of_facts.end()}, constant, denominator, std::move(cuts)});
    }
    std::vector<bool> linear_used() const { return search_->linear_used(); }
    std::optional<std::vector<FactId>> cut_of(const std::vector<ActionId>& actions) {
        for (const auto action : actions)
            if (action >= task_.action_count()) throw std::invalid_argument("no such action");
        return search_->cut_of_start(actions);
    }
    bool only_dead_ends() const { return search_->only_dead_ends; }
    void set_only_dead_ends(bool chosen) { search_->only_dead_ends = chosen; }
    std::size_t label_count() const { return search_->label_count(); }
    std::size_t evidence_count() const { return search_->evidence_count(); }

private:
    const GroundTask& task_;
    std::size_t memory_bytes_;
    Budget watch_;
    std::optional<ProofSearch> search_;
};

// A table for a proof: the abstract states of a projection that are reachable from the initial state, one row of values
// per state, and their goal distances (2⁶³ − 1 if there is no path) under the given action costs, which may be
// negative. Returns None if the table is too large.
std::optional<std::pair<Array<std::int32_t>, Array<std::int64_t>>> projection_table(GroundStateSpace& space,
                                                                                    const VariablePattern& pattern,
                                                                                    const Column<std::int64_t>& costs,
                                                                                    std::size_t most_states,
                                                                                    Budget& watch) {
    const GroundTask& task = space.task();
    const bool is_pattern = std::ranges::is_sorted(pattern) && !pattern.empty() && pattern.size() <= 30 &&
                            pattern.back() < task.variable_count();
    if (!is_pattern || costs.shape(0) != task.action_count()) throw std::invalid_argument("not a pattern of this task");
    std::vector<std::int32_t> values;
    std::vector<std::int64_t> distances;
    try {
        constexpr std::size_t most_work = 100'000'000;
        const auto projection =
            ProjectionBuilder(task, watch).build_reachable(pattern, space.start_values(watch), most_states, most_work);
        if (!projection) return std::nullopt;
        distances = projection->signed_distances(items(costs), watch);
        for (auto number : projection->numbers()) {
            for (auto variable : pattern) {
                const auto size = static_cast<std::uint32_t>(task.domain_size[variable]);
                values.push_back(static_cast<std::int32_t>(number % size));
                number /= size;
            }
        }
    } catch (const LimitReached& limit) {
        if (limit.limit == Limit::interrupted) throw nb::python_error();
        return std::nullopt;
    }
    return std::pair(to_array(std::move(values)), to_array(std::move(distances)));
}

using AtomWords = std::vector<std::string>;

AtomWords words_of(const GroundTask& task, std::span<const std::uint32_t> atom) {
    AtomWords words;
    for (const auto symbol : atom) words.push_back(task.symbols[symbol]);
    return words;
}

std::vector<std::pair<std::vector<AtomWords>, bool>> invariant_groups(const GroundTask& task) {
    std::vector<std::pair<std::vector<AtomWords>, bool>> result;
    if (task.mutex_groups == nullptr) return result;
    const auto& [atoms, members, exactly_one] = *task.mutex_groups;
    for (std::size_t group = 0; group < members.size(); ++group) {
        auto& [named, is_exact] = result.emplace_back();
        for (const auto atom : members[group]) named.push_back(words_of(task, atoms[atom]));
        is_exact = exactly_one[group] != 0;
    }
    return result;
}

// For every fact the name and arguments of its atom (empty for "none of those"), and whether it is the negated atom.
std::vector<std::pair<AtomWords, bool>> fact_words(const GroundStateSpace& space) {
    const GroundTask& task = space.task();
    std::vector<std::pair<AtomWords, bool>> result;
    for (FactId fact = 0; fact < task.fact_count(); ++fact) {
        result.emplace_back(words_of(task, task.fact_atom[fact]), task.fact_negated[fact] != 0);
    }
    return result;
}

}  // namespace

void bind_proofs(nb::module_& module) {
    nb::class_<WatchedProofSearch>(module, "ProofSearch",
                                   "A proof that no plan costs less than a bound; docs/proofs.md.")
        .def(nb::init<GroundStateSpace&, double, std::size_t, const WatchedProofSearch::Swaps&>(), "space"_a,
             "seconds"_a = 0.0, "memory_bytes"_a = 0, "swaps"_a = WatchedProofSearch::Swaps(), nb::keep_alive<1, 2>())
        .def("prove", &WatchedProofSearch::prove, "target"_a.none(), "most_states"_a, "seconds"_a = 0.0,
             "The bound proven: the target, or less at a limit; None: there is no plan.")
        .def("add", &WatchedProofSearch::add, "weights"_a, "constant"_a, "denominator"_a, "cuts"_a,
             "Evidence to be used beside that which is found: (constant − Σ weights of the facts that hold + Σ shares "
             "of the "
             "cuts none of whose facts hold) / denominator.")
        .def("linear_used", &WatchedProofSearch::linear_used, "Whether the proof needs what was added, one by one.")
        .def("cut_of", &WatchedProofSearch::cut_of, "actions"_a,
             "The facts of a cut that shows that every plan uses one of the actions; None: there is none.")
        .def("write", &WatchedProofSearch::write, "literals"_a, "atom_of"_a, "first_part"_a, "emit"_a,
             "The proof as lines, passed on in chunks.")
        .def_prop_rw("only_dead_ends", &WatchedProofSearch::only_dead_ends, &WatchedProofSearch::set_only_dead_ends,
                     "Whether only dead ends are looked for, as in tasks without a plan.")
        .def("label_count", &WatchedProofSearch::label_count)
        .def("evidence_count", &WatchedProofSearch::evidence_count);
    module.def(
        "projection_table", projection_table, "space"_a, "pattern"_a, "costs"_a, "most_states"_a, "watch"_a,
        "Reachable states of a projection, a row of values each, and their distances under costs of any sign (2⁶³ − "
        "1: no path). None: it is too large.");
    module.def("invariant_groups", invariant_groups, "task"_a,
               "Groups of atoms of which at most one is true, and whether exactly one is; the first: never true. Empty "
               "for a task that was not grounded from PDDL.");
    module.def("fact_words", fact_words, "space"_a, "Every fact as its atom's words and whether it negates the atom.");
}

}  // namespace fsplan
