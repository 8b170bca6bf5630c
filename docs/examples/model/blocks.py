"""A heuristic for blocks that a language model wrote: its second answer to the prompt in `prompt.md`."""


class Heuristic:
    """Every block that is not yet in its final position has to be moved: two actions, if its target is ready.

    A block is in its final position if it is on the right block (or has no goal of its own) and everything below it is
    in its final position. Its target is ready if it is clear and itself in its final position. A block whose target is
    not ready has to be put on the table first, which takes two more actions, unless it is there already.
    """

    admissible = False

    def __init__(self, task):
        self.target = {
            goal.arguments[0]: goal.arguments[1] for goal in task.problem.goal.parts if goal.predicate == "on"
        }
        self.blocks = sorted({block for pair in self.target.items() for block in pair})

    def __call__(self, state):
        on = {atom[1]: atom[2] for atom in state.atoms if atom[0] == "on"}
        held = next((atom[1] for atom in state.atoms if atom[0] == "holding"), None)
        covered = set(on.values())
        known = {}

        def is_final(block):
            if block not in known:
                below, target = on.get(block), self.target.get(block)
                if block == held or (target is not None and below != target):
                    known[block] = False
                else:
                    known[block] = below is None or is_final(below)
            return known[block]

        value = 0
        for block in {*self.blocks, *on, *covered}:
            if is_final(block):
                continue
            target = self.target.get(block)
            ready = target is None or (is_final(target) and target not in covered)
            if block == held:
                value += 1 if ready else 3
            else:
                value += 2 if ready or block not in on else 4
        return value
