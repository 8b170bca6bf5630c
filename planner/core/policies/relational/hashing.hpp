// Hash functions for colours and features. They are part of the file format: a stored weight belongs to a hash,
// so a change here needs another feature version (features.hpp).
#pragma once

#include "containers/store.hpp"

namespace fsplan::relational {

using Hash = std::uint64_t;

// Multiplier for keys, which are not stored in files; adding and multiplying is faster than join.
inline constexpr Hash kOdd = 0x9E3779B97F4A7C15ULL;

inline Hash join(Hash left, Hash right) { return mix(left * kOdd + right); }

// FNV-1a over the bytes of a name.
inline Hash hash_name(std::string_view name) {
    Hash hash = 0xCBF29CE484222325ULL;
    for (const char letter : name) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001B3ULL;
    return mix(hash);
}

// Tags that distinguish the kinds of features. They are part of the file format, too.
namespace tag {

inline constexpr Hash schema = 10, label = 11, argument = 12, pair = 13, tuple = 14, link = 15, links = 16, effect = 17,
                      helpful = 18, progress = 19, gap = 20, company = 21, cost = 22, lag = 23, supplies = 24,
                      breaks = 25, view = 26, role = 27, compare = 28;

}  // namespace tag

}  // namespace fsplan::relational
