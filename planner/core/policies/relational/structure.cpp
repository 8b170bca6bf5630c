#include "policies/relational/structure.hpp"

namespace fsplan::relational {

namespace {

constexpr Hash kLabelTag = 1, kObjectTag = 2;
constexpr std::uint32_t kNoObject = 0xFFFFFFFF;

std::string key_of(std::uint32_t predicate, std::span<const ObjectId> objects) {
    std::string key(reinterpret_cast<const char*>(&predicate), sizeof predicate);
    return key.append(reinterpret_cast<const char*>(objects.data()), objects.size_bytes());
}

std::uint32_t number_of(const std::unordered_map<std::string, std::uint32_t>& numbers, const std::string& name) {
    const auto found = numbers.find(name);
    if (found == numbers.end()) throw std::invalid_argument("the problem does not declare the object " + name);
    return found->second;
}

}  // namespace

Structure::Structure(const GroundTask& task, const Description& description) : task_(task) {
    number_objects(description);
    read_facts();
    read_static(description);
    read_goals(description);
    read_new_actions();
    // Only needed while the atoms are collected.
    atom_numbers_ = {};
}

std::vector<Hash> Structure::labels() const {
    std::vector<Hash> all;
    for (const auto& labels : labels_) all.insert(all.end(), labels.begin(), labels.end());
    return all;
}

AtomStatus Structure::status_if_true(AtomId atom) const {
    switch (atom_goal_[atom]) {
        case GoalKind::wanted: return AtomStatus::holds_wanted;
        case GoalKind::unwanted: return AtomStatus::holds_unwanted;
        default: return AtomStatus::holds;
    }
}

void Structure::number_objects(const Description& description) {
    for (const auto& object : description.objects) {
        object_numbers_.emplace(object.name, static_cast<ObjectId>(object_hash_.size()));
        object_hash_.push_back(
            join(join(kObjectTag, hash_name(object.type)), object.constant ? hash_name(object.name) : 0));
    }
}

std::uint32_t Structure::predicate_named(const std::string& name) {
    const auto [place, is_new] = predicate_numbers_.emplace(name, static_cast<std::uint32_t>(predicate_hash_.size()));
    if (is_new) {
        predicate_hash_.push_back(hash_name(name));
        auto& labels = labels_.emplace_back();
        for (std::size_t status = 0; status < kAtomStatuses; ++status)
            labels[status] = join(join(kLabelTag, predicate_hash_.back()), status);
    }
    return place->second;
}

AtomId Structure::add_atom(std::uint32_t predicate, std::span<const ObjectId> objects) {
    const auto [place, is_new] = atom_numbers_.emplace(key_of(predicate, objects), static_cast<AtomId>(atom_count()));
    if (is_new) {
        atom_predicate_.push_back(predicate);
        atom_objects_.items.insert(atom_objects_.items.end(), objects.begin(), objects.end());
        atom_objects_.end_row();
        atom_goal_.push_back(GoalKind::none);
        atom_static_.push_back(0);
    }
    return place->second;
}

AtomId Structure::atom_named(const std::vector<std::string>& names) {
    if (names.empty()) throw std::invalid_argument("an atom without a predicate");
    std::vector<ObjectId> objects;
    for (std::size_t i = 1; i < names.size(); ++i) objects.push_back(number_of(object_numbers_, names[i]));
    return add_atom(predicate_named(names[0]), objects);
}

ObjectId Structure::object_of_symbol(std::uint32_t symbol) {
    ObjectId& object = symbol_objects_[symbol];
    if (object == kNoObject) object = number_of(object_numbers_, task_.symbols[symbol]);
    return object;
}

void Structure::read_facts() {
    std::vector<ObjectId> objects;
    std::unordered_map<std::uint32_t, std::uint32_t> predicates;  // by symbol
    symbol_objects_.assign(task_.symbols.size(), kNoObject);
    variable_of_fact_ = variables_of_facts(task_);
    for (FactId fact = 0; fact < task_.fact_count(); ++fact) {
        const auto symbols = task_.fact_atom[fact];
        atom_of_fact_.push_back(kNoAtom);
        if (symbols.empty() || task_.fact_negated[fact]) continue;
        objects.clear();
        for (const auto symbol : symbols.subspan(1)) objects.push_back(object_of_symbol(symbol));
        const auto [place, is_new] = predicates.emplace(symbols[0], 0);
        if (is_new) place->second = predicate_named(task_.symbols[symbols[0]]);
        atom_of_fact_.back() = add_atom(place->second, objects);
    }
    fluent_count_ = atom_count();
}

void Structure::read_static(const Description& description) {
    for (const auto& names : description.initial) {
        const AtomId atom = atom_named(names);
        if (atom < fluent_count_ || atom_static_[atom]) continue;
        atom_static_[atom] = 1;
        static_atoms_.push_back(atom);
    }
}

void Structure::set_goal(AtomId atom, GoalKind kind) {
    if (atom_goal_[atom] == kind) return;
    atom_goal_[atom] = kind;
    if (kind == GoalKind::wanted && !atom_static_[atom]) goals_.push_back(atom);
}

// Reads the goals of the PDDL problem, which include goals that always hold, and those of the ground task, which
// include the instances of quantified goals.
void Structure::read_goals(const Description& description) {
    for (const auto& goal : description.goals)
        set_goal(atom_named(goal.atom), goal.wanted ? GoalKind::wanted : GoalKind::unwanted);
    for (const FactId fact : task_.goal) {
        if (atom_of_fact_[fact] != kNoAtom) set_goal(atom_of_fact_[fact], GoalKind::wanted);
    }
}

void Structure::read_new_actions() {
    std::uint32_t last_symbol = kNoObject;
    for (auto action = static_cast<ActionId>(action_count()); action < task_.action_count(); ++action) {
        const auto symbols = task_.action_atom[action];
        // Most actions have the same schema as the action before them.
        const bool is_same = symbols[0] == last_symbol;
        last_symbol = symbols[0];
        schema_of_action_.push_back(is_same ? schema_of_action_.back()
                                            : schema_of_symbol(last_symbol, symbols.size() - 1));
        for (const auto symbol : symbols.subspan(1)) arguments_.items.push_back(object_of_symbol(symbol));
        arguments_.end_row();
    }
}

std::uint32_t Structure::schema_of_symbol(std::uint32_t symbol, std::size_t arity) {
    const std::string& name = task_.symbols[symbol];
    const auto [place, is_new] = schema_numbers_.emplace(name, static_cast<std::uint32_t>(schema_count()));
    if (is_new) {
        schema_hash_.push_back(hash_name(name));
        first_place_.push_back(static_cast<std::uint32_t>(place_count()));
        for (std::size_t i = 0; i < arity; ++i) place_hash_.push_back(join(schema_hash_.back(), i));
    }
    return place->second;
}

}  // namespace fsplan::relational
