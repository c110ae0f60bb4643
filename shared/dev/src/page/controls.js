// The controls: stop the stream, let time pass, make services fail, replay a file.

import { send } from "/api.js";
import { $, clock, el, fill } from "/dom.js";
import { statusOf } from "/states.js";

const NAMES = { cognito: "Cognito", dynamodb: "DynamoDB", eventbridge: "EventBridge", sqs: "SQS" };
let paused = false;
let remarks = [];

/** Says what went wrong, where a screen reader hears it. */
export function complain(error) {
  $("remarks").append(el("p", { role: "alert" }, error.message ?? String(error)));
}

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
  if (state.remarks.length !== remarks.length) {
    remarks = state.remarks;
    fill($("remarks"), remarks.map((remark) => el("p", {}, remark)));
  }
}
