// The details of what somebody has chosen: what it is, what it implies, and why.

import { read, send } from "/api.js";
import { complain } from "/controls.js";
import { asJson, copying, putEvent, putItem } from "/copy.js";
import { openForm } from "/form.js";
import { go, linkTo, onPlace } from "/place.js";
import { $, clock, counted, el, fill } from "/dom.js";

let back = null;
let choose = () => {};
// The place that is left when the details are closed.
let base = { at: "", parts: [] };

/** Who shows a trace. */
export const onTrace = (show) => { choose = show; };
export const showTrace = (root) => { go("trace", root); $("traces").focus(); };
export const showItem = (key, type) => go("item", type ?? "", ...key);
export const showUser = (name) => go("user", name);
export const showGroup = (name) => go("group", name);
export const showEvent = (event) => go("event", event.detail?.metadata?.id ?? "");

/** Shows what the address says, now and whenever it changes. */
export function showPlaces() {
  const views = { item: ([, ...key]) => item(key), user: ([name]) => user(name), group: ([name]) => group(name), event: ([id]) => event(id) };
  let last = "";
  onPlace(({ at, parts }, again) => {
    const now = JSON.stringify([at, parts]);
    if (now === last && !again) return;
    last = now;
    if (Object.hasOwn(views, at)) return views[at](parts);
    hide();
    base = { at, parts };
    choose(at === "trace" ? Number(parts[0]) : null);
  });
}

/** Opens the details, with the focus on their title. */
export function open(title, ...children) {
  if ($("details").hidden) back = document.activeElement;
  $("details").hidden = false;
  $("details-title").textContent = title;
  fill($("details-body"), ...children);
  $("details").scrollTop = 0;
  $("details-title").focus();
}

/** Closes them. Where they have an address, the one before them is shown again. */
export function close() {
  hide();
  go(base.at, ...base.parts);
}

/** The focus goes back to where it was. */
function hide() {
  if ($("details").hidden) return;
  $("details").hidden = true;
  // What was chosen may have been drawn again since.
  const key = back?.dataset?.key;
  (back?.isConnected ? back : key ? document.querySelector(`[data-key="${CSS.escape(key)}"]`) : $("new"))?.focus();
}

$("close").addEventListener("click", close);
document.addEventListener("keydown", (event) => { if (event.key === "Escape" && !$("details").hidden) close(); });

const tried = (show) => (...given) => show(...given).catch(complain);
const facts = (...pairs) => el("dl", { class: "facts" }, pairs.filter(([, value]) => value !== undefined && value !== null && value !== "").flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));
const says = (lines) => (lines.length ? el("ul", { class: "says" }, lines.map((line) => el("li", {}, line))) : null);
const json = (value) => el("pre", { tabindex: "0" }, JSON.stringify(value, null, 2));
const chip = (text, show) => el("button", { type: "button", class: "link", onclick: show }, text);

/** An attribute as people read it. */
export function plain(value) {
  const [of, held] = Object.entries(value)[0] ?? [];
  return ["S", "N", "BOOL"].includes(of) ? String(held) : of === "NULL" ? "null" : ["SS", "NS"].includes(of) ? held.join(", ") : JSON.stringify(held);
}

const item = tried(async (key) => {
  const seen = await read("item", { pk: key[0], sk: key[1] });
  const own = key[0].startsWith("INSTEP#");
  open(seen.label,
    facts(["item type", seen.type ?? (own ? "Instep's own" : "unknown")], ["key", el("code", {}, key.join(" | "))]),
    seen.row ? [el("h3", {}, "Attributes"), facts(...Object.entries(seen.row.item).filter(([name]) => own || !key.includes(plain(seen.row.item[name])) || !["pk", "sk"].includes(name)).map(([name, value]) => [name, plain(value)]))] : el("p", { class: "empty" }, "The table has no such item now."),
    own ? null : el("p", { class: "actions" },
      seen.row ? el("button", { type: "button", onclick: () => openForm(null, { type: seen.type, key, item: seen.row.item }) }, "Change") : null,
      seen.row ? el("button", { type: "button", class: "danger", onclick: tried(() => confirmDeletion(seen.label, key)) }, "Delete") : null,
      copying("Copy link", () => linkTo("item", seen.type ?? "", ...key)),
      seen.row ? copying("Copy as JSON", asJson(seen.row.item)) : null,
      seen.row?.isWhole ? copying("Copy as command", () => putItem(seen.row.item)) : null),
    seen.row && !own && !seen.row.isWhole ? el("p", { class: "faint" }, "It has secrets, so there is no command that writes it.") : null,
    seen.explained ? explained(seen.explained) : null,
    seen.implies.length ? [el("h3", {}, "What the model says follows from such an item"), says(seen.implies)] : null);
});

/** As `instep explain` says it. */
function explained(told) {
  const lines = [];
  if (told.user) lines.push([`Cognito user `, chip(told.user.name, () => showUser(told.user.name)), `: ${told.user.enabled ? "enabled" : "disabled"}`]);
  for (const item of told.items) {
    for (const member of item.memberships) lines.push([chip(item.item, () => showItem([item.pk, item.sk])), member.implied ? " implies that " : " does not imply now that ",
      chip(member.user, () => showUser(member.user)), " is in ", chip(member.group, () => showGroup(member.group)), member.inToken ? (member.implied ? ", in the next token" : ", in no token from now on") : member.inCognito ? ", which Cognito has" : ", which Cognito has not", member.because ? el("small", { class: "faint" }, ` because ${member.because.replaceAll("`", "")}`) : null]);
    for (const note of item.notes) lines.push([item.item, ": ", note]);
    for (const due of item.due) lines.push([item.item, ` at ${clock(due.at)}: `, { opens: "its window opens", closes: "its window closes" }[due.turn] ?? "a rule applies"]);
  }
  for (const found of told.differences) lines.push([el("strong", { class: "bad" }, "differs: "), `${found.kind} ${found.about}: ${found.why}`]);
  return [el("h3", {}, "Why"), lines.length ? el("ul", { class: "says" }, lines.map((line) => el("li", {}, line))) : el("p", { class: "empty" }, "It implies no membership."),
    told.differences.length ? null : el("p", { class: "good" }, "Cognito has what the table implies.")];
}

/** Asks before something is deleted, and says what follows. Then the newest trace is shown: it can be undone there. */
async function confirmDeletion(label, key) {
  const follows = el("p", { role: "status" }, "Tries it on a copy of the table …");
  open(`Delete ${label}?`, follows, el("p", { class: "actions" },
    el("button", { type: "button", class: "danger", onclick: tried(async () => { await send("write", { delete: { key } }); hide(); go(""); }) }, "Delete it"),
    el("button", { type: "button", onclick: close }, "Cancel")));
  fill(follows, consequences(await send("try", { pk: key[0], sk: key[1] })));
}

/** What a deletion would do, as a sentence. */
function consequences({ unknown, items, groups, users, memberships, parked }) {
  if (unknown) return `What follows is not known: ${unknown}.`;
  const rest = items.slice(4).reduce((sum, [, count]) => sum + count, 0);
  const also = [...items.slice(0, 4).map(([type, count]) => `${count.toLocaleString("en")} ${type}`), rest ? `${rest.toLocaleString("en")} more` : ""].filter(Boolean).join(", ");
  const inCognito = [[groups, "group"], [users, "user"], [memberships, "membership"]].filter(([count]) => count).map(([count, word]) => counted(count, word)).join(", ");
  return [also || inCognito ? `Tried on a copy: it also deletes ${also || "no other item"}${inCognito ? `; in Cognito ${inCognito}` : ""}.` : "Tried on a copy: nothing else is deleted.",
    parked.length ? el("span", { class: "bad" }, ` Parked: ${parked.join(", ")}.`) : null];
}

const user = tried(async (name) => {
  const seen = await read("user", { name });
  open(`User ${name}`, el("p", { class: "actions" }, copying("Copy link", linkTo("user", name))),
    seen.user ? facts(["in Cognito", seen.user.enabled ? "enabled" : "disabled"], ...Object.entries(seen.user.attributes)) : el("p", { class: "warn" }, "Cognito has no such user now."),
    el("h3", {}, counted(seen.groups.length, "group")), el("ul", { class: "says" }, seen.groups.map((group) => el("li", {}, chip(group, () => showGroup(group))))),
    seen.explained.map(explained));
});

const group = tried(async (name, after) => {
  const seen = await read("group", { name, after, limit: 50 });
  open(`Group ${name}`, el("p", { class: "actions" }, copying("Copy link", linkTo("group", name))), el("p", {}, counted(seen.total, "member")),
    el("ul", { class: "rows" }, seen.rows.map((member) => el("li", {}, chip(member, () => showUser(member))))),
    seen.next ? el("p", { class: "actions" }, el("button", { type: "button", onclick: () => group(name, seen.next) }, "Next")) : null);
});

const event = tried(async (id) => {
  const { event, source, bus, forward } = await read("event", { name: id });
  open(event.detailType, facts(["published", clock(event.time)], ["entity", event.detail?.metadata?.entityId], ["id", event.detail?.metadata?.id]),
    el("p", { class: "actions" }, el("button", { type: "button", onclick: () => showTrace(event.root) }, "Its trace"),
      forward && el("button", { type: "button", title: `to ${forward}`, onclick: tried(() => send("do", { forwardAgain: id })) }, "Send again"),
      copying("Copy link", linkTo("event", id)), copying("Copy as JSON", asJson(event.detail)), copying("Copy as command", () => putEvent({ Source: source, DetailType: event.detailType, Detail: JSON.stringify(event.detail), EventBusName: bus }))),
    el("h3", {}, "Detail"), json(event.detail));
});

export function showNode({ node, calls, moreCalls, together }) {
  open(`${node.label} ${node.verb ?? ""}`,
    facts(["outcome", node.outcome + (node.why ? `: ${node.why}` : "")], ["from", node.file ?? node.origin], ["at", clock(node.at)], ["record", node.sequence],
      ["deliveries", node.deliveries > 1 ? node.deliveries : ""], ["changed", node.changed.join(", ")]),
    says(node.notes),
    node.key ? el("p", { class: "actions" }, el("button", { type: "button", onclick: () => showItem(node.key) }, "The item, and why")) : null,
    el("h3", {}, "Effects"), says(node.effects.map((effect) => `${effect.outcome}: ${effect.service} ${effect.operation} ${effect.target}${effect.why ? ` (${effect.why})` : ""}`)) ?? el("p", { class: "empty" }, "None."),
    el("h3", {}, "Events"), node.events.map((event) => el("details", {}, el("summary", {}, event.detailType), json(event.detail))),
    el("h3", {}, `Calls${together > 1 ? ` of ${together} records together` : ""}`),
    says([...calls.map((call) => `${call.service} ${call.operation}: ${call.outcome}${call.about.length ? ` (${call.about.slice(0, 4).map((about) => about.label).join(", ")}${call.about.length + call.more > 4 ? ` and ${call.about.length + call.more - Math.min(call.about.length, 4)} more` : ""})` : ""}`), ...(moreCalls ? [`and ${moreCalls.toLocaleString("en")} more`] : [])]));
}
