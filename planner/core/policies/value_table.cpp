#include "policies/value_table.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace fsplan {

ValueTable::ValueTable(std::span<const std::int32_t> domain_sizes)
    : packed_(layout(domain_sizes, fields_)), store_(packed_.size()) {}

std::size_t ValueTable::layout(std::span<const std::int32_t> domain_sizes, std::vector<Field>& fields) {
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

const ValueTable::Word* ValueTable::pack(const std::int32_t* values) {
    std::fill(packed_.begin(), packed_.end(), 0);
    in_range_ = true;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
        const auto value = static_cast<std::uint32_t>(values[i]);
        in_range_ &= value < fields_[i].size;
        packed_[fields_[i].word] |= static_cast<Word>(value) << fields_[i].shift;
    }
    return packed_.data();
}

StateId ValueTable::find(const std::int32_t* values) {
    const Word* packed = pack(values);
    return in_range_ ? store_.find(packed) : kNoState;
}

}  // namespace fsplan
