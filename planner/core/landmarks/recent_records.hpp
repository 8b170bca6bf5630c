// A bounded cache of rows of numbers, one per search node: the oldest rows are discarded to make room for new ones.
#pragma once

#include "base/memory.hpp"
#include "containers/array.hpp"
#include "contract/graph.hpp"

namespace fsplan {

class RecentRecords {
public:
    // The row of the node; empty if there is none or it was discarded. Valid until the next set().
    std::span<const std::uint32_t> of(StateId node) const {
        if (node >= places_.size() || places_[node] == kNowhere || end_ - places_[node] > capacity_) return {};
        const std::uint32_t* record = words_.data() + places_[node] % capacity_;
        return {record + 1, record[0]};
    }

    void set(StateId node, std::span<const std::uint32_t> record) {
        if (places_.empty()) capacity_ = capacity();  // the memory limit is known only when the search runs
        const std::size_t size = record.size() + 1;
        if (size > capacity_ / 16) return;
        if (end_ % capacity_ + size > capacity_) end_ += capacity_ - end_ % capacity_;  // rows do not wrap around
        const std::size_t place = end_ % capacity_;
        if (place + size > words_.size()) words_.extend(place + size - words_.size());
        words_[place] = static_cast<std::uint32_t>(record.size());
        std::copy(record.begin(), record.end(), words_.data() + place + 1);
        if (node >= places_.size()) places_.resize(node + 1, kNowhere);
        places_[node] = end_;
        end_ += size;
    }

private:
    static constexpr std::uint64_t kNowhere = ~std::uint64_t{0};
    static constexpr std::size_t kMostBytes = 128'000'000;

    // At most an eighth of the memory limit.
    static std::size_t capacity() {
        const std::size_t share = memory_limit_bytes == 0 ? kMostBytes : memory_limit_bytes / 8;
        return std::min(share, kMostBytes) / sizeof(std::uint32_t);
    }

    std::size_t capacity_ = 0;  // of the ring buffer, in numbers
    FlatArray<std::uint32_t> words_;
    FlatArray<std::uint64_t> places_;  // per node: its row begins at this number modulo capacity_
    std::uint64_t end_ = 0;
};

}  // namespace fsplan
