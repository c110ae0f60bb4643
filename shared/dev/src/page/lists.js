// The lists: items by item type, groups, users, guards, events. The server sends a page at a time.

import { read } from "/api.js";
import { showGroup, showItem, showTrace, showUser, showEvent } from "/details.js";
import { $, calm, clock, counted, draw, el, fill, h, short } from "/dom.js";
import { complain } from "/controls.js";
import { query, tellFound } from "/search.js";

const ROWS = 25;

/** A list with pages. `fetch(part)` gives rows, `row(row)` shows one. It has a search of its own if it is named, and
 * else that of the page. */
function paged(place, { fetch, row, empty, search }) {
  let stack = [], next = null, text = "", own = "";
  const body = el("div");
  const input = search && el("input", { type: "search", class: "search", placeholder: search, "aria-label": search });
  input?.addEventListener("input", calm(() => { own = input.value; return update(); }, 200));
  fill(place, input, body);
  async function update() {
    try {
      const wanted = search ? own : query();
      if (wanted !== text) { text = wanted; stack = []; }
      const part = { limit: ROWS, q: text, ...(stack.at(-1) ?? {}) };
      const seen = await fetch(part);
      next = seen.next;
      const from = stack.length * ROWS;
      const total = seen.total ?? seen.rows.length;
      draw(body,
        seen.rows.length ? h("ul", { class: "rows" }, seen.rows.map((one, place) => h("li", { dataset: { key: JSON.stringify(one.key ?? one.name ?? one.id ?? place) } }, row(one)))) : h("p", { class: "empty" }, text ? `Nothing contains “${text}”.` : empty),
        total > ROWS || stack.length ? h("div", { class: "pager" },
          h("button", { type: "button", disabled: !stack.length, dataset: { key: "back" }, onclick: () => { stack.pop(); update(); } }, "Back"),
          h("span", { class: "faint" }, `${from + (seen.rows.length ? 1 : 0)}–${from + seen.rows.length} of ${total.toLocaleString("en")}`),
          h("button", { type: "button", disabled: !next, dataset: { key: "next" }, onclick: () => { stack.push(next); update(); } }, "Next")) : null);
    } catch (error) { complain(error); }
  }
  return update;
}

/** Tabs that a keyboard can use: the arrow keys choose. */
function tabs(place, label) {
  const list = el("div", { class: "tabs", role: "tablist", "aria-label": label });
  const panel = el("div", { role: "tabpanel", "aria-label": label });
  fill(place, list, panel);
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const all = [...list.children];
    const to = all[(all.indexOf(document.activeElement) + step + all.length) % all.length];
    to?.focus();
    to?.click();
  });
  const set = (entries, chosen, choose) => draw(list, entries.map(([name, shown]) => h("button", {
    type: "button", role: "tab", "aria-selected": String(name === chosen), tabindex: name === chosen ? "0" : "-1",
    dataset: { key: name }, onclick: () => choose(name) }, shown)));
  return { panel, set };
}

function table() {
  const { panel, set } = tabs($("items"), "Item types");
  let chosen, update = () => {};
  const choose = (name) => {
    chosen = name;
    update = paged(panel, {
      fetch: ({ ...part }) => read("items", { type: chosen, ...part }).then((seen) => ({ ...seen, next: seen.next && { offset: seen.next } })),
      // Of an item that the model calls secret, nothing is shown but its type.
      row: (row) => (row.key ? [h("button", { type: "button", class: "link", dataset: { key: row.key.join("|") }, onclick: () => showItem(row.key, row.type) }, row.label),
        h("small", { class: "mono" }, row.key.join(" | "))] : row.label),
      empty: "No item of this type.",
    });
    return refresh();
  };
  async function refresh() {
    const { types, of: all, isPartial } = await read("types", { q: query() });
    const shown = types.filter((of) => of.items || !["unknown", "Instep's own"].includes(of.type));
    tellFound("items", types.reduce((sum, of) => sum + of.found, 0), all, isPartial && "of some, only keys are searched: the table is large");
    if (!chosen) chosen = (shown.find((of) => of.items) ?? shown[0])?.type, choose(chosen);
    set(shown.map((of) => [of.type, `${of.type} ${query() ? `${of.found.toLocaleString("en")} of ` : ""}${of.items.toLocaleString("en")}`]), chosen, choose);
    await update();
  }
  return () => refresh().catch(complain);
}

// What a group has beside its members.
export const groupSettings = ({ precedence, iamRole }) =>
  `${precedence == null ? "" : ` · precedence ${precedence}`}${iamRole == null ? "" : ` · IAM role ${iamRole}`}`;

function cognito() {
  const { panel, set } = tabs($("cognito-lists"), "Cognito and guards");
  const views = {
    Groups: {
      fetch: (part) => read("groups", part).then(nextName),
      row: (row) => [h("button", { type: "button", class: "link", dataset: { key: row.name }, onclick: () => showGroup(row.name) }, row.name),
        h("small", {}, `${row.members ? `${counted(row.members, "member")}: ${row.first.join(", ")}${row.members > row.first.length ? " …" : ""}` : "no members"}${groupSettings(row)}`)],
      empty: "No group yet.", search: "Search groups",
    },
    Users: {
      fetch: (part) => read("users", part).then(nextName),
      row: (row) => [h("button", { type: "button", class: "link", dataset: { key: row.name }, onclick: () => showUser(row.name) }, row.name),
        row.enabled ? null : h("span", { class: "warn" }, " disabled")],
      empty: "No user yet.", search: "Search users",
    },
    Guards: {
      fetch: (part) => read("guards", { q: part.q }),
      row: (row) => [row.key ? h("button", { type: "button", class: "link", dataset: { key: row.label }, onclick: () => showItem(row.key) }, row.label) : row.label,
        h("small", {}, row.owner ? `of ${row.owner}` : "no owner",
          row.waiting.map((claim) => h("span", { class: "warn" }, ` · ${claim.owner} waits`)))],
      empty: "No unique value is reserved.", search: "Search guards",
    },
  };
  let chosen = "Groups", update;
  const choose = (name) => {
    chosen = name;
    update = paged(panel, views[name]);
    set(Object.keys(views).map((of) => [of, of]), chosen, choose);
    return update();
  };
  choose(chosen);
  return () => update();
}

const nextName = (seen) => ({ ...seen, next: seen.next && { after: seen.next } });

function events() {
  const update = paged($("events"), {
    fetch: (part) => read("events", { limit: ROWS, q: part.q, before: part.before }).then((seen) => {
      tellFound("events", seen.total, seen.of);
      return { ...seen, next: seen.rows.length === ROWS ? { before: seen.rows.at(-1).id } : null };
    }),
    row: (row) => [h("button", { type: "button", class: "link", dataset: { key: `event-${row.id}` }, onclick: () => showEvent(row) }, row.detailType),
      h("small", {}, `${clock(row.time)} · ${short(row.detail?.metadata?.entityId ?? "")} `,
        h("button", { type: "button", class: "link", onclick: () => showTrace(row.root) }, "trace"))],
    empty: "No event yet.",
  });
  return update;
}

export function lists() {
  return { table: table(), cognito: cognito(), events: events() };
}
