"""The report page: the embedded data, and its behaviour in a real browser."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support import known, show_page

from fsplan.planner.base.pages import embedded
from fsplan.planner.experiments.records import Row, Run, Store, row_of
from fsplan.planner.experiments.report import page, report, series_labels
from fsplan.planner.experiments.style import STYLES, styles, title
from fsplan.planner.experiments.summary import configuration, draw_values, interval

HOSTILE = '</script><script>document.title="taken"</script><img src=x onerror=alert(1)> $TITLE &amp; \u2028'
ORDERS = ("score1", "disc2", "disc3")


def row(task: str, order: str | None, w: str, accuracy: float | None, draw: int, expansions: int) -> Row:
    run = Run(
        task=task,
        domain=task.partition(":")[0],
        search="focal" if order else "wastar",
        order=order,
        w=w,
        policy=None if accuracy is None else f"synthetic:{accuracy}",
        accuracy=accuracy,
        draw=draw,
    )
    measured = {
        "status": "solved", "cost": 24, "lower_bound": 20, "ratio": 1.2, "certified": True, "optimal_cost": 22,
        "expansions": expansions, "generated": 2 * expansions, "seconds": expansions / 1e6, "plan": ["left", "up"],
        "versions": "fsplan 0.1.0", "machine": "a machine",
    }  # fmt: skip
    return row_of(run, measured)


def rows(factor: int = 1) -> list[Row]:
    made = []
    for domain in ("tiles8", "pancake9"):
        for w in ("1.2", "1.5"):
            for start in range(3):
                task = f"{domain}:random/{start}"
                made.append(row(task, None, w, None, 0, 500 * factor))
                for number, order in enumerate(ORDERS):
                    for accuracy in (0.7, 0.9, 1.0):
                        for draw in range(3):
                            effort = int((300 - 200 * accuracy + 10 * number + draw + start) * factor)
                            made.append(row(task, order, w, accuracy, draw, effort))
    lost = row_of(Run(task=HOSTILE, domain="tiles8", search="astar"), {"status": "timeout", "lower_bound": 7})
    return [*made, lost]


def write_page(folder: Path, *sets: list[Row]) -> Path:
    for number, each in enumerate(sets):
        with Store(folder / f"set{number}" / "results.jsonl") as store:
            store.append(*each)
    return report(folder / "set0", folder / "page.html", folder / "set1" if len(sets) > 1 else None)


def test_names_with_html_are_escaped(tmp_path: Path) -> None:
    text = write_page(tmp_path, rows()).read_text()
    assert text.count("<script") == text.count("</script") == 2
    assert "<img" not in text
    data = known(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL))
    assert HOSTILE in json.loads(data[1])["sets"][0]["columns"]["task"]["texts"]


def test_the_title_is_escaped() -> None:
    assert "<title>a &lt;b&gt;</title>" in page([("x", [])], title="a <b>")


def test_the_page_loads_nothing_from_the_network(tmp_path: Path) -> None:
    text = write_page(tmp_path, rows()).read_text()
    assert "default-src 'none'" in text
    markup = re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)
    assert not re.search(r"(src|href)=\"(?!#)", markup)
    assert "url(" not in markup
    assert "@import" not in markup


def test_nan_is_refused_in_embedded_data() -> None:
    with pytest.raises(ValueError, match="JSON"):
        embedded({"x": float("nan")})


def test_labels_name_the_settings_in_which_series_differ() -> None:
    runs = [
        Run(task="t", domain="d", search="wastar", heuristic="hmax"),
        Run(task="t", domain="d", search="wastar", heuristic="lmcut"),
        Run(task="t", domain="d", search="focal", order="disc2", policy="synthetic:0.9", heuristic="hmax"),
        Run(task="t", domain="d", search="focal", order="disc2", policy="synthetic:0.7", heuristic="hmax"),
    ]
    runs.append(Run(task="u", domain="e", search="focal", order="disc2", policy="synthetic:0.7", heuristic="gap"))
    labels = series_labels([row_of(each, {}) for each in runs])
    assert sorted(set(labels.values())) == ["Disc-2", "WA* (hmax)", "WA* (lmcut)"]


def test_the_name_of_a_search_is_its_label() -> None:
    plain = Run(task="t", domain="d", search="focal", order="disc2", policy="ff")
    found = [row_of(each, {}) for each in (plain, replace(plain, name="disc2+paper"))]
    assert sorted(series_labels(found).values()) == ["Disc-2", "Disc-2+paper"]
    assert [configuration(each) for each in found] == ["disc2(ff)", "disc2+paper(ff)"]
    data = known(re.search(r'id="data">(.*?)</script>', page([("x", found)]), re.DOTALL))
    assert json.loads(data[1])["sets"][0]["columns"]["label"]["texts"] == ["Disc-2", "Disc-2+paper"]


def test_no_two_series_look_the_same() -> None:
    names = [(name, name) for name in (*STYLES, "fd-lama", "fd-lazy", "prefastar[ff]", "prefastar[ff,alternate]")]
    looks = [tuple(look.for_page().values()) for look in styles(names).values()]
    assert len(set(looks)) == len(names)
    assert styles(names)["disc2"] == STYLES["disc2"]
    assert styles(names)["prefastar[ff]"].colours == STYLES["prefastar"].colours


def test_series_may_differ_in_the_options_of_a_synthetic_policy() -> None:
    policies = ("synthetic:0.7", "synthetic:0.9", "synthetic:0.7,support=applicable")
    runs = [Run(task="t", domain="d", search="focal", order="disc2", policy=policy) for policy in policies]
    assert sorted(set(series_labels([row_of(each, {}) for each in runs]).values())) == [
        "Disc-2 (synthetic)",
        "Disc-2 (synthetic,support=applicable)",
    ]


# In a browser

Open = Callable[..., Any]


@pytest.fixture
def open_page(browser: Any, tmp_path: Path) -> Iterator[Open]:
    """A function that opens the report of some rows in a browser; the test fails if the browser logs an error."""

    def opened(*sets: list[Row], width: int = 1280, dark: bool = False) -> Any:
        return show_page(browser, write_page(tmp_path, *(sets or (rows(),))).as_uri(), width, dark)

    yield opened
    assert browser.get_log("browser") == []


def find(browser: Any, selector: str) -> Any:
    return browser.find_element("css selector", selector)


def texts(browser: Any, selector: str) -> list[str]:
    return [each.text for each in browser.find_elements("css selector", selector)]


def click(browser: Any, selector: str) -> None:
    target = find(browser, selector)
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", target)
    target.click()


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("dark", [False, True])
def test_fits_the_width_in_both_colours(open_page: Open, width: int, dark: bool) -> None:
    browser = open_page(width=width, dark=dark)
    assert browser.title == "fsplan: set0"
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    background = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    brightness = sum(map(int, re.findall(r"\d+", background)[:3]))
    assert (brightness < 200) == dark
    assert len(browser.find_elements("css selector", "svg.chart")) == 12
    click(browser, "#theme")
    click(browser, "#theme")
    assert browser.execute_script("return document.documentElement.dataset.theme") == "dark"


def test_filters(open_page: Open) -> None:
    browser = open_page()
    total = len(rows())
    assert find(browser, "#count").text == f"{total} of {total} runs"
    click(browser, '[data-filter="domain"][data-value="tiles8"]')
    expected = [each for each in rows() if each["domain"] == "tiles8"]
    assert find(browser, "#count").text == f"{len(expected)} of {total} runs"
    click(browser, '[data-filter="bound"][data-value="1.5"]')
    click(browser, '[data-filter="accuracy"][data-value="0.9"]')
    expected = [
        each for each in expected if (each["w"] == 1.5 or each["search"] == "astar") and each["accuracy"] in (0.9, None)
    ]
    assert find(browser, "#count").text == f"{len(expected)} of {total} runs"
    find(browser, "#task-text").send_keys("random/2")
    expected = [each for each in expected if "random/2" in each["task"]]
    assert find(browser, "#count").text == f"{len(expected)} of {total} runs"
    assert len(browser.find_elements("css selector", "#runs-table tbody tr")) == len(expected)
    assert texts(browser, "#charts h3") == ["tiles8, w = 1.5"]


def test_hover_and_keys_read_the_values(open_page: Open) -> None:
    from selenium.webdriver import ActionChains, Keys

    browser = open_page()
    figure = browser.find_elements("css selector", "#charts figure")[1]
    chart = figure.find_element("css selector", "svg")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", chart)
    ActionChains(browser).move_to_element_with_offset(chart, 150, 0).perform()
    tip = figure.find_element("css selector", ".tip")
    assert tip.is_displayed()
    assert "accuracy 1" in tip.text
    runs = [each for each in rows() if each["domain"] == "pancake9" and each["w"] == 1.2]
    for order in ORDERS:
        chosen = [each["expansions"] for each in runs if each["order"] == order and each["accuracy"] == 1.0]
        assert f"{title(order)} {sum(chosen) / len(chosen):g}" in tip.text
    browser.execute_script("arguments[0].focus()", chart)
    chart.send_keys(Keys.ARROW_LEFT)
    assert "accuracy 0.9" in tip.text
    chart.send_keys(Keys.ESCAPE)
    assert not tip.is_displayed()


def test_the_page_shows_the_interval_that_python_made(open_page: Open) -> None:
    from selenium.webdriver import ActionChains

    browser = open_page()
    figure = browser.find_elements("css selector", "#charts figure")[1]
    chart = figure.find_element("css selector", "svg")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", chart)
    ActionChains(browser).move_to_element_with_offset(chart, 150, 0).perform()
    runs = [each for each in rows() if (each["domain"], each["w"], each["order"]) == ("pancake9", 1.2, "disc2")]
    band = known(interval(draw_values([each for each in runs if each["accuracy"] == 1.0], "expansions")))
    shown = re.search(r"Disc-2 [\d.]+ \(([\d.]+) to ([\d.]+)\)", figure.find_element("css selector", ".tip").text)
    assert shown is not None
    assert [float(each) for each in shown.groups()] == pytest.approx(band, rel=1e-3)
    find(browser, "#task-text").send_keys("random/2")
    assert not browser.find_elements("css selector", "path.band")  # intervals are drawn only for all runs together


def test_claims_and_times_on_the_page(open_page: Open, tmp_path: Path) -> None:
    (tmp_path / "set0").mkdir()
    (tmp_path / "set0" / "claims.md").write_text(
        "# Claims\n\n## Verdicts\n\n| claim | verdict |\n| --- | --- |\n| <b> | no |\n"
    )
    browser = open_page(width=390)
    assert texts(browser, "#claims td") == ["<b>", "no"]
    assert "Claims" in find(browser, "#sections").text
    assert find(browser, "#summary-table .hint").is_displayed()
    cells = texts(browser, "#runs-table tbody td:last-child")
    assert all(re.fullmatch(r"[\d.]+ (µs|ms|s)", cell) for cell in cells if cell != "–")


@pytest.mark.parametrize("column", ["Mean expansions", "Mean search time", "Mean proven ratio"])
def test_main_columns_are_on_the_screen(open_page: Open, column: str) -> None:
    browser = open_page(width=1280)
    header = next(each for each in browser.find_elements("css selector", "#summary-table th") if each.text == column)
    assert header.rect["x"] + header.rect["width"] <= 1280


def test_series_are_switched_off_and_on(open_page: Open) -> None:
    browser = open_page()
    lines = "#charts figure:first-of-type path[stroke-width]"
    before = len(browser.find_elements("css selector", lines))
    click(browser, '[data-series="Disc-2"]')
    assert find(browser, '[data-series="Disc-2"]').get_attribute("aria-pressed") == "false"
    assert browser.switch_to.active_element.get_attribute("data-series") == "Disc-2"
    assert len(browser.find_elements("css selector", lines)) < before
    click(browser, '[data-series="Disc-2"]')
    assert len(browser.find_elements("css selector", lines)) == before
    click(browser, "#bands")
    assert not browser.find_elements("css selector", "path.band")


def test_tables_sort_and_turn_pages(open_page: Open) -> None:
    browser = open_page()
    header = '#runs-table button[data-column="expansions"]'
    cells = "#runs-table tbody td:nth-last-child(2)"
    click(browser, header)
    ordered = sorted(each["expansions"] for each in rows() if each["expansions"] is not None)
    assert texts(browser, cells) == [f"{value:,}" for value in ordered[:50]]
    click(browser, header)
    assert texts(browser, cells) == [f"{value:,}" for value in ordered[::-1][:50]]
    assert find(browser, "#runs-table th[aria-sort='descending']").text.startswith("Expansions")
    click(browser, "#runs-table .pager button:last-child")
    assert texts(browser, cells) == [f"{value:,}" for value in ordered[::-1][50:100]]


def test_certificates(open_page: Open) -> None:
    browser = open_page()
    click(browser, "#runs-table button.open")
    dialog = find(browser, "#certificate")
    assert dialog.is_displayed()
    assert "Cost 24 ≤ w · lower bound = 1.2 · 20 = 24; proven ratio 1.2." in dialog.text
    assert "(left)\n(up)" in dialog.text
    click(browser, "#certificate-close")
    assert not dialog.is_displayed()
    click(browser, '[data-filter="status"][data-value="timeout"]')
    click(browser, "#runs-table button.open")
    assert "taken" in find(browser, "#certificate-title").text
    assert "Every plan costs at least 7." in dialog.text
    assert browser.title == "fsplan: set0"


def test_two_sets_side_by_side(open_page: Open) -> None:
    browser = open_page(rows(), rows(2))
    assert len(browser.find_elements("css selector", "#sides-charts svg.chart")) == 3
    click(browser, '[data-filter="domain"][data-value="tiles8"]')
    factors = texts(browser, "#sides-table tbody td:nth-child(8)")
    assert factors
    assert all(abs(float(factor) - 2) < 0.02 for factor in factors if factor != "–")
    assert "runs are in both" in find(browser, "#sides-about").text


def test_variants_are_not_averaged_with_the_default(open_page: Open) -> None:
    varied = [{**each, "variant": "unmasked", "key": f"{each['key']}v"} for each in rows()[:40]]
    browser = open_page([*rows(), *varied])
    assert find(browser, "#count").text == f"{len(rows())} of {len(rows()) + 40} runs"
    click(browser, '[data-filter="variant"][data-value="unmasked"]')
    assert find(browser, "#count").text == f"{len(rows()) + 40} of {len(rows()) + 40} runs"
    assert "tiles8, w = 1.2, unmasked" in texts(browser, "#charts h3")


def test_an_empty_file_is_an_empty_page(open_page: Open) -> None:
    browser = open_page([])
    assert find(browser, "#count").text == "0 of 0 runs"
    assert "No runs pass the filters." in find(browser, "#charts").text


def test_the_summary_tells_unproven_plans_and_compares_the_same_tasks(open_page: Open) -> None:
    ratios = {"wastar": (1.0, 1.4), "optimistic": (1.2, None)}
    found = [
        row_of(
            Run(task=task, domain="d", search=search),
            {"status": "solved" if ratio else "timeout", "cost": 20, "ratio": ratio, "expansions": 5},
        )
        for search, both in ratios.items()
        for task, ratio in zip("ab", both, strict=True)
    ]
    browser = open_page(found)
    header = texts(browser, "#summary-table th")
    for search, solved, unproven, ratio in (("WA*", "2", "–", "1"), ("optimistic", "1", "1", "1.2")):
        cells = next(each for each in browser.find_elements("css selector", "#summary-table tr") if search in each.text)
        shown = dict(zip(header, [each.text for each in cells.find_elements("css selector", "td")], strict=True))
        assert (shown["Solved"], shown["Unproven plans"], shown["Mean proven ratio"]) == (solved, unproven, ratio)


def test_variants_of_a_search_have_colours_of_their_own() -> None:
    names = ["disc2", "disc2+paper", "wastar", "prefastar", "prefastar[ff]", "fd-lazy"]
    looks = styles((name, name) for name in names)
    assert len({look.colours for look in looks.values()}) == len(names)
