"""The command `fsplan`. Ctrl-C ends it with its own exit code also while its modules are imported."""

import sys


def main() -> None:
    try:
        from fsplan.planner.cli import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        print("fsplan: interrupted", file=sys.stderr)
        code = 130
    sys.exit(code)


if __name__ == "__main__":
    main()
