"""The command `fsplan`. Ctrl-C gives the documented exit code even while modules are being imported."""

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
