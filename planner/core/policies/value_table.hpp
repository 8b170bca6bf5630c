// Finds states by their integers (Graph::values), each packed into as few words as its domains allow.
#pragma once

#include "containers/store.hpp"
#include "contract/graph.hpp"

namespace fsplan {

class ValueTable {
public:
    using Word = std::uint64_t;

    explicit ValueTable(std::span<const std::int32_t> domain_sizes)
        : packed_(layout(domain_sizes, fields_)), store_(packed_.size()) {}

    Interned intern(const std::int32_t* values) { return store_.intern(pack(values)); }
    // The number of the state; kNoState if it was never added or has a value outside its domain.
    StateId find(const std::int32_t* values) {
        const Word* packed = pack(values);
        return in_range_ ? store_.find(packed) : kNoState;
    }
    // Hash of the state that was packed last.
    std::uint64_t hash() const { return hash_words(packed_.data(), packed_.size() * sizeof(Word)); }

    std::size_t width() const { return fields_.size(); }
    std::size_t size() const { return store_.size(); }
    std::size_t bytes() const { return store_.bytes(); }

private:
    struct Field {
        std::uint32_t word;
        std::uint32_t shift;
        std::uint32_t size;
    };

    const Word* pack(const std::int32_t* values) {
        std::fill(packed_.begin(), packed_.end(), 0);
        in_range_ = true;
        for (std::size_t i = 0; i < fields_.size(); ++i) {
            const auto value = static_cast<std::uint32_t>(values[i]);
            in_range_ &= value < fields_[i].size;
            packed_[fields_[i].word] |= static_cast<Word>(value) << fields_[i].shift;
        }
        return packed_.data();
    }
    static std::size_t layout(std::span<const std::int32_t> domain_sizes, std::vector<Field>& fields) {
        std::uint32_t word = 0, used = 0;
        for (const std::int32_t size : domain_sizes) {
            if (size <= 0) throw std::invalid_argument("a domain is empty");
            const auto bits = static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint32_t>(size - 1)));
            if (used + bits > 64) {
                ++word;
                used = 0;
            }
            fields.push_back({word, std::min(used, 63U), static_cast<std::uint32_t>(size)});
            used += bits;
        }
        return word + 1;
    }

    std::vector<Field> fields_;
    std::vector<Word> packed_;
    PackedStore<Word> store_;
    bool in_range_ = true;
};

}  // namespace fsplan
