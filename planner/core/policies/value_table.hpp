// Finds states by their integers (Graph::values), each packed into as few words as its domains allow.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "containers/store.hpp"
#include "contract/graph.hpp"

namespace fsplan {

class ValueTable {
public:
    using Word = std::uint64_t;

    explicit ValueTable(std::span<const std::int32_t> domain_sizes);

    Interned intern(const std::int32_t* values) { return store_.intern(pack(values)); }
    // kNoState if the state was never interned or has a value outside its domain.
    StateId find(const std::int32_t* values);
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

    const Word* pack(const std::int32_t* values);
    static std::size_t layout(std::span<const std::int32_t> domain_sizes, std::vector<Field>& fields);

    std::vector<Field> fields_;
    std::vector<Word> packed_;
    PackedStore<Word> store_;
    bool in_range_ = true;
};

}  // namespace fsplan
