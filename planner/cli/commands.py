"""Every command, its parameters and the function that runs it."""

from __future__ import annotations

from fsplan.planner.cli.table import Argument, Command, Option

SUMMARY = """Plans with a proven quality bound, guided by a policy.

\b
fsplan DOMAIN PROBLEM [OPTIONS]     plan (the command `plan` may be left out)
fsplan COMMAND --help               what a command takes

A task is a PDDL domain and problem, a problem with its domain.pddl beside it, a .sas file, or a puzzle such as
tiles15:korf/1, tiles8:random/7, pancake9:random/3."""

EPILOG = """Exit codes: 0 solved, valid, done; 1/2 a plan was found, then memory/time ran out before the bound was
proven (validate: 1 the plan is wrong or malformed); 11 unsolvable (proven); 12 not found by an incomplete search; 20/22
out of memory and 21/23 out of time (while preparing the task / searching); 31 bad PDDL; 33 bad or missing policy file;
34 unsupported feature; 35 a bug; 36 bad usage, a file that is missing or cannot be written, or bad input of another
kind; 130 interrupted."""

SEARCHES = ("focal", "astar", "wastar", "gbfs", "prefastar", "idastar", "unroll", "optimistic")
ORDERS = ("score1", "score2", "score3", "score4", "disc1", "disc2", "disc3", "disc3-last")

READER = Option("--reader", "which PDDL reader to use", choices=("fsplan", "tarski"), default="fsplan")
TIME_LIMIT = Option("--time-limit", "stop after this long, e.g. 30s, 5m, 1h", metavar="TIME")
MEMORY_LIMIT = Option("--memory-limit", "stop at this much memory, e.g. 500MB, 4GB", metavar="SIZE")
QUIET = Option("--quiet/-q", "print nothing but the answer", "flag")
JSON = Option("--json", "write everything as JSON to a file, or to stdout with -", metavar="FILE|-")
TASK = Argument("task", -1)

PLAN_OPTIONS = (
    Option("--search", "the search", choices=SEARCHES),
    Option("--focal", "focal search with this order of FOCAL", choices=ORDERS),
    Option("--w", "suboptimality bound, at least 1; decimals and fractions are exact", default="1.5", metavar="W"),
    Option("--heuristic", "hmax, lmcut, blind, goalcount, hadd, hff; a puzzle's own", metavar="H"),
    Option(
        "--policy",
        "ff, uniform, synthetic:ACCURACY, a policy file, a shipped name, or module:factory",
        metavar="P",
    ),
    Option("--accuracy", "the policy's accuracy, for disc1", "number", metavar="A"),
    Option(
        "--error-profile",
        "synthetic policies: how errors grow with the distance to the goal",
        choices=("constant", "linear", "quadratic", "far"),
    ),
    Option("--unmasked", "policies keep the probability they give to inapplicable actions", "flag"),
    Option(
        "--alpha",
        "disc1's α + 1: all actions of the task, or those applicable",
        choices=("all", "applicable"),
    ),
    Option("--preferred", "prefastar: policy, ff, alternate; joined by commas", metavar="LIST"),
    Option("--ties", "tie breaking, e.g. f,h,newest", metavar="LIST"),
    Option("--no-reopen", "never re-open a node; the bound is then not certified", "flag"),
    Option("--uncertified", "allow an inadmissible heuristic; no bound is proven", "flag"),
    Option("--anytime", "go on after a plan, towards an optimal one", "flag"),
    Option(
        "--lookahead",
        "score this many nodes of FOCAL at once; the plan does not change",
        "integer",
        metavar="K",
    ),
    Option("--k-focal", "K-Focal search: freeze the bound for K expansions", "integer", metavar="K"),
    Option(
        "--fast", "focal beyond the paper's: --fresh --prove 1 --ties h,f,newest, with lmcut --lazy --hedge", "flag"
    ),
    Option("--lazy", "focal: evaluate states when they surface, not when they are generated", "flag"),
    Option("--fresh", "focal: rank only actions to states not yet reached so cheaply", "flag"),
    Option("--hedge", "focal: the least g + w·h of FOCAL gets a turn for each one of the order", "flag"),
    Option(
        "--prove",
        "focal: expand N states of least f, to raise the bound, for each one of the order",
        "integer",
        default=0,
        metavar="N",
    ),
    Option(
        "--deepen",
        "focal, puzzles: visit N nodes depth-first, to raise the bound, for each expansion",
        "integer",
        default=0,
        metavar="N",
    ),
    Option("--seed", "seed of everything random", "integer", default=0, metavar="N"),
    TIME_LIMIT,
    MEMORY_LIMIT,
    Option("--plan-file", "write the plan to a file instead of stdout", metavar="FILE"),
    JSON,
    READER,
    QUIET,
)

WORKERS = Option("--workers", "runs at a time; all cores unless told", "integer", metavar="N")
SCHEDULER = Option("--scheduler", "run on a Dask cluster, e.g. tcp://10.0.0.1:8786", metavar="ADDRESS")

MAX_STATES = Option("--max-states", "the largest graph to enumerate", "integer", default=1_000_000, metavar="N")
WALK = Option("--walk", "longest random walk to a trace's start", "integer", default=100, metavar="N")
SECONDS_EACH = Option("--trace-limit", "time for one optimal trace", default="10s", metavar="TIME")
SEED = Option("--seed", "seed of everything random", "integer", default=0, metavar="N")

TRAIN_OPTIONS = (
    Option("--output/-o", "the policy file", default="policy.safetensors", metavar="FILE"),
    Option(
        "--examples",
        "from the whole graph, from optimal plans, or the graph where it fits",
        choices=("auto", "graph", "plans"),
        default="auto",
    ),
    MAX_STATES,
    Option("--limit", "so many states of the graph at most", "integer", metavar="N"),
    Option("--plan", "learn from this plan file; repeatable", "many", metavar="FILE"),
    Option("--traces", "optimal traces a task, where the graph does not fit", "integer", default=200, metavar="N"),
    WALK,
    SECONDS_EACH,
    Option("--net", "a torch module of your own, built with (inputs, outputs)", metavar="MODULE:CLASS"),
    Option("--hidden", "sizes of the hidden layers; 256,128, for a data set 160,80,16", metavar="LIST"),
    Option("--encoder", "an input a value, or a bit an atom", choices=("one-hot", "bits"), default="one-hot"),
    Option("--epochs", "passes over the examples, at most", "integer", default=40, metavar="N"),
    Option("--batch", "examples a step", "integer", default=1024, metavar="N"),
    Option("--learning-rate", "the highest", "number", default=2e-3, metavar="R"),
    Option("--patience", "stop after so many epochs without progress", "integer", default=10, metavar="N"),
    Option("--checkpoint", "save every epoch here, and resume from here", metavar="FILE"),
    Option("--curve", "the learning curve; FILE.png beside the policy unless told", metavar="FILE"),
    Option("--threads", "threads; the same number gives the same network", "integer", default=1, metavar="N"),
    SEED,
    TIME_LIMIT,
    READER,
    QUIET,
)

COMMANDS = {
    command.name: command
    for command in (
        Command("plan", "Finds a plan and a proof of how good it is.", "cli.plan:run", (TASK,), PLAN_OPTIONS),
        Command(
            "ground",
            "Grounds a task and prints its size: facts, variables, actions, bytes per state.",
            "cli.ground:run",
            (TASK,),
            (Option("--json", "print JSON", "flag"), READER, TIME_LIMIT, MEMORY_LIMIT),
        ),
        Command(
            "graph",
            "Enumerates the reachable search graph; writes GraphML, DOT or JSON, or draws it as SVG or PNG.",
            "cli.graph:run",
            (TASK,),
            (
                Option("--output/-o", "the file to write; its ending chooses the format", metavar="FILE"),
                Option("--max-states", "refuse a larger graph", "integer", default=5_000_000, metavar="N"),
                Option("--plan", "highlight this plan file", metavar="FILE"),
                READER,
            ),
        ),
        Command(
            "validate",
            "Checks a plan against the PDDL itself; says which step fails and why.",
            "cli.validate:run",
            (Argument("domain"), Argument("problem"), Argument("plan")),
            (QUIET,),
        ),
        Command(
            "train",
            "Trains a policy on problems with the same actions (DOMAIN PROBLEM…, or one task), or on a data set "
            "(tiles15 DATA.npz).",
            "cli.train:run",
            (TASK,),
            TRAIN_OPTIONS,
        ),
        Command(
            "dataset",
            "Solves random sliding-tile puzzles optimally: examples for `fsplan train`. Resumes when run again.",
            "cli.puzzles:dataset",
            (Argument("domain"),),
            (
                Option("--output/-o", "the file to write", default="data.npz", metavar="FILE"),
                Option("--traces", "how many puzzles", "integer", default=30_367, metavar="N"),
                SEED,
                Option("--heuristic", "pattern databases to solve with: pdb663, pdb78 (15-puzzle)", metavar="H"),
                Option("--threads", "all cores unless told", "integer", metavar="N"),
                QUIET,
            ),
        ),
        Command(
            "export",
            "Writes a puzzle such as tiles15:korf/1 as PDDL: domain.pddl and problem.pddl.",
            "cli.puzzles:export",
            (Argument("puzzle"),),
            (Option("--pddl", "the folder to write to", default=".", metavar="DIR"),),
        ),
        Command(
            "policy show",
            "Says what is in a policy file, or what a policy such as tiles15 or ff is.",
            "cli.policy:show",
            (Argument("file"),),
            (Option("--json", "print JSON", "flag"),),
        ),
        Command(
            "policy accuracy",
            "How often a policy's first choice is optimal: exactly where the graph fits, else estimated.",
            "cli.policy:accuracy",
            (Argument("policy"), TASK),
            (
                MAX_STATES,
                Option("--samples", "states to estimate from", "integer", default=100, metavar="N"),
                WALK,
                SECONDS_EACH,
                SEED,
                Option("--json", "print JSON", "flag"),
                READER,
            ),
        ),
        Command(
            "compare",
            "Runs searches side by side on tasks, folders of PDDL or a suite (TOML), Fast Downward's included.",
            "cli.compare:run",
            (Argument("tasks", -1),),
            (
                Option("--searches", "disc2, wastar, fd-wastar@lmcut, …; joined by commas", metavar="LIST"),
                Option("--policies", "policies for the searches that take one", metavar="LIST"),
                Option("--w", "suboptimality bounds", metavar="LIST"),
                Option("--heuristics", "heuristics, for searches that do not name theirs", metavar="LIST"),
                Option("--seeds", "seeds, for searches with a policy", metavar="LIST"),
                TIME_LIMIT,
                MEMORY_LIMIT,
                WORKERS,
                SCHEDULER,
                Option("--output/-o", "keep every run in this folder; the same command resumes", metavar="DIR"),
                Option("--csv", "write every run as CSV to a file, or to stdout with -", metavar="FILE|-"),
                JSON,
                QUIET,
            ),
        ),
        Command(
            "reproduce",
            "Repeats the paper's experiments: `small` or `tiles15`; figures, tables, and which claims hold.",
            "cli.reproduce:run",
            (Argument("what"),),
            (
                Option("--output/-o", "the folder for everything; the same command resumes", metavar="DIR"),
                Option("--quick", "the same shapes in a minute or two", "flag"),
                Option("--variants", "small: other readings of the paper: all, none, or names", metavar="LIST"),
                Option("--policy", "tiles15: another policy than the shipped one", metavar="P"),
                WORKERS,
                SCHEDULER,
                QUIET,
            ),
        ),
        Command(
            "report",
            "Makes one page of a results file or folder; with two, side by side.",
            "cli.report:run",
            (Argument("results", -1),),
            (
                Option("--output/-o", "the page", default="report.html", metavar="FILE"),
                Option("--title", "the page's title"),
                QUIET,
            ),
        ),
    )
}
