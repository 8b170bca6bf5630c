// Bindings of the reports of a running search and of its result.
#include "bind/parts.hpp"
#include "contract/incumbents.hpp"
#include "contract/request.hpp"

namespace fsplan {

namespace {

const std::map<Status, std::string> kStatus{
    {Status::solved, "solved"},          {Status::unsolvable, "unsolvable"},
    {Status::not_found, "not_found"},    {Status::timeout, "timeout"},
    {Status::memout, "memout"},          {Status::expansion_limit, "expansion_limit"},
    {Status::interrupted, "interrupted"}};

nb::dict statistics(const Statistics& counts) {
    nb::dict out;
    out["expanded"] = counts.expanded;
    out["generated"] = counts.generated;
    out["evaluated"] = counts.evaluated;
    out["reopened"] = counts.reopened;
    out["dead_ends"] = counts.dead_ends;
    out["deepened"] = counts.deepened;
    out["policy_evaluations"] = counts.policy_evaluations;
    out["policy_calls"] = counts.policy_calls;
    out["registered"] = counts.registered;
    if (counts.unrolled > 0) {
        out["unrolled"] = counts.unrolled;
        out["arrived"] = counts.arrived;
        out["arrived_cost"] = counts.arrived_cost;
        out["unrolled_steps"] = counts.unrolled_steps;
        out["unrolled_end"] = counts.unrolled_end;
    }
    out["search_seconds"] = counts.search_seconds;
    out["peak_memory_bytes"] = counts.peak_memory_bytes;
    out["node_bytes"] = counts.node_bytes;
    return out;
}

template <class Number>
std::optional<Number> known(Number number, Number none) {
    return number == none ? std::nullopt : std::optional<Number>(number);
}

std::string progress_text(const Progress& progress) {
    std::string text = "<Progress: " + std::to_string(progress.expanded) + " expanded, lower bound " +
                       std::to_string(progress.lower_bound);
    if (progress.incumbent != kInfinite) text += ", plan of cost " + std::to_string(progress.incumbent);
    return text + ">";
}

}  // namespace

void bind_answers(nb::module_& module) {
    nb::class_<Progress>(module, "Progress")
        .def_ro("expanded", &Progress::expanded)
        .def_ro("seconds", &Progress::seconds)
        .def_ro("f_min", &Progress::f_min)
        .def_ro("lower_bound", &Progress::lower_bound)
        .def_prop_ro("incumbent", [](const Progress& self) { return finite(self.incumbent); })
        .def_ro("memory_bytes", &Progress::memory_bytes)
        .def("__repr__", &progress_text);
    nb::class_<Expansion>(module, "Expansion", "A node that is about to be expanded.")
        .def_ro("number", &Expansion::number)
        .def_ro("state", &Expansion::state)
        .def_prop_ro("parent", [](const Expansion& self) { return known(self.parent, kNoState); })
        .def_prop_ro("action", [](const Expansion& self) { return known(self.action, kNoAction); })
        .def_ro("g", &Expansion::g)
        .def_prop_ro("h", [](const Expansion& self) { return finite(self.h); })
        .def_prop_ro("f_min", [](const Expansion& self) { return finite(self.f_min); })
        .def_ro("lower_bound", &Expansion::lower_bound)
        .def_prop_ro("incumbent", [](const Expansion& self) { return finite(self.incumbent); })
        .def_prop_ro("queue", [](const Expansion& self) { return self.queue ? self.queue : ""; })
        .def_ro("key", &Expansion::key)
        .def_ro("values", &Expansion::values)
        .def("__repr__", &fields_text);
    nb::class_<Incumbent>(module, "Incumbent")
        .def_ro("plan", &Incumbent::plan)
        .def_ro("cost", &Incumbent::cost)
        .def_ro("lower_bound", &Incumbent::lower_bound)
        .def("__repr__", &fields_text);
    nb::class_<Incumbents>(module, "Incumbents", "The best plan and bound that searches side by side have found.")
        .def(nb::init<>())
        .def("best", &Incumbents::best)
        .def("best_plan",
             [](const Incumbents& self) -> std::optional<std::vector<ActionId>> {
                 const Incumbent best = self.best();
                 if (best.cost == kInfinite) return std::nullopt;
                 return best.plan;
             })
        .def_prop_ro("cost", [](const Incumbents& self) { return finite(self.best().cost); })
        .def_prop_ro(
            "lower_bound", [](const Incumbents& self) { return finite(self.best().lower_bound); },
            "None once it is proven that there is no plan")
        .def(
            "offer_plan",
            [](Incumbents& self, std::vector<ActionId> plan, Cost cost) {
                self.offer_plan({std::move(plan), cost, 0});
            },
            nb::arg("plan"), nb::arg("cost"), "the caller has validated it")
        .def(
            "offer_bound",
            [](Incumbents& self, std::optional<Cost> bound) { self.offer_bound(bound.value_or(kInfinite)); },
            nb::arg("bound").none(), "None: it is proven that there is no plan");
    nb::class_<OrderStep>(module, "OrderStep")
        .def("__repr__", &fields_text)
        .def_ro("parent", &OrderStep::parent)
        .def_ro("log_probability", &OrderStep::log_probability)
        .def_ro("rank", &OrderStep::rank)
        .def_ro("applicable", &OrderStep::applicable)
        .def_ro("action", &OrderStep::action)
        .def_ro("cost", &OrderStep::cost)
        .def_ro("g", &OrderStep::g)
        .def_ro("h", &OrderStep::h)
        .def_ro("parent_h", &OrderStep::parent_h)
        .def_prop_ro("f", [](const OrderStep& self) { return self.g + self.h; });
    nb::class_<SearchResult>(module, "SearchResult")
        .def("__repr__", &fields_text)
        .def_prop_ro("status", [](const SearchResult& self) { return kStatus.at(self.status); })
        .def_prop_ro("plan",
                     [](const SearchResult& self) -> std::optional<std::vector<ActionId>> {
                         if (self.cost == kInfinite) return std::nullopt;
                         return self.plan;
                     })
        .def_prop_ro("cost", [](const SearchResult& self) { return finite(self.cost); })
        .def_prop_ro("lower_bound", [](const SearchResult& self) { return finite(self.lower_bound); })
        .def_ro("certified", &SearchResult::certified)
        .def_ro("work", &SearchResult::work, "what the search did, in the unit of slices")
        .def_prop_ro("statistics", [](const SearchResult& self) { return statistics(self.statistics); });
}

}  // namespace fsplan
