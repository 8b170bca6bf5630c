// A growing array of plain values, in memory that grows without being copied (blocks.hpp).
#pragma once

#include "containers/blocks.hpp"

namespace fsplan {

template <class T>
class FlatArray {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    FlatArray() = default;
    FlatArray(FlatArray&& other) noexcept { swap(other); }
    FlatArray& operator=(FlatArray&& other) noexcept {
        swap(other);
        return *this;
    }
    ~FlatArray() { free_block(block_); }

    T& operator[](std::size_t index) { return data()[index]; }
    const T& operator[](std::size_t index) const { return data()[index]; }
    T* data() { return static_cast<T*>(block_.data); }
    const T* data() const { return static_cast<const T*>(block_.data); }
    T* begin() { return data(); }
    T* end() { return data() + size_; }
    const T* begin() const { return data(); }
    const T* end() const { return data() + size_; }
    T& back() { return data()[size_ - 1]; }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    std::size_t bytes() const { return size_ * sizeof(T); }
    void clear() { size_ = 0; }
    void pop_back() { --size_; }

    [[gnu::always_inline]] void push_back(T value) {
        if (size_ == capacity_) reserve(size_ + 1);
        data()[size_++] = value;
    }
    // Appends `count` elements, which are not initialised.
    T* extend(std::size_t count) {
        if (size_ + count > capacity_) reserve(size_ + count);
        size_ += count;
        return data() + size_ - count;
    }
    // Reserves memory for `count` further elements.
    void make_room(std::size_t count) {
        if (size_ + count > capacity_) reserve(size_ + count);
    }
    void resize(std::size_t size, T value) {
        if (size > capacity_) reserve(size);
        while (size_ < size) data()[size_++] = value;
        size_ = size;
    }
    void swap(FlatArray& other) noexcept {
        std::swap(block_, other.block_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
    }

private:
    [[gnu::noinline]] void reserve(std::size_t wanted) {
        std::size_t capacity = capacity_ + capacity_ / 2 + 16;
        if (capacity < wanted) capacity = wanted;
        if (capacity > static_cast<std::size_t>(-1) / (2 * sizeof(T))) throw std::bad_alloc();
        block_ = grow_block(block_, capacity * sizeof(T));
        capacity_ = block_.bytes / sizeof(T);
    }

    Block block_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace fsplan
