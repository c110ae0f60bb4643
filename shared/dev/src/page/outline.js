// A trace: what followed from a write, as an outline. Indentation is the only cause that it shows.

import { read, send } from "/api.js";
import { complain } from "/controls.js";
import { showItem, showNode } from "/details.js";
import { clock, counted, draw, el, fileName, h } from "/dom.js";
import { chip, openWords, STATES } from "/states.js";

const EFFECTS = 4, EVENTS = 6, MORE = 25;
const ORIGIN = { instep: "Instep's own write", queue: "from the work queue", clock: "time has come", application: "from an application", page: "from this page" };
const KIND = { message: "work", clock: "time" };
const SERVICE = { cognito: "Cognito", dynamodb: "table", sqs: "work queue" };
const ACT = {
  AdminAddUserToGroup: ["add ", " in ", " to "], AdminRemoveUserFromGroup: ["remove ", " in ", " from "], AdminUserGlobalSignOut: ["sign out "], CreateGroup: ["create the group "], DeleteGroup: ["delete the group "],
  AdminCreateUser: ["create the user "], AdminDeleteUser: ["delete the user "], AdminDisableUser: ["disable the user "], AdminEnableUser: ["enable the user "],
  AdminUpdateUserAttributes: ["update the user "], AdminDeleteUserAttributes: ["update the user "], SendMessageBatch: ["send "],
};

const act = ({ operation, verb: does, target }) => {
  const [verb, from, to] = ACT[operation] ?? [`${does} `];
  return verb + (from ? target.replace(from, to) : target);
};

/** What it takes away was not there. */
const isGone = ({ operation, outcome }) => outcome === "already" && /Remove|Delete/.test(operation);

/** A row: a word of what it is, what it says, and its state. */
const row = (kind, word, says, state, key) => h("div", { class: `row ${kind}`, dataset: key ? { key } : {} }, h("span", { class: "kind" }, word), h("span", { class: "says-it" }, says), state ?? h("span"));
const small = (text) => (text ? h("small", {}, text) : null);

export function outline(place) {
  // What was there when the trace was first drawn does not appear: the rest does.
  let known = new Set(), first = true, shown = null, last = null, opened = new Map(), unfolded = new Set();
  const body = el("div");
  place.append(body);
  // While something is tried again, the seconds until then go down.
  setInterval(() => { if (last?.retryAt > Date.now()) paint(); }, 1000);

  const fresh = (key) => {
    if (first) known.add(key);
    return known.has(key) ? "" : "is-new";
  };

  /** A closed fold. What it has is made when it is opened: it may be thousands of rows. */
  function fold(key, summary, inside) {
    const toggled = ({ target }) => {
      if (target.open === unfolded.has(key)) return;
      if (target.open) unfolded.add(key); else unfolded.delete(key);
      paint();
    };
    return h("details", { dataset: { key }, ontoggle: toggled }, h("summary", {}, summary), unfolded.has(key) ? inside() : null);
  }

  function paint() {
    const [root] = last.nodes;
    draw(body, root ? [heading(root), levels(), h("ol", { class: "outline", "aria-label": "Records and messages, each below what led to it" }, branch(root))] : null);
  }

  /** Draws a trace. */
  return (seen) => {
    first = shown !== seen.root;
    if (first) { known = new Set(); opened = new Map(); unfolded = new Set(); place.scrollTop = 0; }
    for (const entry of seen.nodes) Object.assign(entry, seen.deliveries[entry.node.delivery]);
    [shown, last] = [seen.root, { ...seen, retryAt: Date.now() + (seen.retryInMs ?? 0) }];
    paint();
  };

  function heading({ node }) {
    const { counts } = last;
    const one = (count, word) => h("span", {}, h("strong", {}, count.toLocaleString("en")), ` ${count === 1 ? word : `${word}s`}`);
    return h("div", { class: "heading" },
      h("h3", {}, `${node.label} ${node.verb ?? ""} `, chip(last.state, openWords(counts.states) || undefined)),
      h("p", { class: "faint" }, `${clock(node.at)} · ${fileName(node.file) ?? ORIGIN[node.origin] ?? "from a write"}`),
      h("p", { class: "tally", "aria-live": "polite" }, one(counts.records, "record"), one(counts.messages, "work message"), one(counts.effects, "effect"), one(counts.events, "event")));
  }

  /** A cascade, a line for each level: thousands of children are a few lines. */
  function levels() {
    if (!last.levels.length) return null;
    const line = (level) => h("tr", { dataset: { key: `${level.level}${level.item}` } }, h("td", {}, level.level), h("th", { scope: "row" }, level.item), h("td", {}, level.through ?? "its own record"),
      h("td", { class: "number" }, `${level.deleted.toLocaleString("en")} of ${level.of.toLocaleString("en")}`), h("td", { class: "number" }, level.events.toLocaleString("en")), h("td", {}, chip(level.deleted < level.of && level.state === "done" ? "waits" : level.state)));
    return h("table", { class: "levels" }, h("caption", {}, "What goes with it, level by level"),
      h("thead", {}, h("tr", {}, ["level", "item type", "found through", "deleted", "events", "state"].map((word) => h("th", { scope: "col" }, word)))),
      h("tbody", {}, last.levels.map(line)));
  }

  function branch(entry) {
    const { node } = entry;
    const key = `n${node.id}`;
    const where = entry.depth && node.origin === "instep" ? "" : entry.depth ? ORIGIN[node.origin] : "";
    const below = last.nodes.filter((other) => other.node.parent === node.id);
    const more = last.more.filter((more) => more.parent === node.id);
    const word = KIND[node.kind] ?? (node.origin === "instep" ? "own write" : "write");
    return h("li", { class: fresh(key), dataset: { key, node: node.id } },
      row("write", word, [h("button", { type: "button", class: "link", dataset: { key, id: node.id }, onclick: () => showNode(entry) }, `${node.label} ${node.verb ?? ""}`),
        node.changed.length && node.verb === "updated" ? ` ${node.changed.join(", ")}` : "", small(where)], chip(node.state)),
      parked(entry), retrying(node),
      h("ol", {}, silence(node), reasons(entry), events(node), below.map(branch), more.map(rest)),
      looked(entry));
  }

  function parked({ node, line }) {
    if (!node.parked || node.outcome === "running") return null;
    const again = () => send("do", { sendAgain: node.id }).catch(complain);
    return h("div", { class: "bar bad", role: "group", "aria-label": "Parked" }, h("strong", {}, `parked: ${node.parked.code}`), h("span", {}, sentence(node.parked.reason), small(line ? `the item type is at ${line}` : ""), small("A corrected item has a record of its own, which is handled then.")),
      h("span", { class: "actions" },
        node.key ? h("button", { type: "button", onclick: () => showItem(node.key) }, "Change the item") : null,
        line ? h("button", { type: "button", onclick: () => navigator.clipboard.writeText(line).catch(complain) }, "Copy the line") : null,
        node.kind === "record" ? h("button", { type: "button", onclick: again }, "Handle it again") : null));
  }

  function retrying(node) {
    if (node.state !== "retrying") return null;
    const left = Math.ceil((last.retryAt - Date.now()) / 1000);
    const failed = node.effects.find((effect) => effect.outcome === "not-done");
    return h("div", { class: "bar warn", role: "group", "aria-label": "Retrying" }, h("strong", {}, `attempt ${node.deliveries + (node.outcome === "running" ? 1 : 0)}`), h("span", {}, `${failed ? `${SERVICE[failed.service] ?? failed.service}: ` : ""}${node.why ?? "it is tried again"}`), left > 0 && node.outcome !== "running" ? h("span", {}, `the next in ${left} s`) : null,
      failed && last.failing.includes(failed.service) ? h("span", { class: "actions" }, h("button", { type: "button", onclick: () => send("do", { recover: failed.service }).catch(complain) }, "Make it work")) : null);
  }

  /** The effects, below their reasons. */
  function reasons(entry) {
    const groups = new Map();
    for (const effect of entry.node.effects) groups.set(effect.because, [...(groups.get(effect.because) ?? []), effect]);
    return [...[...groups].map(([because, effects]) => h("li", { class: fresh(`b${entry.node.id}${because}`), dataset: { key: `b${because}` } },
      row("because", "because", sentence(because)),
      h("ol", {}, effects.length > EFFECTS ? many(entry, effects) : effects.map((one) => effect(entry, one))))),
    calls(entry)];
  }

  /** Many effects with one reason: a row, with the worst state, and a fold. */
  function many(entry, effects) {
    const states = effects.map((one) => stateOf(entry, one));
    const worst = [...STATES, "already"].find((state) => states.includes(state));
    const [one] = effects;
    const alike = effects.every((other) => other.operation === one.operation && other.verb === one.verb);
    const what = alike && one.service === "dynamodb" ? `${one.verb} ${counted(effects.length, "item")}` : counted(effects.length, "effect");
    return h("li", { dataset: { key: "many" } }, row("effect", SERVICE[one.service] ?? one.service, [what, small(alike ? one.operation : "")], chip(worst)),
      fold(`f${entry.node.id}${one.because}`, "Show them", () => h("ol", {}, effects.map((one) => effect(entry, one)))));
  }

  function stateOf(entry, one) {
    return { done: one.service === "sqs" && entry.waits ? "waits" : "done", already: "already", "not-done": entry.node.state === "done" ? "waits" : entry.node.state }[one.outcome];
  }

  function effect(entry, one) {
    const key = `e${entry.node.id}-${one.operation}-${one.target}`;
    return h("li", { class: fresh(key), dataset: { key } }, row("effect", SERVICE[one.service] ?? one.service, [act(one), small(one.why?.startsWith(one.operation) ? one.why : `${one.operation}${one.why ? `: ${one.why}` : ""}`)], chip(stateOf(entry, one), isGone(one) ? "already gone" : undefined)));
  }

  /** The calls of an attempt that is not over, or has failed: they are what is known of it. */
  function calls({ node, calls }) {
    // The rows of the attempt before say it already.
    if (node.effects.length || node.outcome !== "running" && node.outcome !== "retry") return [];
    const failed = (call) => !["done", "running"].includes(call.outcome);
    const told = calls.filter((call) => ["write", "send"].includes(call.does) && (failed(call) || call.outcome === "running")).slice(-EFFECTS);
    return told.map((call) => h("li", { dataset: { key: `c${call.id}` } }, row("effect", SERVICE[call.service] ?? call.service,
      [call.about.map((about) => about.label).slice(0, 3).join(", ") || call.operation, small(`${call.operation}: ${call.outcome}`)], chip(failed(call) ? "retrying" : "waits", failed(call) ? "failed" : "works"))));
  }

  /** Why less follows than one might expect, and what it waits for. */
  function silence(node) {
    const waits = (note) => /^(pending|conflict): /.test(note);
    return [...node.because.map((why) => h("li", { dataset: { key: why } }, row("because", "because", sentence(why)))),
      ...(node.outcome === "skipped" ? [h("li", { dataset: { key: "skipped" } }, row("because", "because", node.why))] : []),
      ...node.notes.map((note) => h("li", { dataset: { key: note } }, row("because", waits(note) ? "waits" : "note", note.replace(/^pending: /, ""), waits(note) ? chip(node.state === "pending" ? "pending" : "done") : null)))];
  }

  function events(node) {
    const one = (event, place) => {
      const key = `v${node.id}-${place}`;
      const data = event.detail?.data ?? {};
      const what = [data.role ? `role ${data.role}` : "", data.scope ? `in ${data.scope}` : "", node.state === "pending" ? "(not in effect while it is pending)" : ""].filter(Boolean).join(" ");
      return h("li", { class: fresh(key), dataset: { key } }, row("event", "event", [event.detailType, small(what)], chip("published")));
    };
    const rest = node.events.slice(EVENTS);
    return [...node.events.slice(0, EVENTS).map(one),
      rest.length ? h("li", { dataset: { key: "events" } }, fold(`v${node.id}`, `and ${counted(rest.length, "more event")}`, () => h("ol", {}, rest.map((event, place) => one(event, place + EVENTS))))) : null];
  }

  /** What was read, in a closed fold. Records that were handled together were read together. */
  function looked({ node, calls, moreCalls, together }) {
    const rows = new Map();
    for (const call of calls.filter((call) => call.does === "read")) for (const about of call.about) {
      const label = about.label.replace(/, \d+ found$/, "");
      // Of what was read for several records, only what this one names is certainly its own.
      if (together <= 1 || node.names.includes(label)) rows.set(label, about);
    }
    if (!rows.size) return null;
    const found = (about) => (about.there === undefined ? /\d+ found$/.exec(about.label)?.[0] ?? "" : about.there ? "exists" : "does not exist");
    const name = (label, about) => (about.key && about.there ? h("button", { type: "button", class: "link", onclick: () => showItem(about.key) }, label) : label);
    return fold(`r${node.id}`, `Looked at ${counted(rows.size, "item")}${together > 1 ? `, of those read for ${together} records together` : ""}`, () => [
      h("ul", { class: "looked" }, [...rows].map(([label, about]) => h("li", { dataset: { key: label } }, name(label, about), " ", h("small", {}, found(about))))),
      moreCalls ? h("p", { class: "faint" }, `and ${counted(moreCalls, "more call")}`) : null]);
  }

  /** Children like those above, which are shown when somebody asks. */
  function rest(more) {
    const key = `m${more.parent}-${more.what}-${more.verb}`;
    const nodes = opened.get(key) ?? [];
    const load = async () => {
      try {
        const { rows } = await read(`traces/${more.parent}/children`, { name: more.what, offset: 4 + nodes.length, limit: MORE });
        opened.set(key, [...nodes, ...rows]);
        paint();
      } catch (error) { complain(error); }
    };
    const what = (node) => [counted(node.effects.length, "effect"), node.events.map((event) => event.detailType).join(", ")].filter(Boolean).join(" · ");
    const left = more.count - nodes.length;
    return h("li", { class: "more", dataset: { key } }, row("write", "own write", [`and ${more.count.toLocaleString("en")} more: ${more.what} ${more.verb} `,
      left > 0 ? h("button", { type: "button", onclick: load }, `Show ${Math.min(left, MORE)} more`) : null, small(`${counted(more.effects, "effect")}, ${counted(more.events, "event")}`)],
    chip(more.open ? "waits" : "done", more.open ? `${more.open.toLocaleString("en")} open` : "done")),
    h("ol", {}, nodes.map((node) => h("li", { dataset: { key: node.id } }, row("write", "own write", [`${node.label} ${node.verb ?? ""}`, small(what(node))], chip(node.state))))));
  }

  /** A reason, with the words of the model set apart. */
  function sentence(text) {
    return text.split("`").map((part, place) => (place % 2 ? h("code", {}, part) : part));
  }
}
