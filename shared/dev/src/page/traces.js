// The writes, the newest first, and the trace of the one that is chosen.

import { read } from "/api.js";
import { complain } from "/controls.js";
import { onTrace, showTrace } from "/details.js";
import { $, clock, counted, draw as show, el, fileName, h, put, short } from "/dom.js";
import { outline } from "/outline.js";
import { query, tellFound } from "/search.js";
import { chip, openWords, STATES } from "/states.js";
import { traceTools } from "/trace_tools.js";

const ROWS = 40;
const FROM = { application: "an application", page: "this page", file: "a file", unknown: "a write", clock: "the clock", queue: "the work queue", instep: "Instep" };

export function traces() {
  let chosen = null, follows = true, pages = 1, drawn = "";
  const draw = outline($("trace"));
  put($("in-state"), el("option", { value: "" }, "all"), STATES.map((state) => el("option", {}, state)));
  $("in-state").addEventListener("change", () => { chosen = null; follows = true; update(); });

  $("older").addEventListener("click", () => { pages += 1; update(); });
  const choose = (id) => { chosen = id; follows = id === null; return update(); };
  onTrace(choose);

  async function update() {
    try {
      const { rows, total, of } = await read("traces", { limit: Math.min(ROWS * pages, 200), q: query(), state: $("in-state").value });
      tellFound("writes", total, of);
      // The newest is shown until somebody chooses another. Choosing the newest follows again.
      if (follows || chosen === null) chosen = rows[0]?.root.id ?? null;
      follows = chosen === null || chosen === rows[0]?.root.id;
      $("older").hidden = rows.length < ROWS * pages || pages >= 5;
      const none = query() ? `No write has “${query()}”.` : $("in-state").value ? "No write is in this state." : "Nothing was written yet. Write an item, or point an application here.";
      show($("writes"), rows.length ? rows.map(write) : h("li", { class: "empty" }, none));
      if (chosen === null) return;
      const seen = await read(`traces/${chosen}`).catch((error) => { chosen = null; follows = true; throw error; });
      const text = JSON.stringify(seen);
      if (text !== drawn) { drawn = text; draw(seen); }
      traceTools(seen);
    } catch (error) { complain(error); }
  }

  function write({ root, counts, state }) {
    const more = counts.records + counts.messages - 1;
    return h("li", { dataset: { key: root.id } }, h("button", { type: "button", "aria-current": String(root.id === chosen), dataset: { key: root.id }, onclick: () => showTrace(root.id) },
      h("span", { class: "what", title: root.label }, `${short(root.label)} ${root.verb ?? ""}`), chip(state, openWords(counts.states) || undefined),
      h("small", {}, `${clock(root.at)} · ${fileName(root.file) ?? FROM[root.origin]} · ${counted(counts.effects, "effect")}, ${counted(counts.events, "event")}${more > 0 ? `, ${more.toLocaleString("en")} more` : ""}`)));
  }

  return { update };
}
