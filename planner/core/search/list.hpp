// The searches, in the order in which they are listed to users. Each name stands for an object `name_search`, its
// declaration, which is defined in the search's own file in the folder searches/. To add a search, write its file and
// add its line here.
#pragma once

#include "search/info.hpp"

namespace fsplan {

// clang-format off: one entry per line
#define FSPLAN_SEARCHES(search) \
    search(focal)               \
    search(astar)               \
    search(wastar)              \
    search(gbfs)                \
    search(prefastar)           \
    search(idastar)             \
    search(unroll)              \
    search(follow)              \
    search(optimistic)          \
    search(rr_d)                \
    search(dps)                 \
    search(ees)                 \
    search(xdp)                 \
    search(xup)                 \
    search(dswa)                \
    search(levin)               \
    search(phs)                 \
    search(rlts)                \
    search(rlts_focal)          \
    search(pfs)                 \
    search(ios)                 \
    search(lds)                 \
    search(beam)                \
    search(qstar)               \
    search(lama)                \
    search(bfws)                \
    search(auto)
// clang-format on

#define FSPLAN_DECLARE(name) extern const SearchInfo name##_search;
FSPLAN_SEARCHES(FSPLAN_DECLARE)
#undef FSPLAN_DECLARE

#define FSPLAN_ADDRESS(name) &name##_search,
inline constexpr std::array kSearches{FSPLAN_SEARCHES(FSPLAN_ADDRESS)};
#undef FSPLAN_ADDRESS

}  // namespace fsplan
