// The type-erased loop of a search.
#pragma once

#include "search/list.hpp"
#include "search/run.hpp"

namespace fsplan {

class Steps {
public:
    virtual ~Steps() = default;
    // Runs until the end of the slice, which a step may bring forward. Returns false when the search has ended.
    virtual bool run() = 0;
};

template <class Search>
class StepsOf final : public Steps {
public:
    template <class... Arguments>
    explicit StepsOf(Run& run, Arguments&&... arguments)
        : run_(run), search_(run, std::forward<Arguments>(arguments)...) {}
    bool run() override {
        while (run_.work() < run_.end_of_slice)
            if (!search_.step()) return false;
        return true;
    }

private:
    Run& run_;
    Search search_;
};

// Makes a search, a class with step(), from the run and the arguments of its declaration.
template <class Search, class... Arguments>
std::unique_ptr<Steps> steps_of(Run& run, Arguments&&... arguments) {
    return std::make_unique<StepsOf<Search>>(run, std::forward<Arguments>(arguments)...);
}

}  // namespace fsplan
