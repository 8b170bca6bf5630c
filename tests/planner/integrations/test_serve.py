"""`fsplan serve`, called by planutils, by plain HTTP requests, and from a browser."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import DEVNULL, PIPE
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest
from support import ROOT, check_schema, fsplan, processes, show_page

pytest.importorskip("starlette", reason="pip install 'fsplan[serve]'")
pytest.importorskip("uvicorn", reason="pip install 'fsplan[serve]'")

pytestmark = pytest.mark.long

EXAMPLES = ROOT / "docs" / "examples"
COURIER = {name: (EXAMPLES / f"{name}.pddl").read_text() for name in ("domain", "problem")}
WITHOUT_ROOM = {**COURIER, "problem": COURIER["problem"].replace("(room van)", "")}
WRONG = {**COURIER, "domain": COURIER["domain"].replace("(:action load", "(:action load\n  :nonsense ()", 1)}
HARD = {"domain": COURIER["domain"], "problem": (EXAMPLES / "hard.pddl").read_text()}
OPTIMUM = 30


def started(*options: object, search_path: tuple[str, ...] = ()) -> tuple[subprocess.Popen[str], str]:
    """Starts a server on a free port; returns its process and its address."""
    environment = {"PYTHONPATH": ":".join([*sys.path, *search_path]), "PATH": "/usr/bin:/bin"}
    command = [sys.executable, "-m", "fsplan", "serve", "--port", "0", *map(str, options)]
    server = subprocess.Popen(command, cwd="/", env=environment, stdout=DEVNULL, stderr=PIPE, text=True)
    assert server.stderr is not None
    line = server.stderr.readline()
    assert line.startswith("fsplan serves http://"), line + server.stderr.read()
    return server, line.split()[-1]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server, url = started("--max-time", "60s", "--max-size", "200kB")
    yield url
    server.terminate()
    assert server.wait(30) is not None


def request(url: str, data: Any = None, form: bool = False, code: int = 200, **headers: str) -> Any:
    """Returns the JSON of a response with this status code; fields are sent as JSON or as a form."""
    body = None if data is None else urlencode(data).encode() if form else json.dumps(data).encode()
    kind = {"Content-Type": "application/x-www-form-urlencoded" if form else "application/json"}
    asked = Request(url, body, {**kind, **{name.replace("_", "-"): value for name, value in headers.items()}})
    try:
        response: Any = urlopen(asked, timeout=90)
    except HTTPError as error:
        response = error
    with response:
        text = response.read().decode()
        assert response.status == code, text
        return json.loads(text) if text.startswith("{") else text


def wait_for(url: str, data: Any = None) -> Any:
    """Repeats a request until the status in the response is not PENDING."""
    for _ in range(600):
        answer = request(url, data)
        if answer["status"] != "PENDING":
            return answer
        time.sleep(0.1)
    raise AssertionError("still pending")


@pytest.mark.parametrize("command", ["serve", "mcp"])
def test_a_port_in_use_is_refused(address: str, command: str) -> None:
    if command == "mcp":
        pytest.importorskip("mcp", reason="pip install 'fsplan[mcp]'")
    port = address.rpartition(":")[2]
    ran = fsplan(command, "--port", port)
    assert ran.returncode == 36
    assert f"port {port} of 127.0.0.1 cannot be served: Address already in use; name another one" in ran.stderr


@pytest.mark.parametrize("form", [False, True])
def test_the_online_solver(address: str, form: bool) -> None:
    answer = request(f"{address}/solve", {**COURIER, "w": 1}, form)
    assert answer["status"] == "ok"
    result = answer["result"]
    assert (result["cost"], result["lower_bound"], result["proven_ratio"]) == (OPTIMUM, OPTIMUM, 1)
    assert result["length"] == len(result["plan"])
    assert (result["type"], result["parse_status"], result["error"]) == ("full", "ok", False)
    first = result["plan"][0]
    assert first["name"].startswith("(")
    name, *arguments = first["name"].strip("()").split()
    assert first["action"].startswith(f"(:action {name}\n :parameters ({' '.join(arguments)})\n :precondition (and ")
    assert "?" not in first["action"]


def test_errors_of_the_online_solver(address: str) -> None:
    for task, text in ((WITHOUT_ROOM, "there is no plan"), (WRONG, ":nonsense"), ({"domain": "x", "problem": "y"}, "")):
        answer = request(f"{address}/solve", task)
        assert answer["status"] == "error"
        assert text in answer["result"]["error"]
    assert "lacks problem" in request(f"{address}/solve", {"domain": "(define)"}, code=400)["error"]


def test_planning_as_a_service(address: str) -> None:
    assert request(f"{address}/package").keys() == {"fsplan", "fsplan-optimal"}
    assert request(f"{address}/package/fsplan/solve")["endpoint"]["services"]["solve"]["args"]
    for package, task in (("fsplan-optimal", COURIER), ("lama-first", COURIER)):
        link = request(f"{address}/package/{package}/solve", task)["result"]
        answer = wait_for(address + link)
        assert answer["status"] == "ok"
        steps, call, said = answer["result"]["output"], answer["result"]["call"], answer["result"]["stdout"].split("\n")
        assert steps["plan"].splitlines() == [step["name"] for step in answer["result"]["plan"]]
        assert steps["sas_plan"].startswith(steps["plan"] + "; cost = ")
        assert (call.split()[0], said[0], said[1]) == (package, "Solution found.", " --- OK.")
        assert answer["result"]["proven_ratio"] <= (1 if package == "fsplan-optimal" else 1.5)
        editor = wait_for(address + link, {"adaptor": "planning_editor_adaptor"})
        assert [each["result"]["cost"] for each in editor["plans"]] == [answer["result"]["cost"]]
    link = request(f"{address}/package/fsplan/solve", WITHOUT_ROOM)["result"]
    answer = wait_for(address + link)
    assert (answer["result"]["output"], "no plan" in answer["result"]["stderr"]) == ({}, True)
    assert wait_for(address + link, {"adaptor": "planning_editor_adaptor"})["status"] == "error"
    request(f"{address}/check/unknown", code=404)


def test_planutils_as_a_client(address: str, tmp_path: Path) -> None:
    pytest.importorskip("planutils", reason="pip install planutils")
    (tmp_path / ".planutils").mkdir()
    (tmp_path / ".planutils" / "settings.json").write_text(
        json.dumps({"installed": [], "PAAS_SERVER": address, "PAAS_SERVER_LIMIT": 100})
    )
    program = "import sys; from planutils.server import remote; remote('fsplan-optimal', sys.argv[1:])"
    files = [str(EXAMPLES / "domain.pddl"), str(EXAMPLES / "problem.pddl")]
    environment = {"HOME": str(tmp_path), "PYTHONPATH": ":".join(sys.path)}
    ran = subprocess.run(
        [sys.executable, "-c", program, *files],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=90,
    )
    assert ran.returncode == 0, ran.stderr
    assert "no plan costs less than 30 (proven)" in ran.stdout
    assert fsplan("validate", *files, tmp_path / "plan").returncode == 0


def test_documents_of_the_tools(address: str) -> None:
    found = request(f"{address}/api/plan", {**COURIER, "w": 1})
    check_schema(found, "result")
    for tool, name in (("validate", "validation"), ("judge", "judgement"), ("states", "states")):
        check_schema(request(f"{address}/api/{tool}", {**COURIER, "plan": found["plan"]}), name)
    check_schema(request(f"{address}/api/bound", COURIER), "bound")
    check_schema(request(f"{address}/api/explain", WITHOUT_ROOM), "explanation")
    compared = request(f"{address}/api/compare_plans", {**COURIER, "plans": [found["plan"], []]})
    check_schema(compared, "plans")
    assert compared["best"] == 1
    request(f"{address}/api/solve", COURIER, code=404)


def test_states_of_a_plan(address: str) -> None:
    plan = "(load van books depot)\n(drive van depot market)\n(load van fish harbour)\n(drive van market depot)"
    course = request(f"{address}/api/states", {**COURIER, "plan": plan})
    assert "(at books depot)" in course["initial"]
    assert [(step["added"], step["deleted"]) for step in course["steps"]] == [
        (["(in books van)"], ["(at books depot)", "(room van)"]),
        (["(at van market)"], ["(at van depot)"]),
    ]
    assert course["validation"]["step"] == 3


def test_better_plans_and_bounds_arrive_while_the_search_runs(address: str) -> None:
    body = json.dumps({**HARD, "w": 1, "time_limit": 3, "stream": True}).encode()
    with urlopen(Request(f"{address}/api/plan", body, {"Content-Type": "application/json"}), timeout=60) as response:
        *gaps, last = map(json.loads, response)
    check_schema(last, "result")
    assert len(gaps) > 1
    assert [each["gap"]["cost"] for each in gaps] == [each["cost"] for each in last["gap_history"]][: len(gaps)]


def test_limits_and_refusals(address: str, tmp_path: Path) -> None:
    for fields in ({"time_limit": 61}, {"time_limit": "x"}, {"w": 0.5}, {"memory_limit": 10**6}, {"w": True}):
        assert next(iter(fields)) in request(f"{address}/solve", {**COURIER, **fields}, code=400)["error"]
    for fields in ({"domain": 3}, {"plan": 3}, {"plan": [3]}):
        request(f"{address}/api/validate", {**COURIER, "plan": [], **fields}, code=400)
    long = {**COURIER, "problem": COURIER["problem"] + ";" * 250_000}
    assert request(f"{address}/api/plan", long)["verdict"] == "refused"
    request(f"{address}/api/plan", {**long, "domain": ";" * 300_000}, code=413)
    for name in ("evil:Task", str(EXAMPLES / "domain.pddl"), "tiles8:random/1"):
        assert request(f"{address}/api/plan", {"domain": name, "problem": name})["verdict"] == "wrong_pddl"
    with pytest.raises(HTTPError):
        urlopen(Request(f"{address}/solve", b"{", {"Content-Type": "application/json"}))


def test_pages_of_other_sites_are_refused(address: str) -> None:
    assert "allow-origin" in request(f"{address}/solve", COURIER, code=403, Origin="https://elsewhere.example")
    assert "host" in request(f"{address}/solve", COURIER, code=403, Host="elsewhere.example:80")
    assert request(f"{address}/solve", COURIER, Origin=address)["status"] == "ok"
    server, url = started("--allow-origin", "https://editor.planning.domains")
    try:
        asked = Request(f"{url}/package", headers={"Origin": "https://editor.planning.domains"})
        with urlopen(asked) as response:
            assert response.headers["access-control-allow-origin"] == "https://editor.planning.domains"
    finally:
        server.terminate()
        server.wait(30)


def test_only_this_machine_is_served(address: str) -> None:
    port = int(address.rpartition(":")[2])
    others = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    for other in others - {"127.0.0.1"}:
        with socket.socket() as probe:
            probe.settimeout(2)
            assert probe.connect_ex((other, port)) != 0 or other.startswith("127.")


def eventually(holds: Callable[[], bool]) -> bool:
    for _ in range(300):
        if holds():
            return True
        time.sleep(0.1)
    return False


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="processes are counted in /proc, which is Linux's")
@pytest.mark.parametrize("path", ["solve", "api/plan"])
def test_the_search_ends_when_the_client_leaves(tmp_path: Path, path: str) -> None:
    server, url = started(search_path=(str(tmp_path),))
    host, port = url.removeprefix("http://").split(":")
    body = json.dumps({**HARD, "w": 1, "time_limit": 120, "stream": True}).encode()
    try:
        with socket.create_connection((host, int(port))) as client:
            head = f"POST /{path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
            client.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
            assert eventually(lambda: processes(str(tmp_path)) == 1)
        assert eventually(lambda: processes(str(tmp_path)) == 0)
        assert request(f"{url}/api/bound", COURIER)["lower_bound"] > 0  # the server still answers
    finally:
        server.terminate()
        server.wait(30)


# The web page


@pytest.fixture(params=[(1280, False), (390, True)], ids=["desktop-light", "phone-dark"])
def page(browser: Any, address: str, request: pytest.FixtureRequest) -> Iterator[Any]:
    width, dark = request.param
    yield show_page(browser, address, width, dark)
    assert browser.execute_script("return document.documentElement.scrollWidth <= window.innerWidth")
    assert browser.get_log("browser") == []


def text(page: Any, selector: str) -> str:
    return "\n".join(each.text for each in page.find_elements("css selector", selector))


def press(page: Any, selector: str) -> None:
    button = page.find_element("css selector", selector)
    page.execute_script("arguments[0].scrollIntoView({block: 'center'})", button)
    button.click()


def choose(page: Any, title: str) -> None:
    for option in page.find_elements("css selector", "#example option"):
        if title in option.text:
            option.click()


def test_the_page_shows_a_plan_step_by_step(page: Any) -> None:
    choose(page, "Hanoi")
    page.find_element("css selector", "#w option[value='1']").click()
    press(page, "#solve")
    assert eventually(lambda: bool(text(page, "#steps")))
    assert text(page, "#verdict") == "This plan costs 15, and no plan costs less: it is optimal, proven."
    assert "lower bound 15" in text(page, "#gap-title")
    assert page.find_elements("css selector", "#chart path.cost")
    assert text(page, "#now") == "step 0 of 15, cost 0"
    press(page, "#forth")
    assert text(page, "#now") == "step 1 of 15, cost 1"
    assert text(page, "#state .added").startswith("+ (")
    press(page, "#steps li:last-child button")
    assert text(page, "#now") == "step 15 of 15, cost 15"
    state = text(page, "#state").split("\n")
    assert {"(on d4 right)", "(on d3 d4)"} <= {each.lstrip("+ ") for each in state}
    press(page, "#copy")
    press(page, "#judge")
    assert eventually(lambda: "which is optimal" in text(page, "#judgement"))
    page.find_element("id", "problem").send_keys(" ")
    assert text(page, "#verdict") == "The task has changed: solve it again."
    assert text(page, "#judgement") == ""
    assert not page.find_element("id", "course").is_displayed()


def test_mistakes_are_shown_at_their_lines(page: Any) -> None:
    choose(page, "mistakes")
    assert eventually(lambda: len(page.find_elements("css selector", "#domain-faults button")) == 3)
    marked = page.find_elements("css selector", ".lines .wrong")
    assert [each.get_property("textContent") for each in marked] == ["7", "8", "12"]
    press(page, "#domain-faults li:nth-child(2) button")
    place = page.execute_script("const d = document.getElementById('domain'); return [d.value, d.selectionStart]")
    assert place[0][place[1] :].startswith("?z")
    area = page.find_element("id", "domain")
    for wrong, right in (("on-table", "ontable"), ("?z", "?y"), ("clear ?y ?x", "clear ?y")):
        page.execute_script(
            "arguments[0].value = arguments[0].value.replace(arguments[1], arguments[2])", area, wrong, right
        )
    area.send_keys(" ")
    assert eventually(lambda: not page.find_elements("css selector", ".faults button"))


def test_the_page_explains_why_there_is_no_plan(page: Any) -> None:
    choose(page, "without a plan")
    press(page, "#solve")
    assert eventually(lambda: page.find_element("id", "why").is_displayed())
    assert text(page, "#verdict") == "There is no plan: proven."
    press(page, "#why")
    assert eventually(lambda: "(fuse kitchen) in the initial state; then there is a plan" in text(page, "#reasons"))


def test_the_search_is_replayed(page: Any) -> None:
    before = page.current_window_handle
    press(page, "#solve")
    assert eventually(lambda: page.find_element("id", "replay").is_displayed())
    press(page, "#replay button")
    assert eventually(lambda: len(page.window_handles) == 2)
    try:
        page.switch_to.window(page.window_handles[-1])
        assert eventually(lambda: "focal disc2" in text(page, "body") and "astar" in text(page, "body"))
        assert len(page.find_elements("css selector", "canvas")) >= 2
    finally:
        page.close()
        page.switch_to.window(before)


def test_the_page_can_be_used_by_keyboard_alone(page: Any) -> None:
    from selenium.webdriver import ActionChains, Keys

    page.find_element("id", "domain").click()
    ActionChains(page).key_down(Keys.CONTROL).send_keys(Keys.ENTER).key_up(Keys.CONTROL).perform()
    assert eventually(lambda: bool(text(page, "#steps")))
    assert "times the optimum: proven" in text(page, "#verdict") or "optimal, proven" in text(page, "#verdict")
    page.execute_script("document.getElementById('position').focus()")
    ActionChains(page).send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT).perform()
    assert text(page, "#now").startswith("step 2 of ")


def test_an_invalid_plan_typed_by_the_user_is_reported(page: Any) -> None:
    page.find_element("id", "own").send_keys("(drive depot mill)\n(load books depot front)")
    press(page, "#judge")
    assert eventually(lambda: "(van depot) is false" in text(page, "#failures"))
    assert "step 2" in text(page, "#judgement")


def test_a_search_can_be_stopped_on_the_page(page: Any) -> None:
    page.execute_script("document.getElementById('domain').value = arguments[0]", HARD["domain"])
    page.execute_script("document.getElementById('problem').value = arguments[0]", HARD["problem"])
    page.find_element("css selector", "#w option[value='1']").click()
    page.find_element("css selector", "#seconds option[value='30']").click()
    press(page, "#solve")
    assert eventually(lambda: page.find_element("id", "gap").is_displayed())
    press(page, "#stop")
    assert eventually(lambda: text(page, "#verdict") == "Stopped.")
    assert page.find_element("id", "solve").is_enabled()
