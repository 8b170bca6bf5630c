from __future__ import annotations


def main() -> None:
    raise SystemExit("fsplan: the command line is being built")
