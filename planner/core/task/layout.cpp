#include "task/layout.hpp"

namespace fsplan {

namespace {

void place_derived(const GroundTask& task, Layout& layout) {
    std::uint32_t used = kWordBits;
    for (std::size_t v = 0; v < task.variable_count(); ++v) {
        if (task.layer[v] < 0) continue;
        auto width = static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint32_t>(task.domain_size[v] - 1)));
        if (width == 0) continue;
        if (used + width > kWordBits) {
            ++layout.words;
            used = 0;
        }
        auto mask = static_cast<Word>(((std::uint64_t{1} << width) - 1) << used);
        layout.field[v] = {static_cast<std::uint32_t>(layout.words - 1), used, mask};
        used += width;
    }
}

}  // namespace

Layout::Layout(const GroundTask& task) : variable_of(variables_of_facts(task)) {
    auto packing = pack(task);
    field = std::move(packing.field);
    stored_words = words = packing.words;
    place_derived(task, *this);
}

std::vector<WordTest> Layout::tests(const GroundTask& task, std::span<const FactId> facts) const {
    std::vector<WordTest> result;
    for (auto fact : facts) {
        auto variable = variable_of[fact];
        const auto& place = field[variable];
        if (place.mask == 0) continue;  // a variable with a single value needs no test
        auto value = static_cast<Word>(fact - task.first_fact[variable]) << place.shift;
        auto same = std::ranges::find_if(result, [&](const auto& t) { return t.word == place.word; });
        if (same == result.end()) same = result.insert(result.end(), {place.word, 0, 0});
        same->mask |= place.mask;
        same->value |= value;
    }
    return result;
}

}  // namespace fsplan
