#include "ungrounded/twins.hpp"

namespace fsplan {

namespace {

// Labels for information other than atoms, which is hashed as if it were atoms. Labels of atoms are predicate numbers.
constexpr std::uint64_t kType = std::uint64_t{1} << 32, kGoal = std::uint64_t{2} << 32,
                        kFunction = std::uint64_t{3} << 32, kName = std::uint64_t{4} << 32;

std::uint64_t joined(std::uint64_t left, std::uint64_t right) { return mix(left * 0x9E3779B97F4A7C15ULL + right); }

}  // namespace

Twins::Twins(const lifted::Task& task) : constant_(task.objects.size()), rank_(task.objects.size()) {
    for (std::size_t type = 0; type < task.objects_of_type.size(); ++type)
        for (const Object object : task.objects_of_type[type]) add(constant_, kType + type, {&object, 1});
    for (const auto& goal : task.goal) {
        std::vector<Object> objects;
        for (const auto term : goal.arguments) objects.push_back(~term);
        add(constant_, kGoal + 2 * static_cast<std::uint64_t>(goal.predicate) + (goal.negated ? 1 : 0), objects);
    }
    for (std::size_t function = 0; function < task.functions.size(); ++function) {
        const auto arity = static_cast<std::size_t>(task.function_arity[function]);
        const auto& rows = task.function_values[function].rows;
        for (std::size_t at = 0; at < rows.size(); at += arity + 1)
            add(constant_, joined(kFunction + function, static_cast<std::uint64_t>(rows[at + arity])),
                {rows.data() + at, arity});
    }
    // Objects that occur as constants in schemas are not interchangeable with others.
    const auto mark_names = [&](const std::vector<lifted::Term>& terms) {
        for (const auto term : terms)
            if (term < 0)
                constant_[static_cast<std::size_t>(~term)] += joined(kName, static_cast<std::uint64_t>(~term));
    };
    for (const auto& schema : task.schemas) {
        for (const auto& literal : schema.precondition) mark_names(literal.arguments);
        for (const auto& effect : schema.effects) mark_names(effect.literal.arguments);
        for (const auto& term : schema.cost) mark_names(term.arguments);
    }
    for (Object object = 0; object < static_cast<Object>(task.objects.size()); ++object) order_.push_back(object);
}

// Adds the hash of an atom to the keys of its objects. In the hash for an object, this object itself is replaced by a mark.
void Twins::add(std::vector<std::uint64_t>& keys, std::uint64_t label, std::span<const Object> objects) {
    for (std::size_t own = 0; own < objects.size(); ++own) {
        std::uint64_t hash = joined(label + 1, own);  // not 0, because joined(0, 0) is 0
        for (const Object object : objects)
            hash = joined(hash, object == objects[own] ? 1 : static_cast<std::uint64_t>(object) + 2);
        keys[static_cast<std::size_t>(objects[own])] += hash;
    }
}

void Twins::finish() {
    const auto key = [&](Object object) { return keys_[static_cast<std::size_t>(object)]; };
    std::ranges::sort(order_, [&](Object a, Object b) { return key(a) != key(b) ? key(a) < key(b) : a < b; });
    for (std::size_t i = 0; i < order_.size(); ++i)
        rank_[static_cast<std::size_t>(order_[i])] =
            i != 0 && are_twins(order_[i - 1], order_[i]) ? rank(order_[i - 1]) + 1 : 0;
}

bool Twins::is_first(std::span<const Object> arguments) const {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        std::uint32_t before = 0;  // number of distinct earlier arguments that are interchangeable with this one
        bool is_new = true;
        for (std::size_t j = 0; j < i && is_new; ++j) {
            is_new = arguments[j] != arguments[i];
            const bool counts = are_twins(arguments[j], arguments[i]) &&
                                std::find(arguments.begin(), arguments.begin() + static_cast<std::ptrdiff_t>(j),
                                          arguments[j]) == arguments.begin() + static_cast<std::ptrdiff_t>(j);
            before += counts ? 1 : 0;
        }
        if (is_new && rank(arguments[i]) != before) return false;
    }
    return true;
}

}  // namespace fsplan
