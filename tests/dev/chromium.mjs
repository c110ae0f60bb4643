// A real browser, and pages that must not complain.

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";

const profile = await mkdtemp(join(tmpdir(), "instep-dev-"));
export const browser = await chromium.launchPersistentContext(profile, {
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", headless: true, viewport: { width: 1280, height: 900 },
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
browser.setDefaultTimeout(10_000);

export const complaints = [];
/** A page that must not complain, and must not ask another host for anything. */
export async function open(url, options = {}) {
  const page = await browser.newPage();
  if (options.width) await page.setViewportSize({ width: options.width, height: options.height ?? 900 });
  await page.emulateMedia({ colorScheme: options.scheme ?? "light", reducedMotion: options.motion ?? "no-preference" });
  page.on("console", (message) => { if (["error", "warning"].includes(message.type())) complaints.push(message.text()); });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => { if (!/^(blob:)?http/.test(request.url()) || !request.url().replace(/^blob:/, "").startsWith(url)) complaints.push(`asks for ${request.url()}`); });
  await page.goto(url + (options.place ?? ""));
  await page.getByRole("status").filter({ hasText: /\w/ }).first().waitFor();
  return page;
}

const axe = await readFile(new URL("node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

/** Nothing on the page keeps somebody from using it, as far as a program can tell. */
export async function accessible(page, what = "") {
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), `${what}: nothing is wider than the window`);
  // What still appears has other colours.
  await page.waitForTimeout(400);
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`), [], what);
}

export const documents = (url) => DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: url, region: "us-east-1", credentials: { accessKeyId: "x", secretAccessKey: "x" } }));

/** What runs, and that no delivery is left. */
export const settled = (page, seconds = 30) => page.getByRole("status").filter({ hasText: "Everything is handled" }).waitFor({ timeout: seconds * 1000 });

export async function closeBrowser() {
  await browser.close();
  await rm(profile, { recursive: true, force: true });
}
