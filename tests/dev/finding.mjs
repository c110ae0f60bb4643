// The page in a real browser: somebody changes the model, finds, links, deletes, takes back and copies.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { DeleteCommand, GetCommand, PutCommand, ScanCommand } from "@aws-sdk/lib-dynamodb";
import { accessible, browser, closeBrowser, complaints, documents, open, settled } from "./chromium.mjs";
import { BINARY, refused, run, start, until } from "./server.mjs";

const execute = promisify(execFile);
const ROOT = new URL("../../", import.meta.url).pathname;
const MODEL = `model = "clubs"
table = { pk = "PK", sk = "SK", secret = ["pin"] }
indexes.GSI1 = { pk = "GSI1PK", sk = "GSI1SK" }
names.role = ["captain", "player"]
[items]
User = { pk = "USER#{userId}", sk = "USER", entity = "User", cognito.user.name = "{userId}" }
Club = { pk = "CLUB#{clubId}", sk = "CLUB", entity = "Club", cognito.groups = "{clubId}:{role}" }
Note = { pk = "NOTE#{noteId}", sk = "NOTE" }
[items.Member]
pk = "CLUB#{clubId}"
sk = "MEMBER#{userId}"
GSI1 = { pk = "USER#{userId}", sk = "CLUB#{clubId}" }
parent = ["Club", "User"]
grant = { subject = "User", scope = "Club", roles = "role" }
cognito.member = { user = "User", group = "Club" }
`;
const PITCH = `[items.Pitch]
pk = "CLUB#{clubId}"
sk = "PITCH#{pitchId}"
parent = "Club"
`;
const user = (id, more = {}) => ({ PK: `USER#${id}`, SK: "USER", ...more });
const club = (id, more = {}) => ({ PK: `CLUB#${id}`, SK: "CLUB", ...more });
const note = (id) => ({ PK: `NOTE#${id}`, SK: "NOTE" });
const member = (id, who, role) => ({ PK: `CLUB#${id}`, SK: `MEMBER#${who}`, GSI1PK: `USER#${who}`, GSI1SK: `CLUB#${id}`, role });

const folder = await mkdtemp(join(tmpdir(), "instep-model-"));
const file = join(folder, "clubs.toml");
await writeFile(file, MODEL);
const dev = await start([file, "--watch"]);
const client = documents(dev.url);
const put = (...items) => items.reduce((before, Item) => before.then(() => client.send(new PutCommand({ TableName: "clubs", Item }))), Promise.resolve());
const get = async ({ PK, SK }) => (await client.send(new GetCommand({ TableName: "clubs", Key: { PK, SK }, ConsistentRead: true }))).Item;
const state = async () => (await fetch(`${dev.url}/api/state`)).json();
const idle = () => until("everything is delivered", async () => { const now = await state(); return now.idle && !now.states.retrying && !now.waiting; }, 30);

const items = (page) => page.locator("#items");
const details = (page) => page.locator("#details");
const found = (page) => page.locator("#found");
const searchBox = (page) => page.getByRole("searchbox", { name: "Search writes, items and events" });
const chosen = (page) => page.locator('#writes button[aria-current="true"] .what').textContent();
const copied = async (page, button) => {
  await button.click();
  await page.getByRole("button", { name: "Copied" }).first().waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
};
/** Runs a command that somebody has copied, in a shell, with the real AWS CLI. */
const shell = (command) => execute("/bin/sh", ["-c", command], { env: {
  PATH: `${join(ROOT, "target/dev-tests/venv/bin")}:${process.env.PATH}`, AWS_ACCESS_KEY_ID: "x", AWS_SECRET_ACCESS_KEY: "x", AWS_DEFAULT_REGION: "us-east-1", AWS_EC2_METADATA_DISABLED: "true" } });

/** The tests of a window of this width, with motion on. */
const at = (width) => {
  const opened = (place = "") => open(dev.url, { width, motion: "no-preference", place });
  return {
    async [`a place has a link, and Back leads there (${width} px)`]() {
      const team = `harriers-${width}`;
      const strange = `${width}/a?b#c%25 "é" <img src=x onerror=alert(1)>`;
      await put(user("ada", { name: "Ada" }), club(team), note(strange));
      await idle();
      const page = await opened();
      await settled(page);
      await page.locator("#writes").getByText(`Club ${team}`).first().click();
      await until("the address has the trace", async () => /#\/trace\/\d+$/.test(page.url()));
      await page.reload();
      await page.locator("#writes").getByText(`Club ${team}`).first().waitFor();
      assert.equal(await chosen(page), `Club ${team} created`, "a reload keeps the trace");
      await items(page).getByRole("tab", { name: /^Note/ }).click();
      await items(page).getByRole("button", { name: new RegExp(`${width}/a`) }).click();
      await details(page).getByText(`NOTE#${strange} | NOTE`).waitFor();
      assert.match(page.url(), /#\/item\/Note\/[^/?#<"]+\/NOTE$/, "every part is encoded");
      await accessible(page, `${width} px`);
      await details(page).getByRole("button", { name: "Change" }).click();
      await details(page).getByRole("heading", { name: "Change Note" }).waitFor();
      await items(page).getByRole("button", { name: new RegExp(`${width}/a`) }).focus();
      await page.keyboard.press("Enter");
      await details(page).getByRole("button", { name: "Copy link" }).waitFor();
      await page.reload();
      await details(page).getByText(`NOTE#${strange} | NOTE`).waitFor();
      assert.equal(await details(page).locator("img").count(), 0);
      await page.goBack();
      await details(page).waitFor({ state: "hidden" });
      assert.equal(await chosen(page), `Club ${team} created`);
      await page.goForward();
      await details(page).getByText(`NOTE#${strange} | NOTE`).waitFor();
      await page.keyboard.press("Escape");
      await details(page).waitFor({ state: "hidden" });
      assert.match(page.url(), /#\/trace\/\d+$/);
      await page.locator("#events").getByRole("button", { name: "Club Created" }).first().click();
      await details(page).getByText('"detailType"').or(details(page).getByRole("heading", { name: "Club Created" })).first().waitFor();
      const link = await copied(page, details(page).getByRole("button", { name: "Copy link" }));
      await page.close();
      const other = await opened(link.slice(dev.url.length));
      await details(other).getByRole("heading", { name: "Club Created" }).waitFor();
      await other.close();
    },
    async [`one search finds writes, items and events on all pages (${width} px)`]() {
      for (let n = 0; n < 60; n += 1) await put(club(`many-${String(n).padStart(2, "0")}`, { motto: n === 57 ? `Über ${width}` : "none", pin: "open-sesame" }));
      await idle();
      const page = await opened();
      await settled(page);
      await searchBox(page).fill(`üBER ${width}`);
      await page.locator("#found").getByText(/1 of \d+ items/).waitFor();
      await items(page).getByRole("tab", { name: /^Club 1 of/ }).click();
      await items(page).getByRole("button", { name: "Club many-57" }).waitFor();
      await searchBox(page).fill("MANY-5");
      await found(page).getByText(/^[1-9]\d of \d+ writes · 10 of \d+ items · [1-9]\d of \d+ events$/).waitFor();
      assert.equal(await items(page).locator(".rows li").count(), 10);
      assert.match(page.url(), /#\/\?q=MANY-5$/);
      await page.reload();
      await found(page).getByText(/10 of \d+ items/).waitFor();
      assert.equal(await searchBox(page).inputValue(), "MANY-5");
      await accessible(page, `${width} px`);
      await searchBox(page).fill("open-sesame");
      await found(page).getByText(/^0 of \d+ writes · 0 of \d+ items · 0 of \d+ events$/).waitFor();
      await page.close();
    },
    async [`a deletion asks, says what follows, and is undone (${width} px)`]() {
      const id = `doomed-${width}`;
      await put(user("ada"), user("bob"), club(id, { name: "Doomed" }), member(id, "ada", "captain"), member(id, "bob", "player"));
      await idle();
      const before = await all();
      const page = await opened();
      await settled(page);
      await items(page).getByRole("tab", { name: /^Club/ }).click();
      await searchBox(page).fill(id);
      await items(page).getByRole("button", { name: `Club ${id}` }).click();
      await details(page).getByRole("button", { name: "Delete", exact: true }).click();
      await details(page).getByText("it also deletes 2 Member; in Cognito 2 groups, 2 memberships.").waitFor({ timeout: 30_000 });
      await accessible(page, `${width} px`);
      await details(page).getByRole("button", { name: "Cancel" }).click();
      assert.ok(await get(club(id)), "it only asks");
      assert.deepEqual(await all(), before, "a trial changes nothing");
      await items(page).getByRole("button", { name: `Club ${id}` }).click();
      await details(page).getByRole("button", { name: "Delete", exact: true }).click();
      await details(page).getByRole("button", { name: "Delete it" }).click();
      await until("the club and its members are gone", async () => !(await get(club(id))) && !(await get(member(id, "bob"))), 20);
      await idle();
      await until("its trace is shown", async () => (await chosen(page)) === `Club ${id} deleted`);
      await page.locator("#trace-tools").getByText("Cognito users that were deleted get a new sub.").waitFor();
      await page.locator("#trace-tools").getByRole("button", { name: "Undo: write 3 items again" }).click();
      await until("all are there again", async () => (await get(club(id)))?.name === "Doomed" && (await get(member(id, "ada"))) && (await get(member(id, "bob"))));
      await idle();
      assert.deepEqual(await all(), before);
      const groups = await (await fetch(`${dev.url}/api/groups?q=${id}`)).json();
      assert.deepEqual(groups.rows.map((group) => [group.name, group.first]), [[`${id}:captain`, ["ada"]], [`${id}:player`, ["bob"]]], "their access is back");
      await page.close();
    },
    async [`what is copied does what it says (${width} px)`]() {
      const odd = user(`odd-${width}`, { note: "it's \"quoted\"\n$HOME `id` \\ !!", size: 7 });
      await put(odd, user(`safe-${width}`, { pin: "open-sesame", mail: "ada@example.com" }));
      await idle();
      const page = await opened(`/#/item/User/${encodeURIComponent(odd.PK)}/USER`);
      await details(page).getByRole("heading", { name: `User odd-${width}` }).waitFor();
      assert.deepEqual(JSON.parse(await copied(page, details(page).getByRole("button", { name: "Copy as JSON" }))).note, { S: odd.note });
      const command = await copied(page, details(page).getByRole("button", { name: "Copy as command" }));
      await client.send(new DeleteCommand({ TableName: "clubs", Key: { PK: odd.PK, SK: odd.SK } }));
      await shell(command);
      assert.deepEqual(await get(odd), odd);
      await page.goto(`${dev.url}/#/item/User/${encodeURIComponent(`USER#safe-${width}`)}/USER`);
      await details(page).getByText("It has secrets, so there is no command that writes it.").waitFor();
      await page.keyboard.press("Escape");
      await settled(page);
      await page.locator("#writes").getByText(`User safe-${width}`).click();
      await until("the trace is chosen", async () => (await chosen(page)).startsWith(`User safe-${width}`));
      const tools = page.locator("#trace-tools");
      await page.locator("#events").getByRole("button", { name: "User Created" }).first().click();
      const published = await shell(await copied(page, details(page).getByRole("button", { name: "Copy as command" })));
      assert.equal(JSON.parse(published.stdout).FailedEntryCount, 0);
      await page.keyboard.press("Escape");
      const record = await copied(page, tools.getByRole("button", { name: "Copy as JSON" }));
      assert.ok(!record.includes("open-sesame") && JSON.parse(record).eventName === "INSERT");
      const [download] = await Promise.all([page.waitForEvent("download"), tools.getByRole("button", { name: "Save as capture" }).click()]);
      const capture = await readFile(await download.path(), "utf8");
      assert.ok(!capture.includes("open-sesame") && !capture.includes("ada@example.com"), "secrets and addresses are redacted");
      const saved = join(folder, download.suggestedFilename());
      await writeFile(saved, capture);
      const replayed = await execute(BINARY, ["replay", saved, "--model", file]);
      assert.match(replayed.stdout, new RegExp(`safe-${width}`));
      await page.locator("#writes").getByText(`User odd-${width} deleted`).click();
      await until("the deletion is chosen", async () => (await chosen(page)).includes("deleted"));
      await shell(await copied(page, tools.getByRole("button", { name: "Copy as command" })));
      assert.equal(await get(odd), undefined, "the command of a deletion deletes");
      await page.close();
    },
    async [`the model changes, and the page with it (${width} px)`]() {
      await put(club("kept"));
      await idle();
      const page = await opened();
      await settled(page);
      await page.getByRole("checkbox", { name: "Cognito" }).check();
      await put(club(`retried-${width}`));
      await until("it is retried", async () => (await state()).states.retrying);
      const { run: before } = await state();
      await writeFile(file, MODEL + PITCH);
      await until("another run", async () => (await state()).run !== before);
      await items(page).getByRole("tab", { name: /^Pitch/ }).waitFor();
      await items(page).getByRole("tab", { name: /^Club/ }).click();
      assert.ok(await get(club("kept")), "the items stay");
      await page.getByRole("checkbox", { name: "Cognito" }).uncheck();
      await page.locator("#events").getByText(`retried-${width}`).first().waitFor({ timeout: 20_000 });
      await idle();
      assert.ok(!(await state()).states.parked);
      await writeFile(file, MODEL + PITCH.replace("parent", "parnt"));
      await page.getByRole("alert").getByText("parnt").waitFor();
      await accessible(page, `${width} px`);
      await put({ PK: "CLUB#kept", SK: `PITCH#${width}` });
      await items(page).getByRole("tab", { name: /^Pitch \d/ }).waitFor();
      await writeFile(file, MODEL.replaceAll('"PK"', '"pk"'));
      await page.getByRole("alert").getByText(/its key is/).waitFor();
      await page.getByRole("alert").getByText(/start it again/).waitFor();
      await writeFile(file, MODEL.replace("clubs", "teams"));
      await page.getByRole("alert").getByText(/`teams`/).first().waitFor();
      assert.match(dev.output(), /parnt[^]*its key is[^]*`teams`/, "the terminal says it, too");
      await writeFile(file, MODEL);
      await page.locator("#model-errors").waitFor({ state: "hidden" });
      await items(page).getByRole("tab", { name: /^unknown \d/ }).waitFor();
      await page.close();
    },
    async [`a lost connection and remarks (${width} px)`]() {
      const other = await start([file, "--no-watch"]);
      const page = await open(other.url, { width, motion: "no-preference" });
      assert.match(await page.locator("#now").textContent(), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
      await documents(other.url).send(new PutCommand({ TableName: "nowhere", Item: user("x") })).catch(() => {});
      await page.locator("#remarks").getByText("a table that is not here").waitFor();
      await page.getByRole("button", { name: "Close the remark" }).click();
      await documents(other.url).send(new PutCommand({ TableName: "clubs", Item: user("x") }));
      await page.locator("#writes").getByText(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/).waitFor();
      await page.locator("#writes button").first().click();
      assert.equal(await page.locator("#remarks p").count(), 0, "a closed remark stays closed");
      await writeFile(file, MODEL + PITCH);
      await new Promise((resolve) => setTimeout(resolve, 1500));
      assert.equal(await items(page).getByRole("tab", { name: /^Pitch/ }).count(), 0, "nobody watches");
      await writeFile(file, MODEL);
      const loud = complaints.length;
      await other.stop();
      await page.locator("#status.bad").getByText(/^Not connected/).waitFor();
      await page.locator("#status.bad").getByText(/^Not connected for 10 seconds/).waitFor({ timeout: 15_000 });
      const next = await start([file, "--port", new URL(other.url).port]);
      await documents(next.url).send(new PutCommand({ TableName: "clubs", Item: user("y") }));
      await page.locator("#writes").getByText("User y created").waitFor({ timeout: 20_000 });
      assert.ok(page.url().endsWith("#/"), "another process has other traces");
      assert.equal(await page.locator("#writes").getByText("User x created").count(), 0);
      await next.stop();
      await page.close();
      complaints.length = loud; // The browser says that it cannot connect, as it should.
    },
  };
};

/** Instep deletes the user after its last membership. Both come back, although the membership is written first. */
async function undoIsOneStep() {
  const access = await start(["access-management"]);
  const table = documents(access.url);
  const api = async (path, body) => (await fetch(`${access.url}/api/${path}`, body && { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) })).json();
  const write = (Item) => table.send(new PutCommand({ TableName: "access-management", Item }));
  const there = async (Key) => Boolean((await table.send(new GetCommand({ TableName: "access-management", Key, ConsistentRead: true }))).Item);
  const done = () => until("everything is delivered", async () => (await api("state")).idle, 30);
  await write({ pk: "G:/one", sk: "G:/one", siKey1: "G" });
  for (let round = 0; round < 5; round += 1) {
    const [who, seat] = [{ pk: `U:p${round}@example.com`, sk: `U:p${round}@example.com` }, { pk: `U:p${round}@example.com`, sk: "G:/one" }];
    const createdAt = "2026-01-12T08:30:00.000Z";
    await write({ ...who, siKey1: "U", createdAt });
    await write({ ...seat, role: "reader", createdAt });
    await until("the membership is handled", async () => {
      const [last] = (await api("traces?limit=1")).rows;
      if (!last) return false;
      const { root, counts } = last;
      return root.label.startsWith(`Membership p${round}`) && counts.states.done === counts.records;
    });
    await table.send(new DeleteCommand({ TableName: "access-management", Key: seat }));
    await until("Instep deletes the user", async () => !(await there(who)));
    await until("its record is delivered", async () => (await api("traces?limit=1")).rows[0].counts.records === 2);
    await done();
    const { rows } = await api("traces?limit=1");
    assert.deepEqual(await api(`traces/${rows[0].root.id}/undo`, {}), { written: 2, kept: 0 });
    await new Promise((resolve) => setTimeout(resolve, 500));
    await done();
    assert.deepEqual([await there(who), await there(seat)], [true, true], `round ${round}`);
  }
  await access.stop();
}

/** Of a secret item, the page says only that something was written. */
async function secretItems() {
  const accounts = await start(["account-management"]);
  const secret = "open-sesame";
  await documents(accounts.url).send(new PutCommand({ TableName: "account-management", Item: { PK: "USER#u1", SK: `TOKEN#${secret}`, Type: "Token", user_id: "u1", value: secret } }));
  const api = async (path) => (await fetch(`${accounts.url}/api/${path}`)).text();
  const root = await until("the token is handled", async () => JSON.parse(await api("traces")).rows[0]?.root.id);
  for (const path of ["traces", `traces/${root}`, `traces/${root}/write`, `traces/${root}/capture`, "items?type=Token", "events", "state"]) {
    assert.ok(!(await api(path)).includes(secret), path);
  }
  const { records, secret: left } = JSON.parse(await api(`traces/${root}/capture`));
  assert.deepEqual([records, left], [0, 1]);
  assert.equal(JSON.parse(await api(`traces/${root}/write`)).isWhole, false);
  for (const q of [secret, "u1"]) assert.equal(JSON.parse(await api(`types?q=${q}`)).types.find(({ type }) => type === "Token").found, 0, q);
  assert.equal(JSON.parse(await api("types?q=TOKEN")).types.find(({ type }) => type === "Token").found, 1);
  await accounts.stop();
}

/** The application's items of the table. */
async function all() {
  const { Items } = await client.send(new ScanCommand({ TableName: "clubs", ConsistentRead: true }));
  const own = Items.filter(({ PK }) => !PK.startsWith("INSTEP#")).map((item) => { delete item["instep"]; return item; });
  return own.sort((one, other) => `${one.PK} ${one.SK}`.localeCompare(`${other.PK} ${other.SK}`));
}

try {
  await browser.grantPermissions(["clipboard-read", "clipboard-write"]);
  await run({ ...at(1280), ...at(360), "an undo is one step": undoIsOneStep, "nothing of a secret item is shown": secretItems });
  if (!process.argv[2]) await refused(["access-management", "--watch"], /is part of this program/);
  assert.deepEqual(complaints, [], "the browser complains about nothing, and asks no other host");
} catch (error) {
  for (const [place, page] of browser.pages().entries()) await page.screenshot({ path: join(ROOT, `target/dev-tests/failed-${place}.png`), timeout: 5_000 }).catch(() => {});
  console.error(complaints.join("\n"), dev.errors());
  throw error;
} finally {
  await closeBrowser();
  await rm(folder, { recursive: true, force: true });
}
await dev.stop();
