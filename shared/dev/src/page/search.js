// One search over the writes, the items and the events. The server searches all pages.

import { $, calm } from "/dom.js";
import { onPlace, place, searchFor } from "/place.js";

const found = { writes: "", items: "", events: "" };

/** What is searched. */
export const query = () => place().q;

/** Says how many of a list have the text. */
export function tellFound(what, count, of, note) {
  found[what] = `${count.toLocaleString("en")} of ${of.toLocaleString("en")} ${what}${note ? ` (${note})` : ""}`;
  say();
}

function say() {
  const text = query() ? Object.values(found).filter(Boolean).join(" · ") : "";
  if ($("found").textContent !== text) $("found").textContent = text;
}

/** The box. `changed` reads the lists again. */
export function search(changed) {
  const box = $("search");
  box.addEventListener("input", calm(() => searchFor(box.value), 200));
  let last = "";
  onPlace(({ q }) => {
    if (document.activeElement !== box) box.value = q;
    if (q === last) return;
    last = q;
    say();
    changed();
  });
}
