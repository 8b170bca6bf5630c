// Line charts as SVG: bands, a cursor that follows pointer and arrow keys, values in a box.

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 420;
const HEIGHT = 270;
const EDGE = { left: 58, right: 12, top: 12, bottom: 40 };

function svg(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "style") made.style.cssText = value; // the page's policy forbids style attributes, not this
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

// The look of each series, and the order of the series, come from the table that the printed figures use too.
const LABELS = Object.keys(payload.styles);
const styleOf = (label) => payload.styles[label];
FILTERS.find((filter) => filter.name === "label").values = LABELS;

/** The order of table rows that are equal in what they are sorted by: w, accuracy, the order of the series. */
function compareRows(a, b) {
  return (a.bound ?? 0) - (b.bound ?? 0) || (a.accuracy ?? 0) - (b.accuracy ?? 0) || LABELS.indexOf(a.label) - LABELS.indexOf(b.label);
}

function niceStep(span, count) {
  const raw = span / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= raw);
}

function linearScale(low, high, from, to, wholeNumbers) {
  if (high === low) [low, high] = [low - Math.abs(low) * 0.05 - 0.01, high + Math.abs(high) * 0.05 + 0.01];
  let step = niceStep(high - low, 5);
  if (wholeNumbers) step = Math.max(1, Math.round(step));
  const ticks = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) ticks.push(Number((i * step).toPrecision(12)));
  return { at: (value) => from + ((value - low) / (high - low)) * (to - from), ticks };
}

function logScale(low, high, from, to) {
  const [a, b] = [Math.log10(low), Math.log10(high)];
  const pad = Math.max((b - a) * 0.04, 0.03);
  const [start, end] = [a - pad, b + pad];
  const powers = [];
  for (let power = Math.floor(start); power <= Math.ceil(end); power++) powers.push(power);
  const ticksOf = (factors) => powers.flatMap((power) => factors.map((factor) => factor * 10 ** power))
    .filter((value) => Math.log10(value) >= start && Math.log10(value) <= end);
  const every = Math.ceil((end - start) / 7); // at most seven powers of ten
  const coarse = ticksOf([1]).filter((value) => Math.round(Math.log10(value)) % every === 0);
  // From coarse to fine, all evenly spread on a log axis; a range of less than a factor of two is as good as linear.
  const found = [coarse, ticksOf([1, 3]), ticksOf([1, 2, 5]), ticksOf([1, 1.5, 2, 3, 4, 5, 7])].find((ticks) => ticks.length >= 4);
  const near = () => linearScale(10 ** start, 10 ** end, from, to).ticks.filter((tick) => tick > 0);
  return { at: (value) => from + ((Math.log10(value) - start) / (end - start)) * (to - from), ticks: found ?? near() };
}

function tickText(value) {
  const size = Math.abs(value);
  if (size >= 1e6) return `${Number((value / 1e6).toPrecision(3))}M`;
  if (size >= 1e4) return `${Number((value / 1e3).toPrecision(3))}k`;
  return String(Number(value.toPrecision(6)));
}

/** Least and greatest y over the shown points, and a little more, into which the bands are cut. */
function extent(series, log) {
  const numbers = series.flatMap((each) => each.points.map((point) => point.y));
  if (!numbers.length) return null;
  const [low, high] = [numbers.reduce((a, b) => Math.min(a, b)), numbers.reduce((a, b) => Math.max(a, b))];
  if (log) return [low / (high / low) ** 0.1, high * (high / low) ** 0.1];
  const more = (high - low) * 0.1;
  return [low - more, high + more];
}

function pathOf(points, x, y) {
  return points.map((point, i) => `${i ? "L" : "M"}${x(point.x).toFixed(1)} ${y(point.y).toFixed(1)}`).join("");
}

function bandOf(points, x, y, [low, high]) {
  const clamp = (value) => Math.min(high, Math.max(low, value));
  const upper = points.map((point) => `${x(point.x).toFixed(1)} ${y(clamp(point.high)).toFixed(1)}`);
  const lower = points.map((point) => `${x(point.x).toFixed(1)} ${y(clamp(point.low)).toFixed(1)}`).reverse();
  return `M${[...upper, ...lower].join("L")}Z`;
}

/**
 * A chart. `series` are {label, points: [{x, y, low, high}]}; `spec` has title, xLabel, yLabel, log, wholeX, xTicks.
 */
function chart(series, spec) {
  const figure = element("figure", { class: "card" }, element("figcaption", {}, spec.title));
  const usable = series
    .map((each) => ({ ...each, points: each.points.filter((point) => Number.isFinite(point.y) && (!spec.log || point.y > 0)) }))
    .filter((each) => each.points.length);
  const range = extent(usable, spec.log);
  if (!range) {
    figure.append(element("p", { class: "empty" }, "Nothing to show here."));
    return figure;
  }
  const xs = [...new Set(usable.flatMap((each) => each.points.map((point) => point.x)))].sort((a, b) => a - b);
  const xScale = linearScale(xs[0], xs[xs.length - 1], EDGE.left + 8, WIDTH - EDGE.right - 8, spec.wholeX);
  const yScale = (spec.log ? logScale : linearScale)(range[0], range[1], HEIGHT - EDGE.bottom - 4, EDGE.top + 4);
  const drawing = svg("svg", {
    class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", tabindex: "0",
    "aria-label": `${spec.title}. ${usable.length} series, ${spec.yLabel} against ${spec.xLabel}. Left and right arrow keys read the values.`,
  });
  drawAxes(drawing, xScale, yScale, spec.xTicks ?? xScale.ticks, spec);
  for (const each of usable) drawSeries(drawing, each, xScale.at, yScale.at, range, { dots: xs.length <= 20, bands: spec.bands });
  figure.append(drawing);
  addCursor(figure, drawing, usable, xs, xScale.at, yScale.at, spec);
  return figure;
}

function drawAxes(drawing, xScale, yScale, xTicks, spec) {
  const bottom = HEIGHT - EDGE.bottom;
  for (const tick of yScale.ticks) {
    const y = yScale.at(tick);
    drawing.append(
      svg("line", { class: "grid", x1: EDGE.left, x2: WIDTH - EDGE.right, y1: y, y2: y }),
      svg("text", { x: EDGE.left - 6, y: y + 4, "text-anchor": "end" }, spec.metric === "seconds" ? formatSeconds(tick) : tickText(tick)),
    );
  }
  for (const tick of xTicks) {
    drawing.append(svg("text", { x: xScale.at(tick), y: bottom + 15, "text-anchor": "middle" }, tickText(tick)));
  }
  drawing.append(
    svg("line", { class: "axis", x1: EDGE.left, x2: WIDTH - EDGE.right, y1: bottom, y2: bottom }),
    svg("text", { x: (EDGE.left + WIDTH) / 2, y: HEIGHT - 6, "text-anchor": "middle" }, spec.xLabel),
    svg("text", { transform: `translate(12 ${HEIGHT / 2 - 10}) rotate(-90)`, "text-anchor": "middle" }, spec.yLabel),
  );
}

function drawSeries(drawing, each, x, y, range, { dots, bands }) {
  const { colour, dash, marker } = styleOf(each.label);
  const known = each.points.filter((point) => point.high > point.low);
  if (bands && known.length > 1) {
    drawing.append(svg("path", { class: "band", d: bandOf(known, x, y, range), style: `fill:${colour};opacity:.12` }));
  }
  drawing.append(
    svg("path", { d: pathOf(each.points, x, y), fill: "none", style: `stroke:${colour}`, "stroke-width": 2, "stroke-dasharray": dash }),
  );
  const step = dots ? 1 : Math.ceil(each.points.length / 8);
  for (const point of each.points.filter((_, i) => i % step === 0)) {
    drawing.append(svg("path", { class: "marker", d: marker, transform: `translate(${x(point.x).toFixed(1)} ${y(point.y).toFixed(1)})`, style: `fill:${colour}` }));
  }
}

function addCursor(figure, drawing, series, xs, x, y, spec) {
  const line = svg("line", { class: "cursor", y1: EDGE.top, y2: HEIGHT - EDGE.bottom, visibility: "hidden" });
  const tip = element("div", { class: "tip", hidden: true, role: "status" });
  drawing.append(line);
  figure.append(tip);
  let current = -1;
  const hide = () => {
    line.setAttribute("visibility", "hidden");
    tip.hidden = true;
    current = -1;
  };
  const show = (index) => {
    if (index === current) return;
    current = index;
    const at = x(xs[index]);
    for (const [name, value] of [["x1", at], ["x2", at], ["visibility", "visible"]]) line.setAttribute(name, value);
    tip.replaceChildren(...tipContent(series, xs[index], spec));
    tip.hidden = false;
    placeTip(tip, figure, drawing, at);
  };
  const nearest = (event) => {
    const box = drawing.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * WIDTH;
    return xs.reduce((best, value, i) => (Math.abs(x(value) - at) < Math.abs(x(xs[best]) - at) ? i : best), 0);
  };
  drawing.addEventListener("pointermove", (event) => show(nearest(event)));
  drawing.addEventListener("pointerdown", (event) => show(nearest(event)));
  drawing.addEventListener("pointerleave", hide);
  drawing.addEventListener("blur", hide);
  drawing.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return hide();
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    show(Math.min(xs.length - 1, Math.max(0, current + step)));
  });
}

function tipContent(series, at, spec) {
  const found = series
    .map((each) => ({ label: each.label, point: each.points.find((point) => point.x === at) }))
    .filter((each) => each.point)
    .sort((a, b) => b.point.y - a.point.y);
  const body = element("table");
  for (const { label, point } of found) {
    const swatch = element("span", { class: "swatch" });
    swatch.style.background = styleOf(label).colour;
    const format = formatOf(spec.metric);
    const range = point.high > point.low ? ` (${format(point.low)} to ${format(point.high)})` : "";
    body.append(element("tr", {}, element("td", {}, swatch, label), element("td", {}, format(point.y) + range)));
  }
  return [element("strong", {}, `${spec.xLabel} ${formatNumber(at)}`), body];
}

function placeTip(tip, figure, drawing, at) {
  const box = drawing.getBoundingClientRect();
  const left = drawing.getBoundingClientRect().left - figure.getBoundingClientRect().left + (at / WIDTH) * box.width;
  const width = tip.offsetWidth;
  const room = figure.clientWidth;
  tip.style.left = `${Math.max(4, left + width + 16 < room ? left + 12 : left - width - 12)}px`;
  tip.style.top = "2.2rem";
}
