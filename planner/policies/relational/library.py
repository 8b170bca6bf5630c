"""The user's library of domain policies: a folder of policy files that searches use automatically.

The folder is in the platform's data directory (`library_folder.py`). A policy is found by the domain's fingerprint.
"""

from __future__ import annotations

import os

from fsplan.planner.base.files import plain_name
from fsplan.planner.policies.container import PolicyFileError
from fsplan.planner.policies.relational import stored
from fsplan.planner.policies.relational.library_folder import folder
from fsplan.planner.policies.relational.stored import DomainPolicy
from fsplan.planner.tasks.task import Task

_PRINT = 16  # number of digits of the fingerprint in the file name; the file contains the whole fingerprint


def install(policy: DomainPolicy) -> str:
    """Adds the policy to the library, replacing one for the same domain, and returns the path of its file."""
    os.makedirs(folder(), exist_ok=True)
    path = os.path.join(folder(), _file_name(policy.domain))
    stored.write(path, policy)
    return path


def find(task: Task) -> str | None:
    """The file of the policy for the domain of the task; None if there is none or the task is not PDDL."""
    if task.problem is None:
        return None
    path = os.path.join(folder(), _file_name(stored.domain_of(task)))
    return path if os.path.isfile(path) else None


def is_to_be_followed(path: str) -> bool:
    """Whether the training report recommends following this policy; True if the file cannot be read."""
    policy = _read(path)
    return isinstance(policy, PolicyFileError) or not policy.training.get("why_not_to_follow")


def entries() -> list[tuple[str, DomainPolicy | PolicyFileError]]:
    """The names of the files in the library, each with its policy or with the error of reading it."""
    if not os.path.isdir(folder()):
        return []
    files = sorted(name for name in os.listdir(folder()) if name.endswith(stored.ENDING))
    return [(name.removesuffix(stored.ENDING), _read(os.path.join(folder(), name))) for name in files]


def remove(name: str) -> str:
    """Removes the policy with this file name (see `entries`) or domain name; ValueError unless exactly one matches."""
    found = [entry for entry, policy in entries() if entry == name or _domain_name(policy) == name]
    if len(found) != 1:
        known = ", ".join(entry for entry, _ in entries()) or "nothing"
        how_many = "several policies are" if found else "no policy is"
        raise ValueError(f"{how_many} called {name!r}; the library has {known}")
    os.unlink(os.path.join(folder(), found[0] + stored.ENDING))
    return found[0]


def _read(path: str) -> DomainPolicy | PolicyFileError:
    try:
        return stored.read(path)
    except PolicyFileError as error:
        return error


def _domain_name(policy: DomainPolicy | PolicyFileError) -> str | None:
    return None if isinstance(policy, PolicyFileError) else str(policy.domain["name"])


def _file_name(domain: dict[str, str]) -> str:
    """The file name for a domain: readable, and without characters that are unsafe in file names.

    >>> _file_name({"name": "../blocks", "fingerprint": "0123456789abcdef0123"})
    'blocks-0123456789abcdef.policy'
    """
    return f"{plain_name(domain['name'])}-{domain['fingerprint'][:_PRINT]}{stored.ENDING}"
