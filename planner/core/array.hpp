// A growing array of plain values. realloc moves large blocks by remapping their pages, so growing neither copies nor
// doubles the peak, and pages not yet written cost no memory.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>

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
    ~FlatArray() { std::free(data_); }

    T& operator[](std::size_t index) { return data_[index]; }
    const T& operator[](std::size_t index) const { return data_[index]; }
    T* data() { return data_; }
    const T* data() const { return data_; }
    T* begin() { return data_; }
    T* end() { return data_ + size_; }
    const T* begin() const { return data_; }
    const T* end() const { return data_ + size_; }
    T& back() { return data_[size_ - 1]; }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    std::size_t bytes() const { return size_ * sizeof(T); }
    void clear() { size_ = 0; }
    void pop_back() { --size_; }

    void push_back(T value) {
        if (size_ == capacity_) reserve(size_ + 1);
        data_[size_++] = value;
    }
    // New elements are left unset.
    T* extend(std::size_t count) {
        if (size_ + count > capacity_) reserve(size_ + count);
        size_ += count;
        return data_ + size_ - count;
    }
    void resize(std::size_t size, T value) {
        if (size > capacity_) reserve(size);
        while (size_ < size) data_[size_++] = value;
        size_ = size;
    }
    void swap(FlatArray& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
    }

private:
    [[gnu::noinline]] void reserve(std::size_t wanted) {
        std::size_t capacity = capacity_ + capacity_ / 2 + 16;
        if (capacity < wanted) capacity = wanted;
        if (capacity > static_cast<std::size_t>(-1) / (2 * sizeof(T))) throw std::bad_alloc();
        void* moved = std::realloc(static_cast<void*>(data_), capacity * sizeof(T));
        if (moved == nullptr) throw std::bad_alloc();
        data_ = static_cast<T*>(moved);
        capacity_ = capacity;
    }

    T* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace fsplan
