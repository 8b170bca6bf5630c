// Arrays and bytes between Python and the native code.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "base/std.hpp"

namespace fsplan {

// Type of arguments: a contiguous one-dimensional array of any library, which is only read.
template <class T>
using Column = nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
// Type of arguments: the integers of several states, one row per state.
using Values = nanobind::ndarray<const std::int32_t, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;
// Type of results: a one-dimensional NumPy array.
template <class T>
using Array = nanobind::ndarray<nanobind::numpy, T, nanobind::ndim<1>>;

template <class T>
std::span<const T> items(const Column<T>& column) {
    return {column.data(), column.shape(0)};
}

// Moves the numbers into an array, without copying them.
template <class T>
Array<T> to_array(std::vector<T>&& numbers) {
    auto* kept = new std::vector<T>(std::move(numbers));
    nanobind::capsule owner(kept, [](void* pointer) noexcept { delete static_cast<std::vector<T>*>(pointer); });
    return {kept->data(), {kept->size()}, owner};
}

// The little-endian numbers of a weights file, given as its bytes.
template <class T>
std::vector<T> numbers_in(const nanobind::bytes& data) {
    if (data.size() % sizeof(T) != 0) throw std::invalid_argument("the bytes are not whole numbers");
    std::vector<T> numbers(data.size() / sizeof(T));
    std::memcpy(numbers.data(), data.c_str(), data.size());
    return numbers;
}

// Throws unless `begin` is an array of states + 1 ascending offsets, where state i has the edges begin[i] to begin[i + 1] - 1.
inline void check_edges(const Column<std::uint32_t>& begin, std::size_t states, std::size_t edges) {
    if (begin.shape(0) != states + 1 || begin(0) != 0 || begin(states) != edges) {
        throw std::invalid_argument(
            "edges_begin must have an entry per state and one more, from 0 to the number of edges");
    }
    for (std::size_t i = 0; i < states; ++i) {
        if (begin(i) > begin(i + 1)) throw std::invalid_argument("edges_begin must not fall");
    }
}

}  // namespace fsplan
