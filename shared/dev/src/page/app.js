// The page: reads the model once, then what has changed.

import { listen, read } from "/api.js";
import { controls, showConnected, showState } from "/controls.js";
import { openForm } from "/form.js";
import { $, calm } from "/dom.js";
import { lists } from "/lists.js";
import { showPlaces } from "/details.js";
import { traces } from "/traces.js";
import { place } from "/place.js";
import { search } from "/search.js";

const model = await read("model");
$("model").textContent = `· ${model.name}`;
document.title = `instep dev · ${model.name}`;

document.querySelector(".skip").addEventListener("click", (event) => { event.preventDefault(); $("traces").focus(); });
const list = lists(model);
const shown = traces();
controls(model);
$("new").addEventListener("click", () => openForm(model));

const parts = {
  traces: calm(shown.update, 120),
  table: calm(list.table, 250),
  cognito: calm(list.cognito, 250),
  events: calm(list.events, 250),
};
search(() => Object.values(parts).forEach((update) => update()));
showPlaces();
let seen = {};
listen(({ versions, state }) => {
  // Another process, or another model: nothing that is shown here need be true any more.
  if (state.run !== model.run) {
    // Another process counts its traces from one again.
    if (place().at === "trace" && state.run.split("-")[0] !== model.run.split("-")[0]) history.replaceState(null, "", "#/");
    return location.reload();
  }
  showState(state);
  for (const [part, update] of Object.entries(parts)) if (versions[part] !== seen[part]) update();
  // A guard or a pending claim is an item of the table.
  if (versions.table !== seen.table) parts.cognito();
  seen = versions;
}, (connected) => {
  if (!connected) seen = {};
  showConnected(connected);
});
