// Tables that sort by any column, a page at a time; the certificate of a run.

const PAGE_ROWS = 50;

/** `columns` are {name, label, number, show(row), value(row)}; `onOpen(row)` makes the first column a button. */
function sortableTable(columns, caption, { onOpen = null, sortBy = null } = {}) {
  const host = element("div");
  const state = { rows: [], column: sortBy, down: false, page: 0 };
  const valueOf = (column, row) => (column.value ? column.value(row) : row[column.name]);

  function sorted() {
    const column = columns.find((each) => each.name === state.column);
    if (!column) return state.rows;
    const sign = state.down ? -1 : 1;
    const known = (row) => valueOf(column, row) !== null && valueOf(column, row) !== undefined;
    return [...state.rows].sort((a, b) => known(b) - known(a) || (known(a) ? sign * compareValues(valueOf(column, a), valueOf(column, b)) : 0));
  }

  function header(column) {
    const active = state.column === column.name;
    const arrow = active ? (state.down ? " ↓" : " ↑") : "";
    const click = () => {
      state.down = active && !state.down;
      state.column = column.name;
      state.page = 0;
      draw();
      host.querySelector(`button[data-column="${column.name}"]`).focus();
    };
    const button = element("button", { type: "button", "data-column": column.name, onclick: click }, column.label + arrow);
    const order = active ? (state.down ? "descending" : "ascending") : "none";
    return element("th", { scope: "col", class: column.number ? "number" : "", "aria-sort": order }, button);
  }

  function cell(column, row, first) {
    const shown = column.show ? column.show(row) : column.number ? formatOf(column.name)(valueOf(column, row)) : (valueOf(column, row) ?? "–");
    if (first && onOpen) {
      const open = element("button", { type: "button", class: "open", onclick: () => onOpen(row), title: String(shown) }, String(shown));
      return element("td", {}, open);
    }
    const kind = [column.number ? "number" : "clip", column.kind ? column.kind(row) : ""].join(" ");
    return element("td", { class: kind.trim() }, shown instanceof Node ? shown : String(shown));
  }

  function pager(total, pages) {
    if (pages <= 1) return null;
    const turn = (step) => () => {
      state.page += step;
      draw();
    };
    return element(
      "div", { class: "pager" },
      element("button", { type: "button", disabled: state.page === 0, onclick: turn(-1) }, "← Previous"),
      element("span", { class: "quiet" }, `page ${state.page + 1} of ${pages}, ${total.toLocaleString("en")} rows`),
      element("button", { type: "button", disabled: state.page === pages - 1, onclick: turn(1) }, "Next →"),
    );
  }

  function draw() {
    const rows = sorted();
    const pages = Math.max(1, Math.ceil(rows.length / PAGE_ROWS));
    state.page = Math.min(state.page, pages - 1);
    const shown = rows.slice(state.page * PAGE_ROWS, (state.page + 1) * PAGE_ROWS);
    const body = shown.map((row) => element("tr", {}, ...columns.map((column, i) => cell(column, row, i === 0))));
    const table = element(
      "table", { class: "data", "aria-label": caption },
      element("thead", {}, element("tr", {}, ...columns.map(header))),
      element("tbody", {}, ...body),
    );
    const scroll = element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `${caption}, scrollable` }, table);
    const after = rows.length ? pager(rows.length, pages) : element("p", { class: "empty" }, "No runs pass the filters.");
    const hint = element("p", { class: "quiet hint", hidden: true }, "Scroll the table sideways for more columns →");
    host.replaceChildren(hint, scroll, ...(after ? [after] : []));
    requestAnimationFrame(() => (hint.hidden = scroll.scrollWidth <= scroll.clientWidth));
  }

  return {
    host,
    update(rows) {
      state.rows = rows;
      state.page = 0;
      draw();
    },
  };
}

const statusKind = (row) => (isSolved(row) ? "good" : "bad");
const statusText = (row) => (row.valid === false ? "invalid plan" : row.status);

const RUN_COLUMNS = [
  { name: "task", label: "Task" },
  { name: "label", label: "Search" },
  { name: "bound", label: "w", number: true },
  { name: "accuracy", label: "Accuracy", number: true },
  { name: "variant", label: "Variant" },
  { name: "draw", label: "Draw", number: true },
  { name: "status", label: "Status", show: statusText, kind: statusKind },
  { name: "cost", label: "Cost", number: true },
  { name: "lower_bound", label: "Bound", number: true },
  { name: "ratio", label: "Proven ratio", number: true },
  { name: "suboptimality", label: "Suboptimality", number: true },
  { name: "expansions", label: "Expansions", number: true },
  { name: "seconds", label: "Search time", number: true },
  { name: "memory", label: "MB", number: true, show: (row) => (row.memory === null ? "–" : formatNumber(row.memory / 1e6)) },
];

/** The columns that have a value in at least one row. */
function usedColumns(columns, rows) {
  return columns.filter((column) => rows.some((row) => ![null, undefined, ""].includes(row[column.name])));
}

/** A sentence that says what a certificate proves, and whether this is sufficient for w. */
function proof(row) {
  if (row.cost === null) {
    const known = row.lower_bound ? ` Every plan costs at least ${row.lower_bound}.` : "";
    return [`No plan: ${row.status}.${known}`, "bad"];
  }
  if (row.valid === false) return ["The validator rejects this plan.", "bad"];
  if (!row.certified || row.lower_bound === null) return [`A plan of cost ${row.cost}, with no proven bound.`, ""];
  if (row.cost === row.lower_bound) return [`Cost ${row.cost} = lower bound: the plan is optimal.`, "good"];
  const allowed = row.w * row.lower_bound;
  const text = `Cost ${row.cost} ≤ w · lower bound = ${row.w} · ${row.lower_bound} = ${formatNumber(allowed)}; proven ratio ${formatNumber(row.ratio)}.`;
  return row.cost <= allowed + 1e-9 ? [text, "good"] : [text.replace("≤", ">"), "bad"];
}

const DETAILS = [
  ["Domain", "domain"], ["Planner", "planner"], ["Search", "label"], ["Heuristic", "heuristic"], ["Policy", "policy"],
  ["Target accuracy", "accuracy"], ["Accuracy among applicable actions", "measured_accuracy"], ["Accuracy by Eq. 1", "literal_accuracy"], ["Variant", "variant"], ["Seed", "seed"], ["Draw", "draw"],
  ["Optimal cost", "optimal_cost"], ["Suboptimality", "suboptimality"], ["Plan length", "plan_length"], ["Plan accepted by the validator", "valid"],
  ["Expanded", "expansions"], ["Generated", "generated"], ["Evaluated", "evaluated"], ["Re-opened", "reopened"],
  ["Policy evaluations", "policy_evaluations"], ["Search time", "seconds"], ["Total time, with reading and grounding", "total_seconds"], ["Memory (bytes)", "memory"],
  ["Time limit (s)", "time_limit"], ["Memory limit (bytes)", "memory_limit"], ["Options", "options"], ["Repeat with", "repeat"],
  ["Message", "message"], ["Versions", "versions"], ["Machine", "machine"], ["Key", "key"],
];

function openCertificate(row) {
  const [sentence, kind] = proof(row);
  const list = element("dl");
  for (const [label, name] of DETAILS) {
    const value = row[name];
    if (value === null || value === undefined || value === "") continue;
    list.append(element("dt", {}, label), element("dd", {}, name === "repeat" ? element("code", {}, value) : typeof value === "number" ? formatOf(name)(value) : String(value)));
  }
  document.getElementById("certificate-title").textContent = row.task;
  const plan = row.plan ? [element("h3", {}, "Plan"), element("pre", { tabindex: "0" }, row.plan)] : [];
  document.getElementById("certificate-body").replaceChildren(element("p", { class: `proof ${kind}` }, sentence), list, ...plan);
  document.getElementById("certificate").showModal();
}
