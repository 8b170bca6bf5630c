"use strict";
// Replays search traces: a chart of f, the lower bound and the incumbent, and for small searches the search tree.

const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// The browser resolves light-dark() only for the style of an element, so the colours are read from an element.
function paint(variable) {
  probe.style.color = `var(${variable})`;
  return getComputedStyle(probe).color;
}
const probe = element("span", { hidden: "" });
document.body.append(probe);

function prepared(canvas) {
  const ratio = window.devicePixelRatio || 1;
  const { width, height } = canvas.getBoundingClientRect();
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.max(1, Math.round(height * ratio));
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return { context, width, height };
}

function weight(text) {
  const [numerator, denominator = "1"] = String(text).split("/");
  return Number(numerator) / Number(denominator);
}

class Run {
  constructor(run) {
    Object.assign(this, run.columns);
    this.names = run.names;
    this.actions = run.action;
    this.queues = run.queue;
    this.atoms = run.atoms;
    this.result = run.result;
    this.task = run.task;
    this.count = this.n.length;
    // The plan and the bound of the final result are shown at the last expansion.
    if (this.count && this.result.lower_bound !== null) this.bound[this.count - 1] = this.result.lower_bound;
    if (this.count && this.result.cost !== null) this.plan[this.count - 1] = this.result.cost;
    this.w = weight(this.result.w);
    this.f = this.g.map((g, i) => (this.h[i] === null ? null : g + this.h[i]));
    this.drawn = this.count > 0 && this.count <= data.most_drawn && this.n[this.count - 1] === this.count;
    if (this.drawn) this.layOut();
    this.build();
  }

  // Every state has one position, below its first parent. Leaves are side by side, a parent above its children's middle.
  layOut() {
    const index = new Map();
    this.parentIndex = this.state.map((state, i) => {
      const parent = index.has(this.parent[i]) ? index.get(this.parent[i]) : -1;
      if (!index.has(state)) index.set(state, i);
      return parent;
    });
    this.node = this.state.map((state) => index.get(state));
    const children = this.state.map(() => []);
    const roots = [];
    this.state.forEach((_, i) => {
      if (this.node[i] !== i) return;
      (this.parentIndex[i] >= 0 ? children[this.parentIndex[i]] : roots).push(i);
    });
    this.x = new Array(this.count).fill(0);
    this.depth = new Array(this.count).fill(0);
    let leaf = 0;
    // Iterative, because paths may be thousands of steps long.
    const stack = roots.slice().reverse().map((i) => [i, 0]);
    while (stack.length) {
      const top = stack[stack.length - 1];
      const [i, next] = top;
      if (next < children[i].length) {
        top[1] += 1;
        const child = children[i][next];
        this.depth[child] = this.depth[i] + 1;
        stack.push([child, 0]);
        continue;
      }
      const own = children[i];
      this.x[i] = own.length ? (this.x[own[0]] + this.x[own[own.length - 1]]) / 2 : leaf++;
      stack.pop();
    }
    this.leaves = Math.max(1, leaf - 1);
    this.deepest = Math.max(1, ...this.depth);
  }

  build() {
    const { result } = this;
    const found = result.cost === null ? "no plan" : `plan of cost ${result.cost}`;
    this.now = element("dl", { class: "now" });
    this.tree = element("canvas", { class: "tree", role: "img", "aria-label": "The tree of expansions" });
    this.course = element("canvas", { class: "course", role: "img", "aria-label": "f, bound and incumbent by expansion" });
    this.card = element("section", { class: "run" },
      element("h2", {}, result.search),
      element("p", { class: "quiet" }, `${this.task}: ${result.status}, ${found}, lower bound ${result.lower_bound}, ` +
        `${result.expanded.toLocaleString("en")} expansions`),
      this.now);
    if (this.drawn) this.card.append(this.tree, this.legend([["expanded node", "--f", "dot"], ["one of the last 12", "--now", "dot"],
      ["the last one", "--now", "large"], ["edge from the parent", "--edge"], ["path to the last one", "--now"]]));
    else this.card.append(element("p", { class: "quiet" }, "The tree is drawn for up to " +
      `${data.most_drawn.toLocaleString("en")} expansions.`));
    this.card.append(this.course, this.legend([["f of the node", "--f", "square"], ["lower bound", "--bound"],
      [`w · bound, w = ${this.result.w}`, "--limit"], ["plan", "--plan"]]));
    byId("runs").append(this.card);
  }

  // An entry has the text, colour and shape of a mark; a mark without a shape is a line.
  legend(entries) {
    return element("ul", { class: "legend" }, ...entries.map(([text, name, form = ""]) => {
      const mark = element("i", { class: form });
      mark.style.background = `var(${name})`;
      return element("li", {}, mark, text);
    }));
  }

  // Returns the last expansion whose number is at most n.
  at(n) {
    let low = 0, high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.n[middle] <= n) low = middle + 1; else high = middle;
    }
    return low - 1;
  }

  show(n) {
    const i = this.at(n);
    this.describe(i);
    if (this.drawn) this.drawTree(i);
    this.drawCourse(i);
  }

  describe(i) {
    const known = (value) => (value === null || value === undefined ? "–" : value);
    const rows = i < 0 ? [] : [
      ["action", this.names[this.actions[i]]],
      ["g + h = f", `${this.g[i]} + ${known(this.h[i])} = ${known(this.f[i])}`],
      ["key", `${known(this.key[i])}${this.names[this.queues[i]] ? ` in ${this.names[this.queues[i]]}` : ""}`],
      ["bound", `${this.bound[i]} (least f ${known(this.f_min[i])})`],
      ["plan", this.plan[i] === null ? "none yet" : `cost ${this.plan[i]}`],
    ];
    this.now.replaceChildren(...rows.flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, String(text))]));
    if (i >= 0 && this.atoms[i]) {
      this.now.append(element("dt", {}, "state"), element("dd", { class: "atoms", tabindex: "0" }, this.atoms[i]));
    }
  }

  drawTree(last) {
    const { context, width, height } = prepared(this.tree);
    const radius = Math.max(1.5, Math.min(5, width / (2.5 * this.leaves)));
    const x = (i) => 10 + (width - 20) * (this.leaves > 1 ? this.x[i] / this.leaves : 0.5);
    const y = (i) => 10 + (height - 20) * (this.depth[i] / this.deepest);
    context.lineWidth = 1;
    context.strokeStyle = paint("--edge");
    context.beginPath();
    for (let i = 0; i <= last; i++) {
      if (this.node[i] !== i || this.parentIndex[i] < 0) continue;
      context.moveTo(x(this.parentIndex[i]), y(this.parentIndex[i]));
      context.lineTo(x(i), y(i));
    }
    context.stroke();
    const old = paint("--f"), recent = paint("--now");
    for (let i = 0; i <= last; i++) {
      const age = last - i;
      context.globalAlpha = age < 12 ? 1 : 0.55;
      context.fillStyle = age < 12 ? recent : old;
      context.beginPath();
      context.arc(x(this.node[i]), y(this.node[i]), age === 0 ? radius + 3 : radius, 0, 2 * Math.PI);
      context.fill();
    }
    context.globalAlpha = 1;
    if (last >= 0) this.drawPath(context, x, y, this.node[last]);
  }

  drawPath(context, x, y, i) {
    context.strokeStyle = paint("--now");
    context.lineWidth = 2;
    context.beginPath();
    for (let at = i; this.parentIndex[at] >= 0; at = this.node[this.parentIndex[at]]) {
      context.moveTo(x(at), y(at));
      context.lineTo(x(this.parentIndex[at]), y(this.parentIndex[at]));
    }
    context.stroke();
  }

  drawCourse(last) {
    const { context, width, height } = prepared(this.course);
    const [left, bottom] = [40, 22];
    const limits = this.bound.map((bound) => bound * this.w);
    const known = [...this.f, ...this.plan, ...this.bound, ...limits].filter((value) => value !== null);
    const most = known.reduce((a, b) => Math.max(a, b), 1), least = known.reduce((a, b) => Math.min(a, b), most);
    const margin = Math.max(1, most - least) * 0.05;
    const [low, top] = [Math.max(0, least - margin), most + margin];
    const x = (i) => left + (width - left - 8) * (this.count > 1 ? i / (this.count - 1) : 0.5);
    const y = (value) => height - bottom - (height - bottom - 8) * ((value - low) / (top - low));
    this.axes(context, { width, height, left, low, top, y });
    context.fillStyle = paint("--f");
    const size = this.count > 4000 ? 1 : this.count > 400 ? 2.5 : 4;
    for (let i = 0; i <= last; i++)
      if (this.f[i] !== null) context.fillRect(x(i) - size / 2, y(this.f[i]) - size / 2, size, size);
    this.line(context, limits, "--limit", x, y, last);
    this.line(context, this.bound, "--bound", x, y, last);
    this.line(context, this.plan, "--plan", x, y, last);
  }

  axes(context, { width, height, left, low, top, y }) {
    context.font = "11px system-ui, sans-serif";
    context.fillStyle = paint("--quiet");
    context.strokeStyle = paint("--grid");
    context.lineWidth = 1;
    const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 20000, 100000, 1e6, 1e7, 1e8].find((each) => (top - low) / each <= 6) || 1e9;
    context.textAlign = "right";
    for (let value = Math.ceil(low / step) * step; value <= top; value += step) {
      context.fillText(String(value), left - 6, y(value) + 4);
      context.beginPath();
      context.moveTo(left, y(value));
      context.lineTo(width - 8, y(value));
      context.stroke();
    }
    context.fillText(`${this.result.expanded.toLocaleString("en")} expansions`, width - 8, height - 6);
    context.textAlign = "left";
    context.fillText("0", left, height - 6);
  }

  line(context, values, name, x, y, last) {
    context.strokeStyle = paint(name);
    context.lineWidth = 2;
    context.beginPath();
    let begun = false;
    for (let i = 0; i <= last; i++) {
      if (values[i] === null) continue;
      if (!begun && i === this.count - 1) context.moveTo(x(i) - 8, y(values[i])), begun = true; // a line of one point
      if (begun) context.lineTo(x(i), y(values[i])); else context.moveTo(x(i), y(values[i]));
      begun = true;
    }
    context.stroke();
  }
}

const runs = data.runs.map((run) => new Run(run));
const position = byId("position");
const most = Math.max(1, ...runs.map((run) => (run.count ? run.n[run.count - 1] : 1)));
position.max = most;
const SPEEDS = [1, 5, 20, 100, 1000].filter((speed) => speed === 1 || speed <= most);
byId("speed").append(...SPEEDS.map((speed) => element("option", { value: speed }, `${speed} per second`)));
byId("speed").value = String(SPEEDS.filter((speed) => most / speed >= 5).pop() || 1);

let timer = null;
function show() {
  byId("number").textContent = `${Number(position.value).toLocaleString("en")} of ${most.toLocaleString("en")}`;
  for (const run of runs) run.show(Number(position.value));
}
function move(by) {
  position.value = String(Math.min(most, Math.max(1, Number(position.value) + by)));
  show();
}
function stop() {
  clearInterval(timer);
  timer = null;
  byId("play").textContent = "Play";
}
function play() {
  if (timer) return stop();
  if (Number(position.value) === most) position.value = "1";
  byId("play").textContent = "Pause";
  const speed = Number(byId("speed").value);
  const pause = Math.max(33, 1000 / speed);
  timer = setInterval(() => {
    move(Math.max(1, Math.round(speed * pause / 1000)));
    if (Number(position.value) === most) stop();
  }, pause);
  return undefined;
}
byId("play").addEventListener("click", play);
byId("back").addEventListener("click", () => move(-1));
byId("forth").addEventListener("click", () => move(1));
byId("speed").addEventListener("change", () => { if (timer) { stop(); play(); } });
position.addEventListener("input", show);
document.addEventListener("keydown", (event) => {
  if (event.target.closest("button, select, input")) return;
  if (event.key === " ") { event.preventDefault(); play(); }
  if (event.key === "ArrowRight") move(1);
  if (event.key === "ArrowLeft") move(-1);
});
byId("theme").addEventListener("click", show);
window.addEventListener("resize", show);
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
position.value = String(most);
show();
