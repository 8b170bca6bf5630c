#include "task/packing.hpp"

namespace fsplan {

namespace {

std::uint32_t bits_for(std::int32_t domain_size) {
    return static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint32_t>(domain_size - 1)));
}

}  // namespace

// Best fit, widest variables first: free[b] is a stack of the words with b bits left.
Packing pack(const GroundTask& task) {
    Packing packing;
    packing.field.resize(task.variable_count());
    std::array<std::vector<std::uint32_t>, kWordBits + 1> of_width;
    for (std::uint32_t variable = 0; variable < task.variable_count(); ++variable)
        if (task.layer[variable] < 0) of_width[bits_for(task.domain_size[variable])].push_back(variable);

    std::array<std::vector<std::uint32_t>, kWordBits + 1> free;
    std::uint32_t words = 0;
    for (std::uint32_t width = kWordBits; width > 0; --width) {
        for (auto variable : of_width[width]) {
            std::uint32_t room = width;
            while (room <= kWordBits && free[room].empty()) ++room;
            if (room > kWordBits) {
                room = kWordBits;
                free[room].push_back(words++);
            }
            auto word = free[room].back();
            free[room].pop_back();
            free[room - width].push_back(word);
            auto shift = kWordBits - room;
            auto mask = static_cast<Word>(((std::uint64_t{1} << width) - 1) << shift);
            packing.field[variable] = {word, shift, mask};
        }
    }
    packing.words = std::max<std::size_t>(words, 1);
    return packing;
}

}  // namespace fsplan
