// Where somebody is. The address of the page says it, so that a reload, a link and Back lead there.
//
// `#/trace/57`, `#/item/TYPE/KEY/KEY`, `#/event/ID`, `#/user/NAME`, `#/group/NAME`, each with `?q=…` for what is
// searched. Every part is encoded: a text of the table is never a part of the path by itself.

const listeners = [];

/** The place that an address means. An address that nobody here has made means the beginning. */
export function place(hash = location.hash) {
  const [path, query] = hash.startsWith("#/") ? hash.slice(2).split("?") : ["", ""];
  let parts;
  try { parts = path.split("/").map(decodeURIComponent); } catch { parts = [""]; }
  return { at: parts[0], parts: parts.slice(1), q: new URLSearchParams(query ?? "").get("q") ?? "" };
}

const address = ({ at, parts, q }) => `#/${[at, ...parts].map(encodeURIComponent).join("/")}${q ? `?${new URLSearchParams({ q })}` : ""}`;

/** Goes to a place, from which Back leads here. */
export function go(at, ...parts) {
  const to = address({ at, parts, q: place().q });
  if (to === location.hash) tell(true);
  else location.hash = to;
}

/** Searches something else, at the same place. Typing makes no steps for Back. */
export function searchFor(q) {
  history.replaceState(null, "", address({ ...place(), q }));
  tell(false);
}

/** The address of a place, for a link. */
export const linkTo = (at, ...parts) => `${location.origin}/${address({ at, parts, q: "" })}`;

/** Calls `show` with the place now, with each after it, and with `true` for a place that is chosen once more. */
export function onPlace(show) {
  listeners.push(show);
  show(place(), false);
}

const tell = (again) => { for (const show of listeners) show(place(), again); };
addEventListener("hashchange", () => tell(false));
