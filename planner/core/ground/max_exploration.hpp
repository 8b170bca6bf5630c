// h_max: in which round, and at which cost, the facts of the relaxation become reachable from a state.
//
// A generalised Dijkstra in rounds of equal cost. An operator waits until its last precondition is reached, is then due
// at that cost plus its own, and brings its effects when its turn comes; so nothing is ever decreased or stale. The
// exploration ends when the goal is reached.
//
// Up to kMostDense facts are sets of bits, and every round looks at all operators (dense_exploration.hpp). For more facts,
// or so many operators that looking is not cheap, there is one counter for each operator.
#pragma once

#include <memory>
#include <vector>

#include "ground/layout.hpp"
#include "ground/relaxation.hpp"

namespace fsplan {

inline constexpr std::size_t kMostDense = 512;

// When each fact was reached: round 0 is the state itself.
struct Rounds {
    static constexpr std::uint32_t kNever = 0xFFFFFFFF;

    std::vector<std::uint32_t> of_fact;
    std::vector<Cost> cost{0};  // per round

    void clear() {
        std::fill(of_fact.begin(), of_fact.end(), kNever);
        cost.resize(1);
    }
    void begin(Cost next) { cost.push_back(next); }
    void reach(std::uint32_t fact) { of_fact[fact] = static_cast<std::uint32_t>(cost.size() - 1); }
};

class MaxExploration {
public:
    virtual ~MaxExploration() = default;
    // h_max; kDeadEnd where the goal is unreachable. With rounds, they are filled in.
    virtual Cost explore(const Word* state, Rounds* rounds) = 0;
};

// All arguments must outlive the exploration.
std::unique_ptr<MaxExploration> make_max_exploration(const GroundTask& task, const Layout& layout,
                                                     const Relaxation& relaxation);

}  // namespace fsplan
