"""`fsplan serve`: planning over HTTP, and a page for teaching."""

from __future__ import annotations

import click

from fsplan.planner.base.extras import require
from fsplan.planner.cli.parameters import Command, maxima_options, option, port_option


@click.command("serve", cls=Command)
@port_option(default=8080, help="The port; 0 takes any free one, which is printed.")
@option(
    "--host", default="127.0.0.1", show_default=True, help="Where to listen; 0.0.0.0 opens the server to the network."
)
@option(
    "--allow-origin",
    multiple=True,
    metavar="ORIGIN",
    help="A site whose pages may use the server, e.g. https://editor.planning.domains; * allows every site.",
)
@maxima_options
def command(
    port: int, host: str, allow_origin: tuple[str, ...], max_time: float, max_memory: int, max_size: int
) -> int:
    """Serves a page for teaching at /, and the API of the online solver for editors and scripts.

    It needs pip install 'fsplan[serve]'. POST /solve and POST /package/NAME/solve take domain and problem as text and
    answer as solver.planning.domains and planning-as-a-service do. No call reads a file or imports code.
    """
    for package in ("starlette", "uvicorn"):
        require(package)
    from fsplan.planner.integrations.calls import Maxima
    from fsplan.planner.integrations.http_server import serve

    serve(Maxima(max_time, max_memory, max_size), host, port, allow_origin)
    return 0
