// The states of records, traces and of everything: one word each, the worst last.

import { counted, fileName, h } from "/dom.js";

/** The states in which something needs attention, the worst first, each with what the header says of it. */
const OPEN = [["parked", "parked", "bad"], ["retrying", "retrying", "warn"], ["pending", "pending", "warn"]];
const WORDS = { already: "already in place" };
const TONES = { done: "good", published: "good", already: "faint", none: "faint", waits: "warn", pending: "warn", retrying: "warn", parked: "bad" };

export const STATES = ["parked", "retrying", "pending", "waits", "done"];

/** A state, as every row shows it. */
export const chip = (state, text = WORDS[state] ?? state) => h("span", { class: `state ${TONES[state]}`, dataset: { state } }, text);

/** What is open in some counts by state, in words. */
export const openWords = (states) => OPEN.filter(([state]) => states[state]).map(([state, word]) => `${states[state].toLocaleString("en")} ${word}`).join(", ");

/** What the header says: the worst of all, with its count. Everything is handled only if nothing is open. */
export function statusOf(state, names) {
  const open = openWords(state.states);
  const handled = open || (state.waiting ? `Waits for ${counted(state.waiting, "work message")}` : "Everything is handled");
  const fails = state.failing.map((service) => names[service] ?? service);
  const now = state.paused ? (state.idle ? "Stopped" : "Stopped. Records are waiting") : state.loading ? `Replays ${fileName(state.loading)}` : state.idle || fails.length ? "" : "Works";
  // While it works, only what has gone wrong is certain.
  const parts = [fails.length ? `${fails.join(" and ")} ${fails.length === 1 ? "fails" : "fail"}` : "", now, state.idle && !state.loading ? handled : open];
  const tone = state.states.parked ? "bad" : fails.length || state.paused || open ? "warn" : state.idle && !state.waiting ? "good" : "";
  return { text: parts.filter(Boolean).join(". "), tone };
}
