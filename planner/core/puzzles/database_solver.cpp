#include "puzzles/database_solver.hpp"

#include <algorithm>
#include <stdexcept>

namespace fsplan {

DatabaseSolver::DatabaseSolver(const Board& board, Databases databases)
    : board_(board), databases_(std::move(databases)) {
    if (databases_.empty() || databases_.size() > 4) throw std::invalid_argument("one to four databases can be added");
    unsigned covered = 1;
    for (std::size_t number = 0; number < databases_.size(); ++number) {
        const Pattern& pattern = databases_[number]->pattern();
        if (!pattern.is_on(board)) throw std::invalid_argument("a database of another board");
        for (const int tile : pattern.tiles()) {
            if ((covered >> tile & 1) != 0)
                throw std::invalid_argument("the patterns share tile " + std::to_string(tile));
            covered |= 1U << tile;
            database_of_[static_cast<std::size_t>(tile)] = static_cast<std::uint8_t>(number);
        }
    }
    if (covered != (1U << board_.cells()) - 1) throw std::invalid_argument("the patterns do not cover every tile");
    views_ = board_.columns() == board_.rows() ? 2 : 1;
    for (unsigned cell = 0; cell < board_.cells() && views_ == 2; ++cell)
        transposed_[cell] = static_cast<std::uint8_t>(board_.transposed(cell));
}

Cost DatabaseSolver::evaluate(Word64 state) const { return node(state).h(); }

DatabaseSolver::View DatabaseSolver::view(Word64 positions) const {
    View view{positions, 0, 0};
    for (std::size_t number = 0; number < databases_.size(); ++number) {
        const std::uint8_t entry = (*databases_[number])[databases_[number]->index(positions)];
        view.entries |= std::uint32_t{entry} << (8 * number);
        view.h += entry;
    }
    return view;
}

DatabaseSolver::Node DatabaseSolver::node(Word64 state) const {
    std::array<Word64, 2> positions{};
    for (unsigned at = 0; at < board_.cells(); ++at) {
        const unsigned tile = cell(state, at);
        positions[0] |= placed<Word64>(at, tile);
        positions[1] |= placed<Word64>(transposed_[at], transposed_[tile]);
    }
    const View plain = view(positions[0]);
    return {state, first_zero(state), {plain, views_ == 2 ? view(positions[1]) : plain}};
}

std::optional<std::vector<ActionId>> DatabaseSolver::solve(Word64 start) {
    const Node root = node(start);
    expanded_ = generated_ = 0;
    stopped_ = false;
    // Every move changes the parity of the state, and the first bound has the parity of the distance.
    bound_ = root.h();
    path_.clear();
    for (; !stopped_; bound_ += 2) {
        if (!search(root, bound_, kDirections)) continue;
        std::reverse(path_.begin(), path_.end());
        return path_;
    }
    return std::nullopt;
}

unsigned DatabaseSolver::optimal_actions(Word64 state, Cost distance, ActionId action, ActionId undo) {
    unsigned actions = 1U << action;
    const Node root = node(state);
    for (const Board::Move move : board_.moves(root.blank))
        if (move.action != action && move.action != undo && step(root, move, distance - 1)) actions |= 1U << move.action;
    return actions;
}

void DatabaseSolver::advance(View& view, unsigned tile, unsigned from, unsigned to) const {
    const unsigned number = database_of_[tile];
    const PatternDatabase& database = *databases_[number];
    view.positions ^= placed<Word64>(from ^ to, tile);
    const std::uint32_t before = view.entries >> (8 * number) & 255;
    const std::uint32_t after = database[database.index(view.positions)];
    view.entries ^= (before ^ after) << (8 * number);
    view.h += static_cast<Cost>(after) - static_cast<Cost>(before);
}

bool DatabaseSolver::step(const Node& node, Board::Move move, Cost left) {
    const unsigned tile = cell(node.cells, move.cell);
    Node child = node;
    ++generated_;
    advance(child.views[0], tile, move.cell, node.blank);
    if (child.views[0].h > left) return false;
    if (views_ == 2) {
        advance(child.views[1], transposed_[tile], transposed_[move.cell], transposed_[node.blank]);
        if (child.views[1].h > left) return false;
    }
    child.cells ^= placed<Word64>(tile, move.cell) ^ placed<Word64>(tile, node.blank);
    child.blank = move.cell;
    return search(child, left, opposite(move.action));
}

bool DatabaseSolver::search(const Node& node, Cost left, ActionId forbidden) {
    if (node.views[0].h == 0) return true;
    if (++expanded_ % kObserveEvery == 0 && observer_) stopped_ = stopped_ || !observer_(*this);
    if (stopped_) return false;
    for (const Board::Move move : board_.moves(node.blank)) {
        if (move.action == forbidden || !step(node, move, left - 1)) continue;
        path_.push_back(move.action);
        return true;
    }
    return false;
}

}  // namespace fsplan
