// Filters, figures, tables: everything is drawn again when a choice changes.

const byId = (id) => document.getElementById(id);
const hidden = new Set();
const choice = { mode: null, log: true, bands: true };

const METRICS = [
  { name: "seconds", label: "search time", title: "Runtime", log: true },
  { name: "expansions", label: "expansions", title: "Expansions", log: true },
  { name: "suboptimality", label: "cost / optimal cost", title: "Suboptimality", log: false },
  { name: "ratio", label: "cost / lower bound", title: "Proven ratio", log: false },
];
const MODES = { accuracy: "against the policy's accuracy", solved: "against solved tasks" };

function drawFilters() {
  const groups = FILTERS.filter((filter) => filter.values.length > 1).map((filter) => {
    const chips = filter.values.map((value) => filterChip(filter, value));
    const all = element("button", { type: "button", class: "chip", onclick: () => chooseAll(filter) }, "all");
    return element("fieldset", {}, element("legend", {}, filter.label), element("div", { class: "chips" }, ...chips, all));
  });
  const search = element("input", { type: "search", id: "task-text", placeholder: "part of a name", "aria-label": "Task" });
  search.addEventListener("input", () => {
    taskText = search.value;
    redraw();
  });
  groups.push(element("fieldset", {}, element("legend", {}, "Task"), search));
  byId("filter-groups").replaceChildren(...groups);
}

function filterChip(filter, value) {
  const title = filter.title ? filter.title(value) : String(value);
  const chip = element("button", { type: "button", class: "chip", "aria-pressed": String(filter.chosen.has(value)), "data-filter": filter.name, "data-value": value }, title);
  chip.addEventListener("click", () => {
    // With everything chosen, a click means "only this"; afterwards it adds or takes away.
    if (filter.chosen.size === filter.values.length) filter.chosen = new Set([value]);
    else if (filter.chosen.has(value)) filter.chosen.delete(value);
    else filter.chosen.add(value);
    if (!filter.chosen.size) filter.chosen = new Set(filter.values);
    pressChips(filter);
    redraw();
  });
  return chip;
}

function chooseAll(filter) {
  filter.chosen = new Set(filter.values);
  pressChips(filter);
  redraw();
}

function pressChips(filter) {
  const chips = document.querySelectorAll(`#filter-groups [data-filter="${filter.name}"]`);
  chips.forEach((chip, i) => chip.setAttribute("aria-pressed", String(filter.chosen.has(filter.values[i]))));
}

function drawControls() {
  const modes = Object.keys(MODES).filter((mode) => mode === "solved" || allRows.some((row) => row.accuracy !== null));
  choice.mode = modes[0];
  const select = element("select", { id: "mode" }, ...modes.map((mode) => element("option", { value: mode }, MODES[mode])));
  select.addEventListener("change", () => {
    choice.mode = select.value;
    redraw();
  });
  const box = (name, text) => {
    const input = element("input", { type: "checkbox", id: name, checked: true });
    input.addEventListener("change", () => {
      choice[name] = input.checked;
      redraw();
    });
    return element("label", {}, input, text);
  };
  byId("figure-controls").replaceChildren(
    element("label", {}, "Show", select),
    box("log", "logarithmic where it helps"),
    box("bands", "95 % intervals (of two draws: their range)"),
    element("button", { type: "button", onclick: () => toggleAll(false) }, "Show all series"),
    element("button", { type: "button", onclick: () => toggleAll(true) }, "Hide all"),
  );
}

function toggleAll(hide) {
  hidden.clear();
  if (hide) for (const label of LABELS) hidden.add(label);
  redraw();
}

function drawLegend(rows) {
  const present = new Set(rows.map((row) => row.label));
  const chips = LABELS.filter((label) => present.has(label)).map((label) => {
    const { colour, dash, marker } = styleOf(label);
    const sample = svg("svg", { viewBox: "0 0 34 12", "aria-hidden": "true" },
      svg("line", { x1: 1, x2: 33, y1: 6, y2: 6, style: `stroke:${colour}`, "stroke-width": 2, "stroke-dasharray": dash }),
      svg("path", { d: marker, transform: "translate(17 6) scale(1.3)", style: `fill:${colour}` }));
    const chip = element("button", { type: "button", class: "chip series", "aria-pressed": String(!hidden.has(label)), "data-series": label }, sample, label);
    chip.addEventListener("click", () => {
      if (!hidden.delete(label)) hidden.add(label);
      redraw();
      [...byId("legend").children].find((each) => each.dataset.series === label)?.focus();
    });
    return chip;
  });
  byId("legend").replaceChildren(...chips);
}

function accuracySeries(rows, metric, accuracies) {
  return [...groupBy(rows, (row) => row.label)].map(([label, group]) => {
    if (group.every((row) => row.accuracy === null)) {
      const same = meanWithInterval(group, metric.name);
      return { label, points: same ? accuracies.map((x) => ({ x, ...same })) : [] };
    }
    const points = [...groupBy(group, (row) => row.accuracy)].filter(([x]) => x !== null).map(([x, runs]) => ({ x, ...(meanWithInterval(runs, metric.name) ?? { y: NaN }) }));
    return { label, points: points.sort((a, b) => a.x - b.x) };
  });
}

/** The k-th point: how much the k easiest runs need each, or how much suboptimality they add up to. */
function solvedSeries(rows, metric) {
  const sums = metric.name === "suboptimality" || metric.name === "ratio";
  return [...groupBy(rows, (row) => row.label)].map(([label, group]) => {
    const solvedRuns = group.filter((row) => isSolved(row) && row[metric.name] !== null);
    const order = sums ? "seconds" : metric.name;
    solvedRuns.sort((a, b) => a[order] - b[order]);
    let total = 0;
    const points = solvedRuns.map((row, i) => ({ x: i + 1, y: sums ? (total += row[metric.name] - 1) : row[metric.name] }));
    return { label, points: thinned(points) };
  });
}

function thinned(points) {
  const step = Math.ceil(points.length / 400);
  return points.filter((_, i) => i % step === 0 || i === points.length - 1);
}

/** A row of figures for every domain, variant and w; runs of a search without w are shown in each. */
function panelsOf(rows) {
  const panels = [];
  for (const group of groupBy(rows, (row) => JSON.stringify([row.set, row.domain, row.variant])).values()) {
    const { set, domain, variant } = group[0];
    const bounds = distinct(group, "bound");
    for (const bound of bounds.length ? bounds : [null]) {
      const parts = [domain, bound === null ? "" : `w = ${bound}`, variant].filter(Boolean).join(", ");
      const title = allSets.length > 1 ? `${payload.sets[set].name}: ${parts}` : parts;
      panels.push({ title, domain, bound, set, rows: group.filter((row) => row.bound === null || row.bound === bound) });
    }
  }
  return panels.sort((a, b) => natural.compare(a.domain, b.domain) || a.bound - b.bound || a.set - b.set);
}

function drawFigures(rows) {
  const shown = rows.filter((row) => !hidden.has(row.label));
  const charts = [];
  for (const panel of panelsOf(shown)) {
    const accuracies = distinct(panel.rows, "accuracy");
    const byAccuracy = choice.mode === "accuracy" && accuracies.length > 0;
    const metrics = METRICS.filter((metric) => panel.rows.some((row) => row[metric.name] !== null)).slice(0, 3);
    const drawn = metrics.map((metric) => {
      const series = byAccuracy ? accuracySeries(panel.rows, metric, accuracies) : solvedSeries(panel.rows, metric);
      const sums = !byAccuracy && !metric.log;
      return chart(series, {
        title: sums ? `Accumulated ${metric.title.toLowerCase()}` : metric.title,
        xLabel: byAccuracy ? "accuracy" : "solved tasks",
        yLabel: sums ? `Σ (${metric.label} − 1)` : metric.label,
        metric: metric.name,
        log: metric.log && choice.log,
        bands: choice.bands,
        wholeX: !byAccuracy,
        xTicks: byAccuracy ? accuracies : undefined,
      });
    });
    charts.push(element("h3", {}, panel.title), element("div", { class: "panels" }, ...drawn));
  }
  byId("charts").replaceChildren(...(charts.length ? charts : [element("p", { class: "empty" }, "No runs pass the filters.")]));
}

const known = (rows, name) => rows.map((row) => row[name]).filter((value) => value !== null && value !== undefined);
const orNull = (numbers, how) => (numbers.length ? how(numbers) : null);

/** Tasks on which every run was solved, of every search that solved any: means over others would compare different tasks. */
function commonTasks(groups) {
  const able = groups.filter((group) => group.some(isSolved));
  const tasks = able.map((group) => new Set(group.map((row) => row.task)));
  const unsolved = new Set(able.flat().filter((row) => !isSolved(row)).map((row) => row.task));
  return new Set([...(tasks[0] ?? [])].filter((task) => !unsolved.has(task) && tasks.every((each) => each.has(task))));
}

function summaryRows(rows) {
  const key = (row) => JSON.stringify([row.set, row.domain, row.variant, row.label, row.bound, row.accuracy]);
  const groups = [...groupBy(rows, key).values()].sort((a, b) => compareRows(a[0], b[0]));
  const rivals = groupBy(groups, ([row]) => JSON.stringify([row.set, row.domain, row.variant]));
  return [...rivals.values()].flatMap((together) => {
    const common = commonTasks(together);
    return together.map((group) => summaryRow(group, common));
  });
}

function summaryRow(group, common) {
  const shared = group.filter((row) => common.has(row.task) && isSolved(row));
  const ratios = known(shared, "ratio");
  return {
    set: payload.sets[group[0].set].name,
    domain: group[0].domain,
    variant: group[0].variant || null,
    label: group[0].label,
    bound: group[0].bound,
    accuracy: group[0].accuracy,
    measured: orNull(known(group, "measured_accuracy"), mean),
    runs: group.length,
    solved: group.filter(isSolved).length,
    unproven: group.filter((row) => hasPlan(row) && !isSolved(row)).length || null,
    common: common.size,
    cost: orNull(known(shared, "cost"), mean),
    ratio: ratios.length === shared.length ? orNull(ratios, mean) : null,
    suboptimality: orNull(known(shared, "suboptimality"), mean),
    expansions: orNull(known(group, "expansions"), mean),
    middle: orNull(known(group, "expansions"), median),
    seconds: orNull(known(group, "seconds"), mean),
  };
}

// The main columns first: they fit on a screen 1280 pixels wide.
const SUMMARY_COLUMNS = [
  { name: "label", label: "Search" },
  ...(payload.sets.length > 1 ? [{ name: "set", label: "Results" }] : []),
  { name: "domain", label: "Domain" },
  { name: "bound", label: "w", number: true },
  { name: "accuracy", label: "Accuracy", number: true },
  { name: "variant", label: "Variant" },
  { name: "solved", label: "Solved", number: true },
  { name: "runs", label: "of", number: true },
  { name: "unproven", label: "Unproven plans", number: true },
  { name: "expansions", label: "Mean expansions", number: true },
  { name: "seconds", label: "Mean search time", number: true },
  { name: "suboptimality", label: "Mean suboptimality", number: true },
  { name: "ratio", label: "Mean proven ratio", number: true },
  { name: "cost", label: "Mean cost", number: true },
  { name: "middle", label: "Median expansions", number: true },
  { name: "measured", label: "Measured accuracy", number: true },
  { name: "common", label: "Tasks all solved", number: true },
];

function drawSections() {
  const names = [...(byId("claims").children.length ? [["claims", "Claims"]] : []), ["figures", "Figures"], ...(allSets.length > 1 ? [["sides", "Side by side"]] : []), ["summary", "Summary"], ["runs", "Runs"]];
  byId("sections").replaceChildren(...names.map(([id, label]) => element("a", { href: `#${id}` }, label)));
  byId("about").textContent = payload.about;
}

const summaryTable = sortableTable(usedColumns(SUMMARY_COLUMNS, summaryRows(allRows)), "Summary", { sortBy: "domain" });
const runsTable = sortableTable(usedColumns(RUN_COLUMNS, allRows), "Runs", { onOpen: openCertificate });
const sides = allSets.length > 1 ? sideBySide() : null;

function redraw() {
  const rows = filtered(allRows);
  byId("count").textContent = `${rows.length.toLocaleString("en")} of ${allRows.length.toLocaleString("en")} runs`;
  drawLegend(rows);
  drawFigures(rows);
  summaryTable.update(summaryRows(rows));
  runsTable.update(rows);
  sides?.update(rows.filter((row) => !hidden.has(row.label)));
}

byId("summary-table").append(summaryTable.host);
byId("runs-table").append(runsTable.host);
byId("certificate-close").addEventListener("click", () => byId("certificate").close());
if (matchMedia("(max-width: 40rem)").matches) byId("filters").open = false;
drawSections();
drawFilters();
drawControls();
redraw();
