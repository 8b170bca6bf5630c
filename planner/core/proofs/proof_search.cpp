#include "proofs/proof_search.hpp"

namespace fsplan {

namespace {

constexpr std::size_t kChunk = 1 << 16;
constexpr std::uint32_t kUnused = ~std::uint32_t{0};

// Collects lines of text and passes them on in chunks.
class Lines {
public:
    explicit Lines(const std::function<void(std::string_view)>& emit) : emit_(emit) {}
    std::string& text() { return text_; }
    void end_line() {
        text_ += '\n';
        if (text_.size() >= kChunk) flush();
    }
    void flush() {
        emit_(text_);
        text_.clear();
    }

private:
    const std::function<void(std::string_view)>& emit_;
    std::string text_;
};

void append(std::string& line, std::int64_t number) {
    line += ' ';
    line += std::to_string(number);
}

// Numbers the used items consecutively: item -> its number.
std::vector<std::uint32_t> numbered(const std::vector<bool>& used) {
    std::vector<std::uint32_t> numbers(used.size(), kUnused);
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < used.size(); ++i)
        if (used[i]) numbers[i] = next++;
    return numbers;
}

}  // namespace

ProofSearch::ProofSearch(const GroundTask& task, Symmetries symmetries, Budget& watch)
    : task_(task), watch_(watch), graph_of_task_(task, watch), graph_(graph_of_task_, std::move(symmetries)),
      store_(graph_.make_store()), finder_(task, graph_of_task_.layout(), watch), evidence_(1) {}

void ProofSearch::add(LinearEvidence evidence) {
    linear_.push_back(std::move(evidence));
    evidence_.emplace_back();
}

std::optional<std::vector<FactId>> ProofSearch::cut_of_start(std::span<const ActionId> actions) {
    finder_.look_at(graph_of_task_.start());
    return finder_.cut_of(actions);
}

std::vector<bool> ProofSearch::linear_used() const {
    std::vector<bool> used(linear_.size());
    for (StateId id = 0; id < store_.size(); ++id) {
        const auto number = nodes_[id].evidence;
        if (!is_labelled(id) && number > 0 && number <= linear_.size()) used[number - 1] = true;
    }
    return used;
}

Cost ProofSearch::prove(Cost target, std::size_t most_states) {
    try {
        search(target, most_states);
    } catch (const LimitReached& limit) {
        if (reached_) push(*reached_);
        if (expanded_) open_.push(*expanded_);
        reached_.reset();
        expanded_.reset();
        if (limit.limit == Limit::interrupted) throw;
    }
    return proven_ = nodes_.empty() ? 0 : std::min(target, least_open_f());
}

void ProofSearch::search(Cost target, std::size_t most_states) {
    if (nodes_.empty()) reach(graph_.start(), 0, 0, target);
    while (least_open_f() < target && store_.size() <= most_states) {
        if (graph_.is_goal(store_.hold(open_.top().id))) return;
        expanded_ = open_.top();
        open_.pop();
        expand(expanded_->id, target);
        expanded_.reset();
    }
}

// Discards stale entries, whose state has been reached by a cheaper path since they were pushed.
Cost ProofSearch::least_open_f() {
    while (!open_.empty() && open_.top().g != nodes_[open_.top().id].g) open_.pop();
    return open_.empty() ? kDeadEnd : open_.top().f;
}

void ProofSearch::expand(StateId id, Cost target) {
    const Node parent = nodes_[id];
    graph_.successors(store_.hold(id), [&](ActionId, Cost cost, const Word* successor) {
        watch_.tick();
        reach(successor, saturating_add(parent.g, cost), parent.evidence, target);
    });
}

void ProofSearch::reach(const Word* state, Cost g, std::uint32_t parent_evidence, Cost target) {
    const auto [id, is_new] = store_.intern(state);
    if (is_new) nodes_.push_back({kDeadEnd, 0, 0});
    Node& node = nodes_[id];
    if (g >= node.g) return;
    node.g = g;
    reached_ = id;
    if (f(node) < target && !node.searched) {
        finder_.look_at(state);
        take_over(node, parent_evidence);
        take_over_recent(node, target);
        if (f(node) < target) find_own(node);
    }
    push(id);
    reached_.reset();
}

void ProofSearch::push(StateId id) {
    const Node& node = nodes_[id];
    if (node.bound != kDeadEnd) open_.push({f(node), node.g, id});
}

Cost ProofSearch::linear_value(const LinearEvidence& evidence) const {
    std::int64_t sum = evidence.constant;
    for (const FactId fact : finder_.true_facts()) sum -= evidence.weight[fact];
    for (const auto& [facts, share] : evidence.cuts) sum += finder_.holds_any(facts) ? 0 : share;
    if (sum <= 0) return 0;
    return static_cast<Cost>(std::min<std::int64_t>((sum - 1) / evidence.denominator + 1, kDeadEnd / 4));
}

Cost ProofSearch::value(std::uint32_t evidence) const {
    if (evidence > 0 && evidence <= linear_.size()) return linear_value(linear_[evidence - 1]);
    return finder_.value(evidence_[evidence]);
}

void ProofSearch::take_over(Node& node, std::uint32_t evidence) {
    const Cost bound = value(evidence);
    if (bound <= node.bound) return;
    node.bound = bound;
    node.evidence = evidence;
}

void ProofSearch::take_over_recent(Node& node, Cost target) {
    for (std::uint32_t number = 1; number <= linear_.size() && f(node) < target; ++number) take_over(node, number);
    for (auto each = recent_.begin(); each != recent_.end() && f(node) < target; ++each) take_over(node, *each);
}

void ProofSearch::find_own(Node& node) {
    watch_.look();
    evidence_.push_back(only_dead_ends ? finder_.find_dead_end() : finder_.find());
    node.searched = true;
    const auto number = static_cast<std::uint32_t>(evidence_.size() - 1);
    take_over(node, number);
    if (node.evidence != number) {
        evidence_.pop_back();
        return;
    }
    recent_.push_front(number);
    if (recent_.size() > kRecent) recent_.pop_back();
}

bool ProofSearch::is_labelled(StateId id) const { return f(nodes_[id]) < proven_; }

std::size_t ProofSearch::label_count() const {
    std::size_t count = 0;
    for (StateId id = 0; id < store_.size(); ++id) count += is_labelled(id);
    return count;
}

void ProofSearch::write(const std::vector<std::vector<std::uint32_t>>& literals,
                        const std::vector<std::int32_t>& atom_of, std::size_t first_part,
                        const std::function<void(std::string_view)>& emit) const {
    std::vector<bool> evidence_used(evidence_.size()), cut_used(finder_.cuts().size());
    for (StateId id = 0; id < store_.size(); ++id)
        if (!is_labelled(id)) evidence_used[nodes_[id].evidence] = true;
    for (std::size_t e = 0; e < evidence_.size(); ++e)
        for (const CutShare& each : evidence_[e])
            if (evidence_used[e]) cut_used[each.cut] = true;
    const auto cut_number = numbered(cut_used);
    auto evidence_number = numbered(evidence_used);
    if (evidence_used[0]) {  // the trivial bound is written after the linear evidence
        const auto linear_end = evidence_number.begin() + 1 + static_cast<std::ptrdiff_t>(linear_.size());
        std::uint32_t next = 0;
        for (auto number = evidence_number.begin() + 1; number != linear_end; ++number)
            if (*number != kUnused) *number = next++;
        evidence_number[0] = next;
    }

    Lines lines(emit);
    for (std::size_t c = 0; c < cut_used.size(); ++c) {
        if (!cut_used[c]) continue;
        std::set<std::uint32_t> of_cut;
        for (const FactId fact : finder_.cuts()[c]) of_cut.insert(literals[fact].begin(), literals[fact].end());
        lines.text() += "cut";
        for (const auto literal : of_cut) append(lines.text(), literal);
        lines.end_line();
    }
    for (std::size_t e = 0; e < evidence_.size(); ++e) {
        if (!evidence_used[e] || (e > 0 && e <= linear_.size())) continue;
        const bool is_dead_end = !evidence_[e].empty() && evidence_[e][0].share == kDeadEnd;
        lines.text() += is_dead_end ? "sum 0" : "sum 1";
        for (const auto& [cut, share] : evidence_[e]) {
            append(lines.text(), static_cast<std::int64_t>(first_part + cut_number[cut]));
            lines.text() += ':';
            lines.text() += std::to_string(is_dead_end ? 1 : share);
        }
        lines.end_line();
    }
    std::vector<std::int32_t> before;
    for (StateId id = 0; id < store_.size(); ++id) {
        const Node& node = nodes_[id];
        lines.text() += is_labelled(id) ? "g" : "b";
        append(lines.text(), is_labelled(id) ? node.g : static_cast<std::int64_t>(evidence_number[node.evidence]));
        append_toggles(lines.text(), before, store_[id], atom_of);
        lines.end_line();
    }
    lines.flush();
}

// Appends a state as the list of the atoms in which it differs from the previous state.
void ProofSearch::append_toggles(std::string& line, std::vector<std::int32_t>& before, const Word* state,
                                 const std::vector<std::int32_t>& atom_of) const {
    std::vector<std::int32_t> now, toggled;
    for (std::size_t v = 0; v < task_.variable_count(); ++v) {
        if (task_.layer[v] >= 0) continue;
        const auto atom = atom_of[task_.first_fact[v] + graph_of_task_.layout().field[v].get(state)];
        if (atom >= 0) now.push_back(atom);
    }
    std::ranges::sort(now);
    std::ranges::set_symmetric_difference(before, now, std::back_inserter(toggled));
    for (const auto atom : toggled) append(line, atom);
    before = std::move(now);
}

}  // namespace fsplan
