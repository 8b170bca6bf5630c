"""`fsplan mcp`: a server for agents that speak the Model Context Protocol."""

from __future__ import annotations

import click

from fsplan.planner.base import quantities
from fsplan.planner.cli.parameters import Command, number_option, option, reads, time_option


@click.command("mcp", cls=Command)
@number_option("--port", help="Serve http://127.0.0.1:N/mcp, for this machine only, instead of stdin and stdout.")
@time_option(
    "--max-time", default="5m", show_default=True, section="Limits", help="The longest time limit that a call may have."
)
@option(
    "--max-memory",
    metavar="SIZE",
    default="4GB",
    show_default=True,
    callback=reads(quantities.size),
    section="Limits",
    help="The largest memory limit that a call may have.",
)
@option(
    "--max-size",
    metavar="SIZE",
    default="2MB",
    show_default=True,
    callback=reads(quantities.size),
    section="Limits",
    help="The largest call: domain, problem and plans together.",
)
def command(port: int | None, max_time: float, max_memory: int, max_size: int) -> int:
    """Serves plan, validate, judge, bound, explain and compare_plans to agents (Model Context Protocol).

    It needs pip install 'fsplan[mcp]'. Domains, problems and plans are texts; no call reads a file or imports code. A
    client starts the server itself; tell it the command `fsplan` with the argument `mcp`.
    """
    from fsplan.planner.base.extras import require

    require("mcp")
    from fsplan.planner.integrations.mcp_server import Maxima, serve

    serve(Maxima(max_time, max_memory, max_size), port)
    return 0
