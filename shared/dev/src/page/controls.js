// The controls: stop the stream, let time pass, make services fail, replay a file.

import { send } from "/api.js";
import { $, clock, counted, el } from "/dom.js";
import { statusOf } from "/states.js";

const NAMES = { cognito: "Cognito", dynamodb: "DynamoDB", eventbridge: "EventBridge", sqs: "SQS" };
let paused = false;
let remarks = 0;

/** A remark, until somebody closes it. */
function remark(text, role) {
  const close = el("button", { type: "button", "aria-label": "Close the remark", onclick: () => shown.remove() }, "✕");
  const shown = el("p", { role }, el("span", {}, text), close);
  $("remarks").append(shown);
}

/** Says what went wrong, where a screen reader hears it. */
export const complain = (error) => remark(error.message ?? String(error), "alert");

const act = (what) => send("do", what).catch(complain);

export function controls(model) {
  for (const service of model.services) {
    const box = el("input", { type: "checkbox", id: `fails-${service}`, onchange: () => act({ [box.checked ? "fail" : "recover"]: service }) });
    $("services").append(el("label", {}, box, NAMES[service] ?? service));
  }
  $("pause").addEventListener("click", () => act(paused ? "resume" : "pause"));
  $("step").addEventListener("click", () => act("step"));
  $("time").addEventListener("submit", (event) => {
    event.preventDefault();
    act({ passSeconds: Number($("pass").value) });
  });
  const file = $("file");
  file.addEventListener("change", async () => {
    for (const chosen of file.files) await act({ load: { name: chosen.name, text: await chosen.text() } });
    file.value = "";
  });
}

let ahead = 0;
setInterval(() => { $("now").textContent = clock(new Date(Date.now() + ahead).toISOString()); }, 1000);

export function showState(state) {
  paused = state.paused;
  ahead = Date.parse(state.now) - Date.now();
  $("now").textContent = clock(state.now);
  $("pause").setAttribute("aria-pressed", String(paused));
  $("pause").textContent = paused ? "Let the stream run" : "Stop the stream";
  $("step").disabled = !paused;
  for (const box of $("services").querySelectorAll("input")) box.checked = state.failing.includes(box.id.slice(6));
  const { text, tone } = statusOf(state, NAMES);
  if ($("status").textContent !== text) $("status").textContent = text;
  $("status").className = `status ${tone}`;
  $("table-name").textContent = state.table;
  $("pool-name").textContent = state.userPool;
  $("bus-name").textContent = `bus ${state.bus}`;
  $("endpoint").textContent = `AWS_ENDPOINT_URL=${location.origin}`;
  // Those that somebody has closed stay closed.
  for (const text of state.remarks.slice(remarks)) remark(text);
  remarks = state.remarks.length;
  $("model-errors").hidden = !state.modelErrors;
  const errors = $("model-errors").querySelector("pre");
  if (errors.textContent !== (state.modelErrors ?? "")) errors.textContent = state.modelErrors ?? "";
}

let lost;

/** Says for how long there is no connection. */
export function showConnected(connected) {
  clearInterval(lost?.timer);
  if (connected) { lost = undefined; return; }
  const since = lost?.since ?? Date.now();
  const say = () => {
    // In steps, since a screen reader says each.
    const seconds = Math.floor((Date.now() - since) / 10_000) * 10;
    const time = seconds < 60 ? counted(seconds, "second") : counted(Math.floor(seconds / 60), "minute");
    const status = `Not connected${seconds ? ` for ${time}` : ""}: is instep dev running?`;
    if ($("status").textContent !== status) $("status").textContent = status;
    $("status").className = "status bad";
  };
  lost = { since, timer: setInterval(say, 1000) };
  say();
}
