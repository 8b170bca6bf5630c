"""`--json-stream`: one JSON object per line, written as soon as it is known."""

from __future__ import annotations

import sys
from typing import Any

from fsplan.planner.files import STDOUT


class JsonLines:
    """Writes to a file, to stdout for `-`, or nowhere for None."""

    def __init__(self, path: str | None) -> None:
        self.is_stdout = path in STDOUT
        self._file: Any = None
        if path is not None:
            self._file = sys.stdout if self.is_stdout else open(path, "w", encoding="utf-8")  # noqa: SIM115

    def write(self, record: dict[str, Any]) -> None:
        if self._file is None:
            return
        from json import dumps

        print(dumps(record), file=self._file, flush=True)
