"use strict";
// The rows of the page, what the filters let through, and sums over them.

const payload = JSON.parse(document.getElementById("data").textContent);

/** Columns are stored one by one; texts as numbers into a list of distinct ones. */
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

// A row without a value (WA* has no accuracy, A* no weight) is kept whatever is chosen for that filter.
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
  // Variants are other readings of the same sweep: together with the default they would be averaged.
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

// Two-sided 95 % points of Student's t by degrees of freedom.
const T95 = [12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131];

/** Mean over draws of their means, and where there are several draws a 95 % t-interval over them, the starts taken as they are. */
function meanWithBand(rows, metric) {
  const known = rows.filter((row) => row[metric] !== null && row[metric] !== undefined);
  if (!known.length) return null;
  const means = [...groupBy(known, (row) => row.draw).values()].map((group) => mean(group.map((row) => row[metric])));
  const y = mean(means);
  if (means.length < 2) return { y, low: y, high: y, n: known.length };
  const spread = Math.sqrt(means.reduce((sum, value) => sum + (value - y) ** 2, 0) / (means.length - 1) / means.length);
  const half = spread * (T95[means.length - 2] ?? 1.96);
  return { y, low: y - half, high: y + half, n: known.length };
}

function formatNumber(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (Number.isInteger(value)) return value.toLocaleString("en");
  const size = Math.abs(value);
  if (size !== 0 && size < 0.001) return value.toExponential(2);
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
