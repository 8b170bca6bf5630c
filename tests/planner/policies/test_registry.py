"""The texts that name a policy, such as `ff`, `synthetic:0.9`, a file or MODULE:FACTORY."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import pytest
from blocks_problems import DOMAIN, blocks_task
from support import fsplan as command

import fsplan
from fsplan.planner import _core
from fsplan.planner.learning.collect import collect
from fsplan.planner.policies import files, registry
from fsplan.planner.policies.container import PolicyFileError
from fsplan.planner.policies.kinds import entry_point
from fsplan.planner.policies.signature import signature_of
from fsplan.planner.tasks.task import Task


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("blocks")


@pytest.fixture(scope="module")
def task(folder: Path) -> Task:
    return blocks_task(folder, "b a d c", "abcd")


class First:
    """A policy that prefers the first applicable action."""

    accuracy = 0.5

    def scores(self, states: list[Any], actions: list[list[int]]) -> list[list[float]]:
        return [[-float(place) for place in range(len(row))] for row in actions]


def test_objects_pass_through(task: Task) -> None:
    policy = First()
    assert registry.resolve(policy, task).policy is policy
    assert registry.resolve(None, task) is None


def test_built_in_names(task: Task) -> None:
    assert isinstance(registry.resolve("ff", task), _core.RelaxedPlanPolicy)
    assert isinstance(registry.resolve("uniform", task), _core.UniformPolicy)


def test_synthetic_with_options(task: Task) -> None:
    policy = registry.resolve("synthetic:0.75,support=applicable,shared=no,seed=9,scale=2", task, seed=1)
    details = policy.details
    assert (details["target"], details["support"], details["shared"]) == (0.75, "applicable", False)
    assert (details["seed"], details["scale"]) == (9, 2.0)
    assert registry.resolve("synthetic:0.75", task, seed=1).details["seed"] == 1
    result = fsplan.solve(task, order="disc1", policy="synthetic:0.75")
    assert result.certified
    assert result.record["policy_details"]["target"] == 0.75
    assert result.record["accuracy"] == result.record["policy_details"]["measured_masked"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("synthetic:", "not a legal value"),
        ("synthetic", "'synthetic' is incomplete; write for example synthetic:0.9"),
        ("uniforn", "'uniforn' is unknown; did you mean 'uniform'?"),
        ("synthetic:much", "'much' is not a legal value"),
        ("synthetic:1.5", "accuracy must lie in 0"),
        ("synthetic:0.9,colour=red", "'colour=red' is not one of"),
        ("synthetic:0.9,shared=perhaps", "'perhaps' is not a legal value"),
        ("nonsense", "unknown; choose from ff, uniform"),
        ("no_such_module_here:factory", "no module named no_such_module_here"),
        ("os:no_such_name", "os has no no_such_name"),
        ("os:sep", "not callable"),
        ("builtins:len", r"factory\(task\) raised TypeError"),
        ("builtins:id", "instead of a policy"),
        ("synthetic:0.9,max_states=-1", "max_states is a number from 1"),
        ("absent.safetensors", "No such file"),
    ],
)
def test_mistakes_in_the_name_of_a_policy_are_explained(task: Task, name: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        registry.resolve(name, task)


def test_factories(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("my_policies")
    seen: list[Task] = []

    def factory(given: Task) -> First:
        seen.append(given)
        return First()

    module.factory, module.nothing = factory, lambda given: None  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "my_policies", module)
    result = fsplan.solve(task, policy="my_policies:factory")
    assert result.certified
    assert seen == [task]
    with pytest.raises(ValueError, match="returned None instead of a policy"):
        registry.resolve("my_policies:nothing", task)


def test_heuristics_in_python_see_states_and_the_task(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    class Misplaced:
        def __init__(self, task: Task) -> None:
            assert task.problem is not None
            self.goals = [(goal.predicate, *goal.arguments) for goal in task.problem.goal.parts]  # type: ignore[union-attr]

        def __call__(self, state: fsplan.State) -> int:
            return sum(goal not in state.atoms for goal in self.goals)

    module = types.ModuleType("written")
    module.Misplaced, module.function = Misplaced, Misplaced(task)  # type: ignore[attr-defined]
    module.text = "text"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "written", module)
    by_class, by_function = (
        fsplan.focal(task, "disc2", 1.5, policy=f"h:written:{n}") for n in ("Misplaced", "function")
    )
    assert by_class.certified
    assert by_class.plan == by_function.plan
    with pytest.raises(ValueError, match="neither a function of a state nor a class"):
        registry.resolve("h:written:text", task)


def test_names_that_packages_register(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("other_package")
    module.make = lambda given: First()  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "other_package", module)
    entry = importlib.metadata.EntryPoint("firstly", "other_package:make", entry_point.GROUP)

    def entry_points(group: str) -> list[importlib.metadata.EntryPoint]:
        assert group == "fsplan.policies"
        return [entry]

    monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)
    assert isinstance(registry.resolve("firstly", task).policy, First)
    with pytest.raises(ValueError, match="firstly"):
        registry.resolve("secondly", task)


def test_every_kind_accepts_its_own_example() -> None:
    """No earlier kind accepts the example. The kind `entry_point` is left out: its example is not installed here."""
    for kind in registry.KINDS:
        assert kind.summary, kind
        if kind is not entry_point.KIND:
            assert registry.kind_of(kind.example) is kind


def test_modules_of_the_current_folder(tmp_path: Path, folder: Path, task: Task) -> None:
    """Modules of the current folder are found without PYTHONPATH, as by `python -m`, and may import one another."""
    (tmp_path / "neighbour.py").write_text("accuracy = 0.5")
    (tmp_path / "mypolicy.py").write_text(
        "class First:\n"
        "    def __init__(self):\n"
        "        import neighbour\n"
        "        self.accuracy = neighbour.accuracy\n"
        "    def scores(self, states, actions):\n"
        "        return [[-float(place) for place in range(len(row))] for row in actions]\n"
        "def make(task):\n"
        "    return First()\n"
    )
    problem = folder / "b_a_d_c-abcd.pddl"
    words = [str(DOMAIN), str(problem), "--policy", "mypolicy:make", "--focal", "disc2"]
    start = "import sys; sys.path.remove(''); from fsplan.__main__ import main; main()"
    done = subprocess.run([sys.executable, "-c", start, *words], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "cost = 6" in done.stdout


def test_a_network_of_ones_own_says_how_to_load_it(task: Task, tmp_path: Path) -> None:
    encoder = {"kind": "one-hot", "domain_sizes": task.state_space.domain_sizes()}
    stored = files.StoredPolicy({"kind": "module", "name": "mynet:Net"}, encoder, list(task.actions), {})
    files.write(tmp_path / "own.safetensors", stored)
    with pytest.raises(PolicyFileError, match=r"as in .*own\.safetensors,net=mynet:Net"):
        registry.resolve(str(tmp_path / "own.safetensors"), task)


def test_show_accepts_the_same_policies_as_a_search(task: Task, tmp_path: Path) -> None:
    assert "256-160-80-16-4" in command("policy", "show", "tiles15").stdout
    assert "0.6" in command("policy", "show", small_file(task, tmp_path / "p.safetensors")).stdout
    assert "helpful actions first" in command("policy", "show", "ff").stdout
    assert command("policy", "show", "nonsense").returncode == 36


def small_file(task: Task, path: Path) -> Path:
    """A policy file with zero weights, that fits the task."""
    sizes, count = task.state_space.domain_sizes(), len(task.actions)
    tensors = {
        "layers.0.weight": files.Tensor("F32", (count, sum(sizes)), bytes(4 * count * sum(sizes))),
        "layers.0.bias": files.Tensor("F32", (count,), bytes(4 * count)),
    }
    stored = files.StoredPolicy(
        {"kind": "mlp", "layers": [sum(sizes), count]},
        {"kind": "one-hot", "domain_sizes": sizes},
        list(task.actions),
        tensors,
        signature_of(task).as_task(),
        {"test": 0.6},
    )
    files.write(path, stored)
    return path


def test_files_fit_their_task_from_any_start(task: Task, folder: Path, tmp_path: Path) -> None:
    path = small_file(task, tmp_path / "p.safetensors")
    policy = registry.resolve(str(path), task)
    assert (policy.accuracy, policy.name) == (0.6, "p.safetensors")
    assert fsplan.solve(task, order="disc1", policy=str(path)).record["accuracy"] == 0.6
    registry.resolve(str(path), blocks_task(folder, "dcb a", "abcd"))
    with pytest.raises(PolicyFileError, match="trained towards another goal"):
        registry.resolve(str(path), blocks_task(folder, "b a d c", "abdc"))
    with pytest.raises(PolicyFileError, match="made for another task: its states have"):
        registry.resolve(str(path), blocks_task(folder, "b a d c e", "abcd"))


def test_planning_with_a_file_needs_neither_torch_nor_numpy(task: Task, folder: Path, tmp_path: Path) -> None:
    path = small_file(task, tmp_path / "p.safetensors")
    hide = tmp_path / "hide"
    for name in ("torch", "numpy"):
        (hide / name).mkdir(parents=True)
        (hide / name / "__init__.py").write_text("raise ImportError('hidden')")
    import os

    search_path = os.pathsep.join([str(hide), os.environ.get("PYTHONPATH", "")])
    for policy in (str(path), "synthetic:0.9"):
        problem = folder / "b_a_d_c-abcd.pddl"
        done = command(DOMAIN, problem, "--policy", policy, environment={"PYTHONPATH": search_path})
        assert done.returncode == 0, done.stderr
        assert "cost = 6" in done.stdout


def test_policies_of_several_problems_need_the_same_actions(folder: Path) -> None:
    tasks = [blocks_task(folder, start, "abcd") for start in ("b a d c", "b a d c e")]
    with pytest.raises(ValueError, match="cannot share a policy"):
        collect(tasks)
