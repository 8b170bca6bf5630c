"""`fsplan mcp`: a server for agents that speak the Model Context Protocol."""

from __future__ import annotations

import click

from fsplan.planner.base.extras import require
from fsplan.planner.cli.parameters import Command, maxima_options, port_option


@click.command("mcp", cls=Command)
@port_option(help="Serve http://127.0.0.1:N/mcp, for this machine only, instead of stdin and stdout.")
@maxima_options
def command(port: int | None, max_time: float, max_memory: int, max_size: int) -> int:
    """Serves plan, validate, judge, bound, explain and compare_plans to agents (Model Context Protocol).

    It needs pip install 'fsplan[mcp]'. Domains, problems and plans are texts; no call reads a file or imports code. A
    client starts the server itself; tell it the command `fsplan` with the argument `mcp`.
    """
    require("mcp")
    from fsplan.planner.integrations.calls import Maxima
    from fsplan.planner.integrations.mcp_server import serve

    serve(Maxima(max_time, max_memory, max_size), port)
    return 0
