"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const editors = ["domain", "problem"];
let running = null; // AbortController of the search
let checking = null; // AbortController of the check of the PDDL
let timer = 0; // of the check
let found = null; // the last plan: its steps
let course = null; // the states of the plan
let gaps = []; // points of the chart

const element = (name, attributes = {}, ...children) => {
  const made = document.createElementNS(name.startsWith("svg:") ? "http://www.w3.org/2000/svg" : "http://www.w3.org/1999/xhtml", name.replace("svg:", ""));
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};
const listed = (list, rows) => list.replaceChildren(...rows.map((row) => element("li", {}, row)));
const say = (place, text, kind = "") => { place.textContent = text; place.className = kind; };
const task = () => ({ domain: $("domain").value, problem: $("problem").value });
const number = (value) => Number(value.toPrecision(4)).toString();

async function ask(tool, fields, signal) {
  const response = await fetch(`api/${tool}`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ ...task(), ...fields }), signal,
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

// Editors: line numbers, and faults at their lines.
function drawLines(name, faults = []) {
  const area = $(name), gutter = area.previousElementSibling;
  const wrong = new Set(faults.map((fault) => fault.line));
  const rows = [];
  for (let line = 1; line <= area.value.split("\n").length; line++)
    rows.push(wrong.has(line) ? element("span", { class: "wrong" }, `${line}`) : `${line}`, "\n");
  gutter.replaceChildren(...rows);
  gutter.scrollTop = area.scrollTop;
}

function goTo(name, line, column) {
  const area = $(name), lines = area.value.split("\n");
  const at = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0) + Math.max(column - 1, 0);
  area.focus();
  area.setSelectionRange(at, at + 1);
  area.scrollTop = Math.max(0, (line - 4) * area.scrollHeight / lines.length);
}

function showFaults(faults) {
  for (const name of editors) {
    const own = faults.filter((fault) => fault.file === name);
    drawLines(name, own);
    $(name).setAttribute("aria-invalid", own.length ? "true" : "false");
    listed($(`${name}-faults`), own.map((fault) => {
      const button = element("button", { type: "button" }, element("b", {}, `Line ${fault.line}, column ${fault.column}: `), fault.message);
      button.addEventListener("click", () => goTo(name, fault.line, fault.column));
      return button;
    }));
  }
}

async function check() {
  checking?.abort();
  checking = new AbortController();
  try {
    const answer = await ask("states", { plan: "" }, checking.signal);
    showFaults(answer.faults ?? []);
  } catch (error) {
    if (error.name !== "AbortError") say($("verdict"), error.message, "bad");
  }
}

function hideResults() {
  for (const id of ["why", "replay", "gap", "course", "copy"]) $(id).hidden = true;
  listed($("reasons"), []);
}

// Results are about the text that was solved: after a change they would be wrong.
function edited(name) {
  drawLines(name);
  if (!running && $("verdict").textContent) {
    hideResults();
    say($("verdict"), "The task has changed: solve it again.");
    say($("judgement"), "");
    listed($("failures"), []);
  }
  clearTimeout(timer);
  timer = setTimeout(check, 700);
}

// The search.
function verdict(answer) {
  if (!answer.plan) {
    const why = answer.status === "unsolvable" ? "There is no plan: proven." : `No plan was found (${answer.status}).`;
    const bound = answer.status !== "unsolvable" && answer.lower_bound ? ` Every plan costs at least ${answer.lower_bound}: proven.` : "";
    return [why + bound, "bad"];
  }
  const cost = `This plan costs ${answer.cost}`;
  if (answer.cost === answer.lower_bound) return [`${cost}, and no plan costs less: it is optimal, proven.`, "good"];
  if (!answer.proven_ratio) return [`${cost}. Nothing is proven about the optimum yet.`, ""];
  const rest = answer.status === "solved" ? "" : ` More was not proven in time (${answer.status}).`;
  return [`${cost}. No plan costs less than ${answer.lower_bound}, so it is at most ${number(answer.proven_ratio)} times the optimum: proven.${rest}`, "good"];
}

async function solve() {
  if (running) return;
  running = new AbortController();
  clearTimeout(timer);
  gaps = [];
  found = course = null;
  hideResults();
  $("solve").disabled = true;
  $("stop").hidden = false;
  say($("verdict"), "Searching …");
  try {
    const fields = { w: Number($("w").value), time_limit: Number($("seconds").value), stream: true };
    const response = await fetch("api/plan", {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ ...task(), ...fields }), signal: running.signal,
    });
    if (!response.ok) throw new Error((await response.json()).error);
    await readLines(response.body, (line) => line.gap ? addGap(line.gap) : finish(line));
  } catch (error) {
    say($("verdict"), error.name === "AbortError" ? "Stopped." : error.message, "bad");
  }
  running = null;
  $("solve").disabled = false;
  $("stop").hidden = true;
}

async function readLines(body, use) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ""; ;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) await use(JSON.parse(line));
  }
}

async function finish(answer) {
  showFaults(answer.faults ?? []);
  if (answer.verdict) return say($("verdict"), answer.faults.length ? "The task has mistakes: see the lines marked above." : answer.message, "bad");
  say($("verdict"), ...verdict(answer));
  if (answer.gap_history.length && answer.status !== "unsolvable") { gaps = answer.gap_history; drawGap(answer.statistics.search_seconds); }
  $("why").hidden = Boolean(answer.plan);
  $("replay").hidden = false;
  if (answer.status === "unsolvable") $("gap").hidden = true;
  if (!answer.plan) return undefined;
  found = answer.plan;
  $("copy").hidden = false;
  course = await ask("states", { plan: found }, running.signal);
  showCourse();
}

async function why() {
  say($("verdict"), "Looking for the reason …");
  $("why").disabled = true;
  try {
    const answer = await ask("explain", { time_limit: Number($("seconds").value) });
    showFaults(answer.faults);
    say($("verdict"), `${answer.message[0].toUpperCase()}${answer.message.slice(1)}.`, answer.verdict === "plan_exists" ? "good" : "bad");
    const types = Object.entries(answer.empty_types).map(([name, actions]) => `No object has the type ${name}, which ${actions.join(", ")} needs.`);
    listed($("reasons"), [...types, ...answer.suggestions.map(suggestion)]);
  } catch (error) {
    say($("verdict"), error.message, "bad");
  }
  $("why").disabled = false;
}

function suggestion(each) {
  const parts = [];
  if (each.effect) parts.push(`the effect ${each.effect} of ${each.action}`);
  if (each.object) parts.push(`the object ${each.object}`);
  if (each.facts.length) parts.push(`${each.facts.join(" ")} in the initial state`);
  return `Perhaps missing: ${parts.join(" and ")}${each.plan_found ? "; then there is a plan" : ""}.`;
}

// The chart of the gap: the cost of the best plan above, the lower bound below.
function addGap(point) {
  gaps.push(point);
  drawGap(point.seconds);
}

function drawGap(seconds) {
  $("gap").hidden = false;
  const wide = $("gap").clientWidth, right = wide - 90; // labels are to the right
  $("chart").setAttribute("viewBox", `0 0 ${wide} 200`);
  const end = Math.max(seconds, ...gaps.map((point) => point.seconds), 0.001);
  const top = Math.max(1, ...gaps.map((point) => point.cost ?? point.lower_bound)) * 1.1;
  const x = (time) => 50 + (right - 50) * time / end, y = (value) => 175 - 160 * value / top;
  const line = (pick) => {
    const known = gaps.filter((point) => pick(point) !== null);
    return known.map((point, i) => `${i ? `H${x(point.seconds)}V` : `M${x(point.seconds)} `}${y(pick(point))}`).join("") + (known.length ? `H${x(end)}` : "");
  };
  const last = gaps[gaps.length - 1];
  const marks = [0, 0.5, 1].map((part) => Math.round(part * top / 1.1));
  $("chart").replaceChildren(
    ...marks.flatMap((value) => [
      element("svg:line", { class: "grid", x1: 50, x2: right, y1: y(value), y2: y(value) }),
      element("svg:text", { x: 44, y: y(value) + 4, "text-anchor": "end" }, `${value}`),
    ]),
    element("svg:text", { x: 50, y: 194 }, "0 s"),
    element("svg:text", { x: right, y: 194, "text-anchor": "end" }, `${number(end)} s`),
    element("svg:path", { class: "bound", d: line((point) => point.lower_bound) }),
    element("svg:path", { class: "cost", d: line((point) => point.cost) }),
    ...labels(last, right + 6, y),
  );
  const known = last.cost === null ? "no plan yet" : `best plan ${last.cost}`;
  $("gap-title").textContent = `How the gap closes: ${known}, lower bound ${last.lower_bound}${last.ratio ? `, so at most ${number(last.ratio)} times the optimum` : ""}.`;
}

function labels(last, x, y) {
  const bound = y(last.lower_bound) + 4;
  if (last.cost === null) return [element("svg:text", { class: "bound-label", x, y: bound }, `bound ${last.lower_bound}`)];
  if (last.cost === last.lower_bound) return [element("svg:text", { class: "bound-label", x, y: bound }, `optimal: ${last.cost}`)];
  const cost = Math.min(y(last.cost) + 4, bound - 14);
  return [
    element("svg:text", { class: "bound-label", x, y: bound }, `bound ${last.lower_bound}`),
    element("svg:text", { class: "cost-label", x, y: cost }, `plan ${last.cost}`),
  ];
}

// The plan, step by step.
function showCourse() {
  if (!course.steps) return;
  $("steps").replaceChildren(...course.steps.map((step, i) => {
    const button = element("button", { type: "button" }, step.action);
    button.addEventListener("click", () => showStep(i + 1));
    return element("li", {}, button);
  }));
  $("position").max = course.steps.length;
  $("course").hidden = false;
  showStep(0);
}

function showStep(step) {
  const at = Math.min(Math.max(step, 0), course.steps.length);
  $("position").value = at;
  const atoms = new Set(course.initial);
  for (const each of course.steps.slice(0, at)) {
    each.deleted.forEach((atom) => atoms.delete(atom));
    each.added.forEach((atom) => atoms.add(atom));
  }
  const last = at ? course.steps[at - 1] : { added: [], deleted: [] };
  const cost = course.steps.slice(0, at).reduce((sum, each) => sum + each.cost, 0);
  $("now").textContent = `step ${at} of ${course.steps.length}, cost ${number(cost)}`;
  $("state-title").textContent = at ? `True after ${last.action}` : "True in the initial state";
  const added = new Set(last.added);
  const row = (atom, kind, mark) => element("li", kind ? { class: kind } : {}, mark + atom);
  $("state").replaceChildren(
    ...last.added.map((atom) => row(atom, "added", "+ ")),
    ...last.deleted.map((atom) => row(atom, "deleted", "− ")),
    ...[...atoms].filter((atom) => !added.has(atom)).sort().map((atom) => row(atom, "", "")),
  );
  [...$("steps").querySelectorAll("button")].forEach((button, i) => {
    if (i === at - 1) {
      button.setAttribute("aria-current", "step");
      const list = $("steps"), top = button.offsetTop - list.offsetTop;
      if (top < list.scrollTop || top + button.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
    } else button.removeAttribute("aria-current");
  });
  $("back").disabled = at === 0;
  $("forth").disabled = at === course.steps.length;
}

// A plan of one's own.
async function judge() {
  $("judge").disabled = true;
  listed($("failures"), []);
  say($("judgement"), "Judging …");
  try {
    const answer = await ask("judge", { plan: $("own").value, w: 1, time_limit: Number($("seconds").value) });
    if (answer.verdict) showFaults(answer.faults);
    say($("judgement"), `${answer.message[0].toUpperCase()}${answer.message.slice(1)}.`, answer.valid ? "good" : "bad");
    const reasons = (answer.unsatisfied ?? []).map((each) => `${each.condition} is false.`);
    if (answer.nearest_action) reasons.push(`Applicable there, and similar: ${answer.nearest_action}`);
    if (answer.valid && answer.lower_bound !== null) reasons.push(`No plan costs less than ${answer.lower_bound}: proven.`);
    if (answer.better_plan) reasons.push(`A plan of cost ${answer.better_cost}: ${answer.better_plan.map((step) => `(${step})`).join(" ")}`);
    listed($("failures"), reasons);
  } catch (error) {
    say($("judgement"), error.message, "bad");
  }
  $("judge").disabled = false;
}

// Controls.
function choose(example) {
  for (const name of editors) $(name).value = example[name];
  $("own").value = "";
  hideResults();
  for (const id of ["verdict", "judgement"]) say($(id), "");
  listed($("failures"), []);
  showFaults([]);
  check();
}

const options = (select, rows, chosen) => select.append(...rows.map(([value, text]) => {
  const option = element("option", { value }, text);
  option.selected = value === chosen;
  return option;
}));

options($("example"), data.examples.map((each, i) => [i, each.title]), 0);
options($("w"), [["1", "1"], ["1.1", "1.1"], ["1.2", "1.2"], ["1.5", "1.5"], ["2", "2"]], "1.5");
options($("seconds"), [["5", "5 s"], ["10", "10 s"], ["30", "30 s"]], "10");
$("example").addEventListener("change", () => choose(data.examples[$("example").value]));
for (const name of editors) {
  $(name).addEventListener("input", () => edited(name));
  $(name).addEventListener("scroll", () => { $(name).previousElementSibling.scrollTop = $(name).scrollTop; });
}
$("solve").addEventListener("click", solve);
$("stop").addEventListener("click", () => running?.abort());
$("why").addEventListener("click", why);
$("replay").addEventListener("submit", () => {
  const fields = { ...task(), w: $("w").value, time_limit: $("seconds").value };
  for (const [name, value] of Object.entries(fields)) $("replay").elements[name].value = value;
});
$("judge").addEventListener("click", judge);
$("copy").addEventListener("click", () => { $("own").value = found.map((step) => `(${step})`).join("\n"); $("own").focus(); });
$("back").addEventListener("click", () => showStep(Number($("position").value) - 1));
$("forth").addEventListener("click", () => showStep(Number($("position").value) + 1));
$("position").addEventListener("input", () => showStep(Number($("position").value)));
document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "Enter") { event.preventDefault(); solve(); }
});
choose(data.examples[0]);
