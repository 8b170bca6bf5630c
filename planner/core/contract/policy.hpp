// A policy maps a batch of states to scores of their applicable actions. States have different numbers of actions, so
// the scores of all states lie one after the other in one array, with the offset of each state.
// The interface is type-erased over the state's integer view (Graph::values), so that one native network, one table
// and one Python object serve every space. It costs one virtual call per batch, never one per edge.
#pragma once

#include <atomic>
#include <thread>

#include "contract/graph.hpp"

namespace fsplan {

// The part of the policy's output that a search reads. If it reads ranks, any scores in the same order suffice; if it
// reads the first choice, any scores with the same best action. Actions of equal probability must have equal scores.
enum class Reading : std::uint8_t { log_probabilities, ranks, first_choice };

struct PolicyBatch {
    std::size_t size;                  // states in the batch
    std::size_t width;                 // integers per state
    const std::int32_t* values;        // size × width
    const std::uint32_t* edges_begin;  // size + 1 offsets: state i has the edges begin[i] to begin[i + 1] - 1
    const ActionId* actions;           // per edge
    const Cost* costs;                 // per edge
    const Cost* guides;                // per edge: guide of the successor; nullptr unless needs_guide()
    const std::uint8_t* helpful;       // per edge: 1 if the action is helpful, else 0; nullptr unless needs_guide()
    float* log_probabilities;          // per edge, the output; finite, in [kLogZero, 0]
    const Cost* heuristics = nullptr;  // per edge: h of the successor; nullptr unless needs_guide()
    Reading reading = Reading::log_probabilities;
};

inline constexpr float kLogZero = -700.0F;

class Policy {
public:
    virtual ~Policy() = default;
    virtual void score(const PolicyBatch& batch) = 0;
    // Whether batch.values is needed; otherwise it is not set.
    virtual bool needs_values() const { return true; }
    virtual bool needs_guide() const { return false; }
    // Whether the policy always prefers helpful actions to others. Its first choice is then the helpful action with the
    // least cost + guide of the successor, ties broken by least cost + h, then by lowest number; helpful actions that
    // lead to dead ends are skipped. A search that reads only the first choice may find it without calling the policy.
    // If one of these helpful actions exists, no other guides are read, so they may be kDeadEnd.
    virtual bool prefers_helpful() const { return false; }
    // Whether π is 0 for inapplicable actions, so that masking them changes nothing. Any other policy must also score
    // inapplicable actions if SearchOptions::masked is false.
    virtual bool is_well_defined() const { return false; }
    // Whether actions of equal scores have the same rank, so that a state may have several first choices.
    virtual bool shares_ties() const { return false; }
    // Whether scores are -Q(s, a) instead of log-probabilities; Q is the cost of the action plus the cost to go after it.
    virtual bool gives_values() const { return false; }
    // Work of all calls so far, in units of work (request.hpp), without a fixed amount per state and edge.
    virtual std::uint64_t work() const { return 0; }
    // Preferred number of states per call; more than 1 for policies with a high cost per call.
    virtual std::size_t preferred_batch() const { return 1; }
};

// A policy whose score() uses buffers of the object. Searches in several threads may share it, so calls are serialised
// by a spin lock: calls are short, and an uncontended lock is a single atomic exchange.
class PolicyWithMemory : public Policy {
public:
    void score(const PolicyBatch& batch) final {
        const Turn turn(busy_);
        score_in_turn(batch);
    }

protected:
    virtual void score_in_turn(const PolicyBatch& batch) = 0;

private:
    struct Turn {
        explicit Turn(std::atomic_flag& busy) : busy(busy) {
            while (busy.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
        }
        ~Turn() { busy.clear(std::memory_order_release); }
        std::atomic_flag& busy;
    };

    std::atomic_flag busy_;
};

}  // namespace fsplan
