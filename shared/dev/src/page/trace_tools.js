// What somebody does with a whole trace: links to it, copies its write, saves it, undoes its deletions.

import { read, send } from "/api.js";
import { asJson, copying, deleteItem, putItem, save } from "/copy.js";
import { complain } from "/controls.js";
import { $, counted, el, fill } from "/dom.js";
import { linkTo } from "/place.js";

let shown = "";

/** The buttons of this trace. */
export async function traceTools({ root, counts }) {
  // What it has deleted is known at its end. Records of Instep's own writes come after it, and it ends again.
  const isOver = !counts.states.waits && !counts.states.retrying;
  const key = `${root}-${isOver ? counts.records : "open"}`;
  if (key === shown) return;
  shown = key;
  const write = () => read(`traces/${root}/write`);
  const buttons = [
    copying("Copy link", () => linkTo("trace", root)),
    copying("Copy as JSON", async () => asJson((await write()).record)),
    copying("Copy as command", async () => {
      const { record, isWhole } = await write();
      if (!isWhole) throw new Error("this item has secrets, which are not shown here: a command would write their masks");
      const { NewImage: image, Keys: keys } = record.dynamodb;
      return image ? putItem(image) : deleteItem(keys);
    }),
    el("button", { type: "button", onclick: () => saveCapture(root) }, "Save as capture"),
  ];
  const removed = isOver ? await read(`traces/${root}/removed`).catch(() => ({ items: 0 })) : { items: 0 };
  if (key !== shown) return;
  if (removed.items > 0 && removed.items <= removed.most) buttons.push(undo(root, removed.items));
  fill($("trace-tools"), buttons);
}

async function saveCapture(root) {
  try {
    const { text, secret } = await read(`traces/${root}/capture`);
    save(`trace-${root}.json`, text);
    if (secret) complain(new Error(`${counted(secret, "record")} of secret items ${secret === 1 ? "is" : "are"} not in the file`));
  } catch (error) { complain(error); }
}

function undo(root, items) {
  const button = el("button", { type: "button", title: "A Cognito user that is made again has another sub", onclick: async () => {
    button.disabled = true;
    try {
      const { kept } = await send(`traces/${root}/undo`, {});
      if (kept) complain(new Error(`${counted(kept, "item")} had been written again already, and stay as they are`));
    } catch (error) { complain(error); } finally { button.disabled = false; }
  } }, `Undo: write ${counted(items, "item")} again`);
  return [button, el("small", { class: "faint" }, "Cognito users that were deleted get a new sub.")];
}
