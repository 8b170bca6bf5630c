"use strict";
// The rows of the page, what the filters let through, and sums over them.

const payload = JSON.parse(document.getElementById("data").textContent);

/** Decodes the rows, which are stored by column; texts are indices into a list of distinct texts. */
function decode(set, number) {
  const names = Object.keys(set.columns);
  const rows = Array.from({ length: set.size }, () => ({ set: number }));
  for (const name of names) {
    const { constant, texts, codes, values } = set.columns[name];
    const at = codes ? (i) => texts[codes[i]] ?? null : values ? (i) => values[i] : () => constant;
    for (let i = 0; i < set.size; i++) rows[i][name] = at(i);
  }
  return rows;
}

const allSets = payload.sets.map(decode);
const allRows = allSets.flat();

const natural = new Intl.Collator("en", { numeric: true });
const compareValues = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : natural.compare(String(a), String(b)));

function distinct(rows, name) {
  return [...new Set(rows.map((row) => row[name]))].filter((value) => value !== null && value !== undefined).sort(compareValues);
}

function groupBy(rows, key) {
  const groups = new Map();
  for (const row of rows) {
    const name = key(row);
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(row);
  }
  return groups;
}

// A row without a value (WA* has no accuracy, A* no weight) always passes the filter.
const FILTERS = [
  { name: "set", label: "Results", title: (value) => payload.sets[value].name },
  { name: "domain", label: "Domain" },
  { name: "bound", label: "w" },
  { name: "accuracy", label: "Accuracy" },
  { name: "label", label: "Search" },
  { name: "variant", label: "Variant", title: (value) => value || "default reading" },
  { name: "status", label: "Status" },
];
for (const row of allRows) row.bound = row.weighted ? row.w : null;
for (const filter of FILTERS) {
  filter.values = distinct(allRows, filter.name);
  // Only one variant is shown at first, because rows of several variants would be averaged.
  filter.chosen = new Set(filter.name === "variant" && filter.values.includes("") ? [""] : filter.values);
}
let taskText = "";

function filtered(rows) {
  const active = FILTERS.filter((filter) => filter.chosen.size < filter.values.length);
  const text = taskText.toLowerCase();
  return rows.filter(
    (row) =>
      active.every((filter) => row[filter.name] === null || filter.chosen.has(row[filter.name])) &&
      (!text || row.task.toLowerCase().includes(text)),
  );
}

const hasPlan = (row) => row.cost !== null && row.valid !== false;
const isSolved = (row) => row.status === "solved" && hasPlan(row);
const mean = (numbers) => numbers.reduce((sum, value) => sum + value, 0) / numbers.length;

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The mean over draws of their means; the interval where the page was made with one for just these runs. */
function meanWithInterval(rows, metric) {
  const values = rows.filter((row) => row[metric] !== null && row[metric] !== undefined);
  if (!values.length) return null;
  const means = [...groupBy(values, (row) => row.draw).values()].map((group) => mean(group.map((row) => row[metric])));
  const { set, domain, variant, label, w, accuracy } = rows[0];
  const made = payload.sets[set].intervals[[domain, variant, label, w, accuracy].join("|")];
  const [low, high] = (made?.runs === rows.length && made[metric]) || [null, null];
  return { y: mean(means), low, high };
}

/** A time as text with a suitable unit: 80 µs, 12 ms, 3.4 s, 2 min 05 s. */
function formatSeconds(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (value >= 60) return `${Math.floor(value / 60)} min ${String(Math.floor(value % 60)).padStart(2, "0")} s`;
  const [factor, unit] = value >= 1 || value === 0 ? [1, "s"] : value >= 1e-3 ? [1e3, "ms"] : [1e6, "µs"];
  return `${Number((value * factor).toPrecision(3))} ${unit}`;
}

const formatOf = (name) => (name === "seconds" || name === "total_seconds" ? formatSeconds : formatNumber);

function formatNumber(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (Number.isInteger(value)) return value.toLocaleString("en");
  const size = Math.abs(value);
  if (size >= 1000) return Math.round(value).toLocaleString("en");
  return String(Number(value.toPrecision(4)));
}

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}
