#include "relaxation/sampled_states.hpp"

#include <random>

#include "task/ground_graph.hpp"

namespace fsplan {

std::vector<StateValues> sample_states(const GroundTask& task, Budget& watch) {
    constexpr std::size_t walks = 100, longest = 100;
    GroundGraph graph(task, watch);
    std::mt19937_64 random(1);
    std::vector<StateValues> samples;
    std::vector<std::vector<Word>> successors;
    for (std::size_t walk = 0; walk <= walks; ++walk) {
        std::vector<Word> state(graph.start(), graph.start() + graph.layout().stored_words);
        for (std::size_t length = walk == 0 ? 0 : random() % longest; length > 0; --length) {
            watch.tick();
            successors.clear();
            graph.successors(state.data(), [&](ActionId, Cost, const Word* each) {
                successors.emplace_back(each, each + graph.layout().stored_words);
            });
            if (successors.empty()) break;
            state = successors[random() % successors.size()];
        }
        graph.values(state.data(), samples.emplace_back(task.variable_count()));
    }
    return samples;
}

}  // namespace fsplan
