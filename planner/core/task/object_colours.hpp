// Colours of objects, for the search for symmetries (symmetries.hpp): a symmetry maps every object to one of its colour.
//
// Colour refinement (Weisfeiler and Leman 1968): all objects start with one colour, and are split by the places at which
// they occur in goals, other facts and actions, and by the colours of the objects that occur there with them, until no
// colour splits. For example, two cameras get different colours if the rovers that carry them have.
//
// A colour is a hash value, and facts and actions are all that counts. So objects of one colour may still differ, and
// what is found here has to be verified.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "base/budget.hpp"
#include "task/task.hpp"

namespace fsplan {

using Symbol = std::uint32_t;

class ObjectColours {
public:
    using Pairs = std::vector<std::pair<Symbol, Symbol>>;

    ObjectColours(const GroundTask& task, Budget& watch);

    // The objects of each colour, in the order of the symbols.
    std::map<std::uint64_t, std::vector<Symbol>> classes();
    // Pairs of objects, (left, right) among them, such that to exchange all pairs at once may be a symmetry; empty if
    // there is none, or if the search for pairs has used up its work.
    Pairs exchange(Symbol left, Symbol right);

private:
    using Colours = std::vector<std::uint64_t>;  // one per symbol
    struct Halves {
        std::vector<Symbol> before, after;  // objects of a colour before and after the exchange
    };

    // The colours, if each of the marked objects has a colour of its own at first.
    const Colours& refined(std::span<const Symbol> marked, Colours& colours);
    void refine(Colours& colours);
    std::size_t count(const Colours& colours);
    std::map<std::uint64_t, Halves> moved(const Colours& before, const Colours& after) const;

    Budget& watch_;
    std::vector<Symbol> objects_;
    Rows tuples_;  // arguments of each fact and action
    std::vector<std::uint64_t>
        kind_;  // of each tuple, e.g. a goal of this predicate, an action of this schema and cost
    std::size_t work_ = 0;
    Colours next_, sorted_, before_, after_;
};

}  // namespace fsplan
