// Compressed records of nodes: h_FF or another guide, the number of steps, and the helpful actions.
#pragma once

#include "containers/array.hpp"
#include "contract/heuristic.hpp"

namespace fsplan {

// A record is a list of numbers: guide, steps, the number of helpful actions, and the differences between successive
// helpful actions, which are small since these are sorted. Each number takes one byte per seven bits. A node may share
// its parent's record.
class GuideRecords {
public:
    void add_unknown() { places_.push_back(kUnknown); }
    void add_borrowed(StateId other) { places_.push_back(places_[other] | kBorrowed); }
    void add(const Evaluation& evaluation, std::span<const ActionId> helpful) {
        places_.push_back(store(evaluation, helpful));
    }
    void set(StateId id, const Evaluation& evaluation, std::span<const ActionId> helpful) {
        places_[id] = store(evaluation, helpful);
    }
    bool knows(StateId id) const { return places_[id] != kUnknown; }
    // Whether the node has a record of its own.
    bool owns(StateId id) const { return places_[id] < kBorrowed; }
    Cost guide(StateId id) const { return static_cast<Cost>(read(record(id))); }
    Cost steps(StateId id) const {
        const std::uint8_t* next = record(id);
        read(next);
        return static_cast<Cost>(read(next));
    }
    // Valid until the next call.
    std::span<const ActionId> helpful(StateId id) {
        const std::uint8_t* next = record(id);
        read(next);
        read(next);
        helpful_.resize(read(next));
        ActionId action = 0;
        for (ActionId& each : helpful_) each = action += read(next);
        return helpful_;
    }
    std::size_t bytes() const { return places_.bytes() + bytes_.bytes(); }

private:
    static constexpr std::uint32_t kUnknown = 0xFFFFFFFF;
    static constexpr std::uint32_t kBorrowed = std::uint32_t{1} << 31;
    static constexpr std::size_t kAlignment = 4;  // of records: places of 31 bits can address 8 GB
    static constexpr std::size_t kMostBytes = 5;  // maximum size of a number

    static std::uint32_t read(const std::uint8_t*&& next) { return read(next); }
    static std::uint32_t read(const std::uint8_t*& next) {
        std::uint32_t number = *next & 0x7F;
        for (int shift = 7; *next++ & 0x80; shift += 7) number |= std::uint32_t{*next & 0x7Fu} << shift;
        return number;
    }
    static std::uint8_t* write(std::uint8_t* next, std::uint32_t number) {
        for (; number >= 0x80; number >>= 7) *next++ = static_cast<std::uint8_t>(number | 0x80);
        *next++ = static_cast<std::uint8_t>(number);
        return next;
    }
    const std::uint8_t* record(StateId id) const { return bytes_.data() + kAlignment * (places_[id] & ~kBorrowed); }

    std::uint32_t store(const Evaluation& evaluation, std::span<const ActionId> helpful) {
        const std::size_t place = bytes_.size() / kAlignment;
        if (place >= kBorrowed) throw std::bad_alloc();
        bytes_.make_room(kMostBytes * (3 + helpful.size()) + kAlignment);
        std::uint8_t* next = bytes_.end();
        next = write(next, static_cast<std::uint32_t>(evaluation.guide));
        next = write(next, static_cast<std::uint32_t>(evaluation.steps < 0 ? evaluation.guide : evaluation.steps));
        next = write(next, static_cast<std::uint32_t>(helpful.size()));
        ActionId before = 0;
        for (const ActionId action : helpful) next = write(next, action - std::exchange(before, action));
        const auto length = static_cast<std::size_t>(next - bytes_.end());
        bytes_.extend((length + kAlignment - 1) / kAlignment * kAlignment);
        return static_cast<std::uint32_t>(place);
    }

    FlatArray<std::uint32_t> places_;
    FlatArray<std::uint8_t> bytes_;
    std::vector<ActionId> helpful_;
};

}  // namespace fsplan
