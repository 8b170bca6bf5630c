#pragma once

#include "base/std.hpp"

namespace fsplan {

// Sorts the items and removes duplicates.
template <class Item>
void sort_unique(std::vector<Item>& items) {
    std::ranges::sort(items);
    items.erase(std::unique(items.begin(), items.end()), items.end());
}

}  // namespace fsplan
