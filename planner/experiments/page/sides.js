// Two result sets side by side: the same run in both, matched by what was run.

const MATCHED = ["task", "label", "variant", "w", "accuracy", "seed", "draw"];

function matchedPairs(rows) {
  const key = (row) => JSON.stringify(MATCHED.map((name) => row[name]));
  const second = new Map(rows.filter((row) => row.set === 1).map((row) => [key(row), row]));
  return rows.filter((row) => row.set === 0 && second.has(key(row))).map((row) => [row, second.get(key(row))]);
}

function pairSummary(pairs) {
  const key = ([row]) => JSON.stringify([row.domain, row.variant, row.label, row.bound, row.accuracy]);
  return [...groupBy(pairs, key).values()].sort((a, b) => compareRows(a[0][0], b[0][0])).map((group) => {
    const both = group.filter(([a, b]) => isSolved(a) && isSolved(b));
    const quotient = (name) => {
      const logs = both.filter(([a, b]) => a[name] > 0 && b[name] > 0).map(([a, b]) => Math.log(b[name] / a[name]));
      return logs.length ? Math.exp(mean(logs)) : null;
    };
    const [first] = group[0];
    return {
      label: first.label, domain: first.domain, variant: first.variant || "–", bound: first.bound, accuracy: first.accuracy, pairs: group.length,
      solvedA: group.filter(([a]) => isSolved(a)).length, solvedB: group.filter(([, b]) => isSolved(b)).length,
      expansions: quotient("expansions"), seconds: quotient("seconds"), cost: quotient("cost"),
    };
  });
}

const AXES = [
  { name: "expansions", label: "expansions" },
  { name: "seconds", label: "search time" },
  { name: "cost", label: "cost" },
];

/** A point for each pair; below the diagonal the second set is better. */
function scatter(pairs, axis) {
  const usable = pairs.filter(([a, b]) => isSolved(a) && isSolved(b) && a[axis.name] > 0 && b[axis.name] > 0);
  const figure = element("figure", { class: "card" }, element("figcaption", {}, axis.label));
  if (!usable.length) {
    figure.append(element("p", { class: "empty" }, "Nothing to show here."));
    return figure;
  }
  const numbers = usable.flatMap(([a, b]) => [a[axis.name], b[axis.name]]);
  const [low, high] = [numbers.reduce((a, b) => Math.min(a, b)), numbers.reduce((a, b) => Math.max(a, b))];
  const x = logScale(low, high, EDGE.left + 8, WIDTH - EDGE.right - 8);
  const y = logScale(low, high, HEIGHT - EDGE.bottom - 4, EDGE.top + 4);
  const [first, second] = payload.sets.map((set) => set.name);
  const drawing = svg("svg", {
    class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img",
    "aria-label": `${axis.label} of ${usable.length} runs in ${first} (across) and ${second} (up)`,
  });
  drawAxes(drawing, x, y, x.ticks, { xLabel: first, yLabel: second, metric: axis.name });
  drawing.append(svg("line", { class: "cursor", x1: x.at(low), y1: y.at(low), x2: x.at(high), y2: y.at(high) }));
  const step = Math.ceil(usable.length / 3000);
  for (const [a, b] of usable.filter((_, i) => i % step === 0)) {
    const dot = svg("circle", { cx: x.at(a[axis.name]), cy: y.at(b[axis.name]), r: 3, style: `fill:${styleOf(a.label).colour};opacity:.6` });
    dot.append(svg("title", {}, `${a.task}, ${a.label}: ${formatOf(axis.name)(a[axis.name])} and ${formatOf(axis.name)(b[axis.name])}`));
    dot.addEventListener("click", () => openCertificate(b));
    drawing.append(dot);
  }
  figure.append(drawing);
  return figure;
}

function sideBySide() {
  const [first, second] = payload.sets.map((set) => set.name);
  const table = sortableTable(
    [
      { name: "label", label: "Search" }, { name: "domain", label: "Domain" },
      ...(distinct(allRows, "variant").length > 1 ? [{ name: "variant", label: "Variant" }] : []), { name: "bound", label: "w", number: true },
      { name: "accuracy", label: "Accuracy", number: true }, { name: "pairs", label: "Runs", number: true },
      { name: "solvedA", label: `Solved: ${first}`, number: true }, { name: "solvedB", label: `Solved: ${second}`, number: true },
      { name: "expansions", label: "Expansions ×", number: true }, { name: "seconds", label: "Seconds ×", number: true },
      { name: "cost", label: "Cost ×", number: true },
    ],
    "Side by side", { sortBy: "domain" },
  );
  byId("sides").hidden = false;
  byId("sides-table").append(table.host);
  return {
    update(rows) {
      const pairs = matchedPairs(rows);
      byId("sides-about").textContent =
        `${pairs.length.toLocaleString("en")} runs are in both. Factors are geometric means of ${second} over ${first} where both solved the task: below 1, ${second} needs less.`;
      byId("sides-charts").replaceChildren(element("div", { class: "panels" }, ...AXES.map((axis) => scatter(pairs, axis))));
      table.update(pairSummary(pairs));
    },
  };
}
