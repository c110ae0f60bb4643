// Compiles JSON Schemas with Ajv in its strict mode, as its defaults are: node ajv.mjs FILE...
import { readFileSync } from "node:fs";
import Ajv2020 from "ajv/dist/2020.js";
import AjvDraft04 from "ajv-draft-04";

const drafts = { "https://json-schema.org/draft/2020-12/schema": Ajv2020.default, "http://json-schema.org/draft-04/schema#": AjvDraft04.default };
let wrong = 0;
for (const file of process.argv.slice(2)) {
  const schema = JSON.parse(readFileSync(file, "utf8"));
  try {
    new drafts[schema.$schema]({ strict: true }).compile(schema);
  } catch (error) {
    console.error(`${file}: ${error.message}`);
    wrong += 1;
  }
}
console.log(`Ajv, strict: ${process.argv.length - 2} schemas`);
process.exit(wrong === 0 ? 0 : 1);
