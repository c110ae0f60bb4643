// Reads deliveries, one JSON object a line. After {"end": true} it prints the read model and starts again.

import { createInterface } from "node:readline";

import { Grants, isEndOfSnapshot, isOfGrant } from "./grants.js";

let grants = new Grants();
for await (const line of createInterface({ input: process.stdin })) {
  const delivered: unknown = JSON.parse(line);
  if (typeof delivered !== "object" || delivered === null) continue;
  if ("end" in delivered) {
    console.log(JSON.stringify(grants.all()));
    grants = new Grants();
  } else if (isEndOfSnapshot(delivered)) {
    grants.end(delivered);
  } else if ("detail-type" in delivered && typeof delivered["detail-type"] === "string") {
    const event = { ...delivered, "detail-type": delivered["detail-type"] };
    if (isOfGrant(event)) grants.apply(event);
  }
}
