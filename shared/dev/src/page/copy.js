// What somebody takes from here: a link, JSON, a command, a file.

import { $, el } from "/dom.js";
import { complain } from "/controls.js";

/** A button that copies a text, or what `text` gives. */
export function copying(title, text) {
  const button = el("button", { type: "button", onclick: async () => {
    try {
      await navigator.clipboard.writeText(typeof text === "function" ? await text() : text);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = title; }, 2000);
    } catch (error) { complain(error); }
  } }, title);
  return button;
}

export const asJson = (value) => JSON.stringify(value, null, 2);

/** A text as one word of a POSIX shell. Within single quotes, only a single quote means something. */
export const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

const aws = (service, command, ...options) => `aws ${service} ${command} --endpoint-url ${quoted(location.origin)} ${options.join(" ")}`;

/** The command that writes an item. */
export const putItem = (item) => aws("dynamodb", "put-item", "--table-name", quoted($("table-name").textContent), "--item", quoted(JSON.stringify(item)));

/** The command that deletes an item. */
export const deleteItem = (key) => aws("dynamodb", "delete-item", "--table-name", quoted($("table-name").textContent), "--key", quoted(JSON.stringify(key)));

/** The command that publishes an event. */
export const putEvent = (entry) => aws("events", "put-events", "--entries", quoted(JSON.stringify([entry])));

/** Saves a text as a file. */
export function save(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
