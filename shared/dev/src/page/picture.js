// The picture of a ripple: for each record what was looked at, what was done, and what was published, as boxes that a
// keyboard reaches, with lines between them.

import { read } from "/api.js";
import { showItem, showNode } from "/details.js";
import { counted, draw, el, fileName, h, short, svg } from "/dom.js";

const READS = 5, EFFECTS = 8, EVENTS = 6;
const ORIGIN = { instep: "Instep's own write", queue: "from the work queue", clock: "time has come" };

export function picture(place) {
  // What was there when the ripple was first drawn does not appear: the rest does.
  let known = new Set(), first = true, shown = null, last = null, opened = new Map();
  const body = el("div");
  const lines = svg("svg", { "aria-hidden": "true", focusable: "false" });
  place.append(body, lines);
  new ResizeObserver(() => connect()).observe(body);

  const fresh = (key) => {
    if (first) known.add(key);
    return known.has(key) ? "" : "is-new";
  };

  function paint() {
    const rows = [];
    for (const entry of last.nodes) {
      rows.push(row(entry));
      for (const more of last.more.filter((more) => more.parent === entry.node.id)) rows.push(rest(more));
    }
    draw(body, tally(last.counts), h("div", { class: "stages", "aria-hidden": "true" },
      ["record", "read", "effects", "events"].map((stage) => h("span", {}, stage))),
      h("ol", { class: "rows-of-ripple", "aria-label": "Records and messages in their order" }, rows));
    connect();
  }

  /** Draws a ripple. What was not there before appears. */
  return (seen) => {
    first = shown !== seen.root;
    if (first) { known = new Set(); opened = new Map(); place.scrollTop = 0; }
    for (const entry of seen.nodes) Object.assign(entry, seen.deliveries[entry.node.delivery]);
    [shown, last] = [seen.root, seen];
    paint();
  };

  function tally(counts) {
    const one = (count, word) => h("span", {}, h("strong", {}, count.toLocaleString("en")), ` ${count === 1 ? word : `${word}s`}`);
    return h("p", { class: "tally", "aria-live": "polite" }, one(counts.records, "record"), one(counts.messages, "work message"),
      one(counts.effects, "effect"), one(counts.events, "event"),
      counts.parked ? h("span", { class: "bad" }, `${counts.parked} parked`) : null,
      counts.open ? h("span", { class: "warn" }, `${counts.open.toLocaleString("en")} not done yet`) : h("span", { class: "good" }, "all done"));
  }

  function row(entry) {
    const { node, depth, calls } = entry;
    const key = `n${node.id}`;
    const record = h("button", { type: "button", class: `box record ${node.kind} ${node.outcome === "running" ? "running" : ""} ${fresh(key)}`, dataset: { key, id: node.id },
      title: node.label, onclick: () => showNode(entry) }, `${short(node.label)} ${node.verb ?? ""}`, small(node));
    return h("li", { class: `depth-${Math.min(depth, 4)}`, dataset: { key, node: node.id, parent: node.parent ?? "" } },
      h("div", { class: "nodebox" }, h("div", { class: "stage" }, record), looked(entry), effects(node, calls), events(node)));
  }

  function small(node) {
    const words = { running: "works …", skipped: `skipped: ${node.why ?? ""}`, parked: `parked: ${node.why ?? ""}`, retry: `again, ${node.why ?? ""}`, handled: "" };
    const where = ORIGIN[node.origin] ?? fileName(node.file) ?? { application: "an application", page: "this page" }[node.origin];
    const tone = { parked: "bad", retry: "warn", running: "warn" }[node.outcome] ?? "";
    return [h("small", {}, where ?? ""), words[node.outcome] ? h("small", { class: tone }, words[node.outcome]) : null, node.notes.map((note) => h("small", { class: "warn" }, note))];
  }

  function looked(entry) {
    const { node, calls, together } = entry;
    const rows = new Map();
    for (const call of calls.filter((call) => call.does === "read")) for (const about of call.about) {
      const key = `r${node.id}-${about.label.replace(/, \d+ found$/, "")}`;
      rows.set(key, { ...about, outcome: call.outcome });
    }
    const all = [...rows.entries()];
    const unseen = calls.filter((call) => call.does === "read").reduce((sum, call) => sum + call.more, 0);
    const box = ([key, about]) => {
      const failed = !["done", "running"].includes(about.outcome);
      const state = failed ? about.outcome : about.there === undefined ? "" : about.there ? "exists" : "absent";
      const text = [short(about.label), state ? h("small", {}, state) : null];
      const properties = { title: about.label, class: `box read ${failed ? "failed" : ""} ${about.outcome === "running" ? "running" : ""} ${fresh(key)}`, dataset: { key } };
      return about.key && about.there ? h("button", { type: "button", ...properties, onclick: () => showItem(about.key) }, text) : h("span", properties, text);
    };
    return h("div", { class: "stage", "data-stage": "read" }, all.slice(0, READS).map(box), hidden(Math.max(all.length - READS, 0) + unseen, "more"),
      together > 1 && all.length ? h("small", { class: "faint" }, `of ${together} records together`) : null);
  }

  function effects(node, calls) {
    const boxes = node.effects.map((effect, place) => ({
      key: `e${node.id}-${place}`, text: effect.target, small: `${effect.service} ${effect.operation}${effect.outcome === "done" ? "" : `, ${effect.outcome.replace("-", " ")}`}${effect.why ? `: ${effect.why}` : ""}`,
      tone: effect.outcome === "not-done" ? "failed" : effect.outcome === "already" ? "already" : "" }));
    // While it works, the calls themselves are what is known.
    if (node.outcome === "running" || node.outcome === "retry") for (const call of calls.slice(-EFFECTS).filter((call) => ["write", "send"].includes(call.does))) {
      const failed = !["done", "running"].includes(call.outcome);
      if (failed || call.outcome === "running") boxes.push({ key: `c${call.id}`, text: call.about.map((about) => about.label).slice(0, 3).join(", ") || call.operation,
        small: `${call.service} ${call.operation}: ${call.outcome}`, tone: failed ? "failed" : "running" });
    }
    return h("div", { class: "stage", "data-stage": "effect" }, boxes.slice(0, EFFECTS).map((box) =>
      h("span", { class: `box effect ${box.tone} ${fresh(box.key)}`, title: box.text, dataset: { key: box.key } }, short(box.text), h("small", {}, box.small))), hidden(boxes.length - EFFECTS, "more effects"));
  }

  function events(node) {
    const boxes = node.events.slice(0, EVENTS).map((event, place) => {
      const key = `v${node.id}-${place}`;
      return h("span", { class: `box event ${fresh(key)}`, dataset: { key } }, event.detailType);
    });
    return h("div", { class: "stage", "data-stage": "event" }, boxes, hidden(node.events.length - EVENTS, "more events"));
  }

  function hidden(count, what) {
    return count > 0 ? h("small", { class: "faint" }, `and ${count.toLocaleString("en")} ${what}`) : null;
  }

  function rest(more) {
    const key = `m${more.parent}-${more.what}-${more.verb}`;
    const nodes = opened.get(key) ?? [];
    const load = async () => {
      const { rows } = await read(`ripples/${more.parent}/children`, { name: more.what, offset: 4 + nodes.length, limit: 25 });
      opened.set(key, [...nodes, ...rows]);
      paint();
    };
    const what = (node) => [counted(node.effects.length, "effect"), node.events.map((event) => event.detailType).join(", ")].filter(Boolean).join(" · ");
    const isOpen = nodes.length < more.count;
    return h("li", { class: `depth-${Math.min(more.depth, 4)} more`, dataset: { key, node: key, parent: more.parent } },
      h("p", {}, h("span", { class: "box record" }, `and ${more.count.toLocaleString("en")} more: ${more.what} ${more.verb}`,
        h("small", {}, `${counted(more.effects, "effect")}, ${counted(more.events, "event")}${more.open ? `, ${more.open} not done yet` : ""}`)), " ",
      h("button", { type: "button", disabled: !isOpen, onclick: load }, nodes.length === 0 ? "Show some" : isOpen ? "Show 25 more" : "All are shown")),
      h("ul", { class: "rows" }, nodes.map((node) => h("li", { title: node.label, dataset: { key: node.id } }, `${short(node.label)} ${node.verb ?? ""}`, h("small", {}, what(node))))));
  }

  /** Draws the lines between what is shown. */
  function connect() {
    lines.replaceChildren();
    const origin = place.getBoundingClientRect();
    const height = place.scrollHeight;
    lines.style.height = `${height}px`;
    const at = (element) => {
      const box = element.getBoundingClientRect();
      return { left: box.left - origin.left, right: box.right - origin.left, top: box.top - origin.top + place.scrollTop, y: box.top - origin.top + place.scrollTop + box.height / 2, bottom: box.bottom - origin.top + place.scrollTop };
    };
    const line = (from, to, kind) => lines.append(svg("path", { class: kind, d: from.right < to.left
      ? `M${from.right},${from.y} C${(from.right + to.left) / 2},${from.y} ${(from.right + to.left) / 2},${to.y} ${to.left},${to.y}`
      : `M${from.left + 8},${from.bottom} C${from.left + 8},${to.y} ${from.left + 8},${to.y} ${to.left},${to.y}` }));
    for (const item of place.querySelectorAll(".rows-of-ripple > li")) {
      let before = item.querySelector(".box.record");
      if (!before) continue;
      const parent = item.dataset.parent && place.querySelector(`li[data-node="${CSS.escape(item.dataset.parent)}"] .box.record`);
      if (parent) {
        const [from, to] = [at(parent), at(before)];
        const x = from.left + 8;
        lines.append(svg("path", { class: "child", d: `M${x},${from.bottom} L${x},${to.y - 10} Q${x},${to.y} ${Math.max(to.left, x + 2)},${to.y}` }));
      }
      for (const kind of ["read", "effect", "event"]) {
        const boxes = [...item.querySelectorAll(`[data-stage="${kind}"] .box`)];
        for (const box of boxes) line(at(before), at(box), kind);
        if (boxes.length) before = boxes[Math.floor((boxes.length - 1) / 2)];
      }
    }
  }
}
