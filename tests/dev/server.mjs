// Starts `instep dev` as a person does, and ends it with Ctrl-C.

import { spawn } from "node:child_process";
import assert from "node:assert/strict";

export const BINARY = process.env.INSTEP ?? new URL("../../target/debug/instep", import.meta.url).pathname;

/** Runs `instep dev` with these arguments on a free port. */
export async function start(args, environment = {}) {
  const child = spawn(BINARY, ["dev", ...(args.includes("--port") ? args : [...args, "--port", "0"])], { env: { PATH: process.env.PATH, HOME: "/nonexistent", ...environment } });
  // A test that fails stops none of them.
  process.on("exit", () => child.kill("SIGKILL"));
  let output = "", errors = "";
  child.stderr.on("data", (data) => { errors += data; });
  const url = await new Promise((resolve, reject) => {
    child.stdout.on("data", (data) => {
      output += data;
      const found = /page\s+(http:\S+)/.exec(output);
      if (found) resolve(found[1]);
    });
    child.on("exit", (code) => reject(new Error(`instep dev ended with ${code}: ${output}${errors}`)));
  });
  const ended = new Promise((resolve) => child.on("exit", (code, signal) => resolve(code ?? signal)));
  return {
    url,
    output: () => output,
    errors: () => errors,
    /** What a button of the page does: `"pause"`, `"resume"`. */
    async do(what) {
      const answer = await fetch(new URL("/api/do", url), { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(what) });
      assert.equal(answer.status, 200, await answer.text());
    },
    /** Ctrl-C. It must end by itself, with 0 and without a complaint. */
    async stop() {
      const began = Date.now();
      child.kill("SIGINT");
      const late = setTimeout(() => child.kill("SIGKILL"), 15_000);
      assert.equal(await ended, 0, `it did not end clean: ${errors}`);
      clearTimeout(late);
      assert.equal(errors, "", "it complained");
      assert.match(output, /API calls/, "it prints what it did");
      return Date.now() - began;
    },
  };
}

/** A mistake: it ends at once, with 2 and a reason. */
export async function refused(args, why) {
  const child = spawn(BINARY, ["dev", ...(args.includes("--port") ? args : [...args, "--port", "0"])], { env: { PATH: process.env.PATH }, cwd: new URL("../../", import.meta.url).pathname });
  let errors = "";
  child.stderr.on("data", (data) => { errors += data; });
  const code = await new Promise((resolve) => child.on("close", resolve));
  assert.equal(code, 2, errors);
  assert.match(errors.replace(/\s+(\|\s+)?/g, " "), why);
}

/** Asks until the answer is what it should be. */
export async function until(what, ask, seconds = 10) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`after ${seconds} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Asks until the answer is this one. */
export async function becomes(ask, expected) {
  let answer;
  const is = async () => {
    answer = await ask().catch((error) => error.name);
    return JSON.stringify(answer) === JSON.stringify(expected);
  };
  await until(`${ask} is ${JSON.stringify(expected)}`, is).catch((error) => { throw new Error(`${error.message}, not ${JSON.stringify(answer)}`); });
}

/** Runs tests one after another, and says what it does. */
export async function run(tests) {
  const only = process.argv[2];
  for (const [name, test] of Object.entries(tests)) {
    if (only && !name.includes(only)) continue;
    const began = Date.now();
    await test();
    console.log(`ok  ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  }
}
