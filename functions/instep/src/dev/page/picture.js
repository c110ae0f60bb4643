// The picture of a ripple: for each record what was looked at, what was done, and what was published, as boxes that a
// keyboard reaches, with lines between them.

import { read } from "/api.js";
import { showItem, showNode } from "/details.js";
import { counted, el, fill, put, svg } from "/dom.js";

const READS = 5, EFFECTS = 8, EVENTS = 6;
const ORIGIN = { instep: "Instep's own write", queue: "from the work queue", clock: "time has come" };

export function picture(place) {
  let known = new Set(), shown = null, opened = [];
  const lines = svg("svg", { "aria-hidden": "true", focusable: "false" });
  new ResizeObserver(() => connect()).observe(place);

  /** Draws a ripple. What was not there before appears. */
  return (seen) => {
    if (shown !== seen.root) { known = new Set(); opened = []; place.scrollTop = 0; }
    const first = shown !== seen.root;
    shown = seen.root;
    const now = new Set();
    const fresh = (key) => { now.add(key); return !first && !known.has(key) ? "is-new" : ""; };
    const scroll = place.scrollTop;
    const list = el("ol", { class: "rows-of-ripple", "aria-label": "Records and messages in their order" });
    for (const entry of seen.nodes) {
      put(list, row(entry, fresh));
      for (const more of seen.more.filter((more) => more.parent === entry.node.id)) put(list, rest(more));
    }
    fill(place, tally(seen.counts), el("div", { class: "stages", "aria-hidden": "true" },
      ["record", "looked at", "effects", "events"].map((stage) => el("span", {}, stage))), list);
    place.append(lines);
    place.scrollTop = scroll;
    known = now;
    connect();
  };

  function tally(counts) {
    const one = (count, word) => el("span", {}, el("strong", {}, count.toLocaleString("en")), ` ${count === 1 ? word : `${word}s`}`);
    return el("p", { class: "tally", "aria-live": "polite" }, one(counts.records, "record"), one(counts.messages, "work message"),
      one(counts.effects, "effect"), one(counts.events, "event"),
      counts.parked ? el("span", { class: "bad" }, `${counts.parked} parked`) : null,
      counts.open ? el("span", { class: "warn" }, `${counts.open.toLocaleString("en")} not done yet`) : el("span", { class: "good" }, "all done"));
  }

  function row(entry, fresh) {
    const { node, depth, calls } = entry;
    const key = `n${node.id}`;
    const record = el("button", { type: "button", class: `box record ${node.kind} ${node.outcome === "running" ? "running" : ""} ${fresh(key)}`, dataset: { key, id: node.id },
      onclick: () => showNode(entry) }, `${node.label} ${node.verb ?? ""}`, small(node));
    return el("li", { class: `depth-${Math.min(depth, 4)}`, dataset: { node: node.id, parent: node.parent ?? "" } },
      el("div", { class: "nodebox" }, el("div", { class: "stage" }, record), looked(entry, fresh), effects(node, calls, fresh), events(node, fresh)));
  }

  function small(node) {
    const words = { running: "works …", skipped: `skipped: ${node.why ?? ""}`, parked: `parked: ${node.why ?? ""}`, retry: `again, ${node.why ?? ""}`, handled: "" };
    const where = ORIGIN[node.origin] ?? node.file ?? { application: "an application", page: "this page" }[node.origin];
    const tone = { parked: "bad", retry: "warn", running: "warn" }[node.outcome] ?? "";
    return [el("small", {}, where ?? ""), words[node.outcome] ? el("small", { class: tone }, words[node.outcome]) : null, node.notes.map((note) => el("small", { class: "warn" }, note))];
  }

  function looked(entry, fresh) {
    const { node, calls, together } = entry;
    const rows = new Map();
    for (const call of calls.filter((call) => call.does === "read")) for (const about of call.about) {
      const key = `r${node.id}-${about.label.replace(/: \d+$/, "")}`;
      rows.set(key, { ...about, outcome: call.outcome });
    }
    const all = [...rows.entries()];
    const box = ([key, about]) => {
      const failed = !["done", "running"].includes(about.outcome);
      const state = failed ? about.outcome : about.there === undefined ? "" : about.there ? "there" : "not there";
      const text = [about.label, state ? el("small", {}, state) : null];
      const properties = { class: `box read ${failed ? "failed" : ""} ${about.outcome === "running" ? "running" : ""} ${fresh(key)}`, dataset: { key } };
      return about.key && about.there ? el("button", { type: "button", ...properties, onclick: () => showItem(about.key) }, text) : el("span", properties, text);
    };
    return el("div", { class: "stage", "data-stage": "read" }, all.slice(0, READS).map(box), hidden(all.length - READS, "more"),
      together > 1 && all.length ? el("small", { class: "faint" }, `of ${together} records together`) : null);
  }

  function effects(node, calls, fresh) {
    const boxes = node.effects.map((effect, place) => ({
      key: `e${node.id}-${effect.operation}-${effect.target}`, text: effect.target, small: `${effect.service} ${effect.operation}${effect.outcome === "done" ? "" : `, ${effect.outcome.replace("-", " ")}`}${effect.why ? `: ${effect.why}` : ""}`,
      tone: effect.outcome === "not-done" ? "failed" : effect.outcome === "already" ? "already" : "", place }));
    // While it works, the calls themselves are what is known.
    if (node.outcome === "running" || node.outcome === "retry") for (const call of calls.slice(-EFFECTS).filter((call) => ["write", "send"].includes(call.does))) {
      const failed = !["done", "running"].includes(call.outcome);
      if (failed || call.outcome === "running") boxes.push({ key: `c${call.id}`, text: call.about.map((about) => about.label).slice(0, 3).join(", ") || call.operation,
        small: `${call.service} ${call.operation}: ${call.outcome}`, tone: failed ? "failed" : "running" });
    }
    return el("div", { class: "stage", "data-stage": "effect" }, boxes.slice(0, EFFECTS).map((box) =>
      el("span", { class: `box effect ${box.tone} ${fresh(box.key)}`, dataset: { key: box.key } }, box.text, el("small", {}, box.small))), hidden(boxes.length - EFFECTS, "more effects"));
  }

  function events(node, fresh) {
    const boxes = node.events.slice(0, EVENTS).map((event, place) => {
      const key = `v${node.id}-${place}`;
      return el("span", { class: `box event ${fresh(key)}`, dataset: { key } }, event.detailType);
    });
    return el("div", { class: "stage", "data-stage": "event" }, boxes, hidden(node.events.length - EVENTS, "more events"));
  }

  const hidden = (count, what) => (count > 0 ? el("small", { class: "faint" }, `and ${count.toLocaleString("en")} ${what}`) : null);

  function rest(more) {
    const text = `and ${more.count.toLocaleString("en")} more: ${more.what} ${more.verb}`;
    const list = el("ul", { class: "rows" });
    let offset = 4;
    const load = async () => {
      const { rows } = await read(`ripples/${more.parent}/children`, { name: more.what, offset, limit: 25 });
      offset += rows.length;
      put(list, rows.map((node) => el("li", {}, `${node.label} ${node.verb ?? ""}`, el("small", {},
        [counted(node.effects.length, "effect"), node.events.map((event) => event.detailType).join(", ")].filter(Boolean).join(" · ")))));
      button.textContent = offset - 4 < more.count ? "Show 25 more" : "All are shown";
      button.disabled = offset - 4 >= more.count;
      connect();
    };
    const button = el("button", { type: "button", dataset: { key: `m${more.parent}-${more.what}` }, onclick: () => { opened.push(more.what); load(); } }, "Show some");
    return el("li", { class: `depth-${Math.min(more.depth, 4)} more`, dataset: { node: `m${more.parent}`, parent: more.parent } },
      el("p", {}, el("span", { class: "box record" }, text, el("small", {}, `${counted(more.effects, "effect")}, ${counted(more.events, "event")}${more.open ? `, ${more.open} not done yet` : ""}`)), " ", button), list);
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
