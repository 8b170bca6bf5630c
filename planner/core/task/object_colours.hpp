// Colours of objects, for the search for symmetries (symmetries.hpp): a symmetry maps every object to one of its colour.
//
// Colour refinement (Weisfeiler and Leman 1968): all objects start with one colour, and are split by the places at which
// they occur in goals, other facts and actions, and by the colours of the objects that occur there with them, until no
// colour splits. For example, two cameras get different colours if the rovers that carry them have.
//
// A colour is a hash value, computed from facts and actions only. So objects of one colour may still differ, and the
// candidates found here have to be verified.
#pragma once

#include "base/budget.hpp"
#include "task/task.hpp"

namespace fsplan {

using Symbol = std::uint32_t;

// Limit on the number of arguments of facts and actions that refinements visit in some hundredths of a second.
inline constexpr std::size_t kMostVisitsForColours = 5'000'000;

inline std::uint64_t mixed_colour(std::uint64_t hash, std::uint64_t value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15ULL;
    return hash ^ hash >> 29;
}

class ObjectColours {
public:
    using Pairs = std::vector<std::pair<Symbol, Symbol>>;

    ObjectColours(const GroundTask& task, Budget& watch) : watch_(watch) {
        std::vector<std::uint8_t> is_goal(task.fact_count()), is_object(task.symbols.size());
        for (const FactId fact : task.goal) is_goal[fact] = 1;
        const auto add = [&](std::span<const Symbol> row, std::uint64_t kind) {
            if (row.size() < 2) return;
            for (const Symbol object : row.subspan(1)) tuples_.items.push_back(object), is_object[object] = 1;
            tuples_.end_row();
            kind_.push_back(mixed_colour(kind, row[0]));
        };
        for (FactId fact = 0; fact < task.fact_count(); ++fact)
            add(task.fact_atom[fact], 2 * is_goal[fact] + task.fact_negated[fact]);
        for (ActionId action = 0; action < task.action_count(); ++action)
            add(task.action_atom[action], 4 + static_cast<std::uint64_t>(task.cost[action]));
        for (Symbol symbol = 0; symbol < is_object.size(); ++symbol)
            if (is_object[symbol]) objects_.push_back(symbol);
        next_.resize(is_object.size());
    }

    // The objects of each colour, in the order of the symbols.
    std::map<std::uint64_t, std::vector<Symbol>> classes() {
        std::map<std::uint64_t, std::vector<Symbol>> classes;
        refined({}, before_);
        for (const Symbol object : objects_) classes[before_[object]].push_back(object);
        return classes;
    }
    // Finds a candidate for a symmetry that exchanges left and right: pairs of objects that are exchanged at once.
    // Colours are refined with left and right marked, and again with the marks exchanged. The symmetry maps objects of a
    // colour in the first refinement to objects of this colour in the second one. If a colour has several objects, one
    // pair of them is chosen and marked, too, and colours are refined again. Returns no pairs if there is no symmetry,
    // or if kMostVisitsForColours is reached.
    Pairs exchange(Symbol left, Symbol right) {
        std::vector<Symbol> from{left, right}, to{right, left};
        while (work_ < kMostVisitsForColours) {
            Pairs pairs;
            const auto colours = moved(refined(from, before_), refined(to, after_));
            const Halves* choice = nullptr;
            for (const auto& [colour, halves] : colours) {
                if (halves.before.size() != halves.after.size()) return {};
                if (halves.before.size() > 1) choice = &halves;
                else pairs.emplace_back(halves.before[0], halves.after[0]);
            }
            if (choice == nullptr) {
                std::erase_if(pairs, [](const auto& pair) { return pair.first > pair.second; });
                std::ranges::sort(pairs);
                return pairs;
            }
            from.insert(from.end(), {choice->before[0], choice->after[0]});
            to.insert(to.end(), {choice->after[0], choice->before[0]});
        }
        return {};
    }

private:
    using Colours = std::vector<std::uint64_t>;  // one per symbol
    struct Halves {
        std::vector<Symbol> before, after;  // objects of a colour in the first and in the second refinement
    };

    // Colour refinement until the number of colours no longer grows. Initially each marked object has a colour of its
    // own, and all other objects have the same colour.
    const Colours& refined(std::span<const Symbol> marked, Colours& colours) {
        colours.assign(next_.size(), 0);
        for (std::size_t i = 0; i < marked.size(); ++i) colours[marked[i]] = i + 1;
        for (std::size_t before = 0, now = 1; now > before && work_ < kMostVisitsForColours; now = count(colours)) {
            before = now;
            refine(colours);
        }
        return colours;
    }
    void refine(Colours& colours) {
        std::copy(colours.begin(), colours.end(), next_.begin());
        for (std::size_t row = 0; row < tuples_.size(); ++row) {
            watch_.tick();
            std::uint64_t hash = kind_[row];
            for (const Symbol object : tuples_[row]) hash = mixed_colour(hash, colours[object]);
            std::uint64_t place = 0;
            for (const Symbol object : tuples_[row])
                next_[object] += mixed_colour(hash, ++place);  // a sum, so the order of rows does not matter
        }
        for (const Symbol object : objects_) next_[object] = mixed_colour(next_[object], 1);
        colours.swap(next_);
        work_ += tuples_.items.size();
    }
    std::size_t count(const Colours& colours) {
        sorted_.clear();
        for (const Symbol object : objects_) sorted_.push_back(colours[object]);
        std::ranges::sort(sorted_);
        return static_cast<std::size_t>(std::unique(sorted_.begin(), sorted_.end()) - sorted_.begin());
    }
    // Leaves out objects with the same colour in both refinements: the exchange does not move them.
    std::map<std::uint64_t, Halves> moved(const Colours& before, const Colours& after) const {
        std::map<std::uint64_t, Halves> colours;
        for (const Symbol object : objects_) {
            if (before[object] == after[object]) continue;
            colours[before[object]].before.push_back(object);
            colours[after[object]].after.push_back(object);
        }
        return colours;
    }

    Budget& watch_;
    std::vector<Symbol> objects_;
    Rows tuples_;  // arguments of each fact and action
    std::vector<std::uint64_t>
        kind_;  // kind of each tuple, e.g. a goal of this predicate, an action of this schema and cost
    std::size_t work_ = 0;
    Colours next_, sorted_, before_, after_;
};

}  // namespace fsplan
