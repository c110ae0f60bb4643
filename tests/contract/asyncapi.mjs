// Validates AsyncAPI documents with the official parser: node asyncapi.mjs FILE...
import { readFileSync } from "node:fs";
import { Parser } from "@asyncapi/parser";

const parser = new Parser();
let wrong = 0;
for (const file of process.argv.slice(2)) {
  const { document, diagnostics } = await parser.parse(readFileSync(file, "utf8"));
  const errors = diagnostics.filter((one) => one.severity === 0);
  for (const { message, path } of errors) console.error(`${file}: ${path.join(".")}: ${message}`);
  if (errors.length > 0 || !document) wrong += 1;
  else console.log(`${file}: AsyncAPI ${document.version()}, ${document.allMessages().length} messages`);
}
process.exit(wrong === 0 ? 0 : 1);
