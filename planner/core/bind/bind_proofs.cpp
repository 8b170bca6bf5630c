#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <utility>

#include "bind/parts.hpp"
#include "instantiate/instantiate.hpp"
#include "invariants/mutex.hpp"
#include "proofs/proof_search.hpp"
#include "task/ground_state_space.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace fsplan {

namespace {

// The search for a proof with the watch that limits it.
class WatchedProofSearch {
public:
    WatchedProofSearch(GroundStateSpace& space, double seconds, std::size_t memory_bytes)
        : watch_(seconds, memory_bytes, signal_raised), search_(space.task(), watch_) {}

    std::optional<Cost> prove(std::optional<Cost> target, std::size_t most_states) {
        try {
            const nb::gil_scoped_release released;
            const Cost proven = search_.prove(target.value_or(kDeadEnd), most_states);
            return proven == kDeadEnd ? std::nullopt : std::optional(proven);
        } catch (const LimitReached&) {
            throw nb::python_error();
        }
    }
    void write(const std::vector<std::vector<std::uint32_t>>& literals, const std::vector<std::int32_t>& atom_of,
               nb::object emit) const {
        search_.write(literals, atom_of, [&](std::string_view text) { emit(text); });
    }
    std::size_t label_count() const { return search_.label_count(); }
    std::size_t evidence_count() const { return search_.evidence_count(); }

private:
    WorkWatch watch_;
    ProofSearch search_;
};

using AtomWords = std::vector<std::string>;

AtomWords words_of(const lifted::Task& lifted, std::span<const std::uint32_t> atom) {
    AtomWords words{lifted.predicates[atom[0]].name};
    for (const auto object : atom.subspan(1)) words.push_back(lifted.objects[object]);
    return words;
}

std::vector<std::pair<std::vector<AtomWords>, bool>> invariant_groups(lifted::Task& lifted) {
    WorkWatch watch;
    const auto task = instantiate(lifted, watch);
    const auto groups = find_mutex_groups(lifted, task, watch);
    const auto exact = exactly_one(task, groups);
    std::vector<std::pair<std::vector<AtomWords>, bool>> result;
    for (std::size_t group = 0; group < groups.atoms.size(); ++group) {
        auto& [atoms, is_exact] = result.emplace_back();
        for (const auto atom : groups.atoms[group]) atoms.push_back(words_of(lifted, task.atom[atom]));
        is_exact = exact[group] != 0;
    }
    return result;
}

// Every fact as its atom's words, empty for "none of those", and whether it is the atom's negation.
std::vector<std::pair<AtomWords, bool>> fact_words(const GroundStateSpace& space) {
    const GroundTask& task = space.task();
    std::vector<std::pair<AtomWords, bool>> result;
    for (FactId fact = 0; fact < task.fact_count(); ++fact) {
        auto& [words, negated] = result.emplace_back();
        for (const auto symbol : task.fact_atom[fact]) words.push_back(task.symbols[symbol]);
        negated = task.fact_negated[fact] != 0;
    }
    return result;
}

}  // namespace

void bind_proofs(nb::module_& module) {
    nb::class_<WatchedProofSearch>(module, "ProofSearch", "A proof that no plan costs less than a bound; docs/proofs.md.")
        .def(nb::init<GroundStateSpace&, double, std::size_t>(), "space"_a, "seconds"_a = 0.0, "memory_bytes"_a = 0,
             nb::keep_alive<1, 2>())
        .def("prove", &WatchedProofSearch::prove, "target"_a.none(), "most_states"_a,
             "The bound proven: the target, or less at a limit; None: there is no plan.")
        .def("write", &WatchedProofSearch::write, "literals"_a, "atom_of"_a, "emit"_a,
             "The proof as lines, passed on in chunks.")
        .def("label_count", &WatchedProofSearch::label_count)
        .def("evidence_count", &WatchedProofSearch::evidence_count);
    module.def("invariant_groups", invariant_groups, "task"_a,
               "Groups of atoms of which at most one is true, and whether exactly one is; the first: never true.");
    module.def("fact_words", fact_words, "space"_a, "Every fact as its atom's words and whether it negates the atom.");
}

}  // namespace fsplan
