"""A heuristic for courier that a language model wrote: its first answer to the prompt in `prompt.md`."""

from heapq import heappop, heappush


class Heuristic:
    """Every parcel that is not delivered has to be loaded, driven to its place and unloaded.

    Distances are shortest paths over the roads. The vehicle carries one parcel at a time, so the drives with parcels
    add up; the way to the nearest waiting parcel, and from each destination to the next parcel, comes on top.
    """

    admissible = False

    def __init__(self, task):
        self.goal = {goal.arguments[0]: goal.arguments[1] for goal in task.problem.goal.parts if goal.predicate == "at"}
        roads = {}
        for atom in task.problem.init:
            if atom[0] == "road":
                roads.setdefault(atom[1], []).append((atom[2], task.problem.costs.get(("length", *atom[1:]), 1)))
        places = set(roads) | {place for rows in roads.values() for place, _ in rows}
        self.distance = {place: self._distances(roads, place) for place in places}

    def _distances(self, roads, start):
        found, queue = {}, [(0, start)]
        while queue:
            length, place = heappop(queue)
            if place not in found:
                found[place] = length
                for neighbour, more in roads.get(place, ()):
                    heappush(queue, (length + more, neighbour))
        return found

    def __call__(self, state):
        at = {atom[1]: atom[2] for atom in state.atoms if atom[0] == "at"}
        carried = {atom[1]: atom[2] for atom in state.atoms if atom[0] == "in"}
        vehicles = [thing for thing in at if thing not in self.goal]
        positions = [at[vehicle] for vehicle in vehicles]
        value = 0
        for parcel, vehicle in carried.items():
            target = self.goal.get(parcel)
            value += 1 if target is None else 1 + self._between(at[vehicle], target)
            if target is not None:
                positions.append(target)
        waiting = [parcel for parcel in self.goal if parcel in at and at[parcel] != self.goal[parcel]]
        while waiting:
            way, parcel = min((min(self._between(start, at[each]) for start in positions), each) for each in waiting)
            value += 2 + way + self._between(at[parcel], self.goal[parcel])
            positions.append(self.goal[parcel])
            waiting.remove(parcel)
        return value

    def _between(self, start, end):
        return self.distance.get(start, {}).get(end, 10**6)
