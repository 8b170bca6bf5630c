// Tags that distinguish the kinds of features. They are part of the file format (see hashing.hpp).
#pragma once

#include "policies/relational/hashing.hpp"

namespace fsplan::relational::tag {

inline constexpr Hash schema = 10, label = 11, argument = 12, pair = 13, tuple = 14, link = 15, links = 16, effect = 17,
                      helpful = 18, progress = 19, gap = 20, company = 21, cost = 22, lag = 23, supplies = 24,
                      breaks = 25, view = 26, role = 27, compare = 28;

}  // namespace fsplan::relational::tag
