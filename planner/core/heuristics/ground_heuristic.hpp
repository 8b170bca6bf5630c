// Heuristics of ground tasks. Each is a class behind one virtual call, which is lost in the microsecond it takes.
//
//   hmax       max over the goal facts of their cheapest relaxed cost       admissible, consistent
//   lmcut      landmark cuts                                                admissible
//   blind      0 at goals, elsewhere the cheapest action's cost             admissible, consistent
//   goalcount  goal facts that do not hold
//   hadd       sum over the goal facts of their relaxed costs
//   hff        cost of a relaxed plan whose operators are the cheapest by hadd
// Asked for a guide, every one of them also gives the cost of a relaxed plan and its applicable actions as helpful.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "heuristic.hpp"
#include "task/layout.hpp"

namespace fsplan {

class GroundHeuristic {
public:
    virtual ~GroundHeuristic() = default;
    virtual HeuristicProperties properties() const = 0;
    virtual Evaluation evaluate(const Word* state) = 0;
    Evaluation evaluate_child(const Word*, Cost, ActionId, const Word* child) { return evaluate(child); }
    // The applicable actions of the relaxed plan of the state evaluated last, ascending; only with a guide.
    virtual std::span<const ActionId> helpful() = 0;
    virtual void want_guide(bool on) = 0;
    // With a guide: the same for less where h is costly, with a weaker h.
    virtual bool is_quick() const { return false; }
    virtual Evaluation quick(const Word* state) { return evaluate(state); }
};

// The names above, the default first.
const std::vector<std::string>& ground_heuristic_names();

// Throws std::invalid_argument for an unknown name. Task and layout must outlive the heuristic.
std::unique_ptr<GroundHeuristic> make_ground_heuristic(const std::string& name, const GroundTask& task,
                                                       const Layout& layout);

}  // namespace fsplan
