// The page in a real browser: somebody writes, watches, breaks and repairs.

import assert from "node:assert/strict";
import { mkdir, stat } from "node:fs/promises";
import http from "node:http";
import { join } from "node:path";
import { BatchWriteCommand, DeleteCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { accessible, browser, closeBrowser, complaints, documents, open, settled } from "./chromium.mjs";
import { run, start, until } from "./server.mjs";

const ROOT = new URL("../../", import.meta.url).pathname;
// The pictures of the README: made by this test, and kept when it is told so.
const PICTURES = process.env.PICTURES ?? join(ROOT, "target/dev-tests/pictures");
const WIDTHS = [360, 1280];
const OF_DOCUMENTS = ["dev-light", "dev-light-why", "dev-dark", "dev-phone"];
await mkdir(PICTURES, { recursive: true });

async function writeAll(client, table, items) {
  for (let at = 0; at < items.length; at += 25) {
    await client.send(new BatchWriteCommand({ RequestItems: { [table]: items.slice(at, at + 25).map((Item) => ({ PutRequest: { Item } })) } }));
  }
}

/** The field of a form with this name. */
const labelled = (page, name) => page.locator("#details").getByLabel(new RegExp(`^${name}( |$)`));

/** A row of the trace with this text is in this state. */
const rowOf = (page, text, state) => picture(page).locator(".row", { hasText: text }).locator(`.state[data-state=${state}]`).first().waitFor();

/** Fills the form of an item type, as a person does. */
async function write(page, type, fields) {
  await page.getByRole("button", { name: "Write an item" }).click();
  await page.getByLabel("Item type", { exact: true }).selectOption(type);
  for (const [name, value] of Object.entries(fields)) {
    const field = labelled(page, name);
    if ((await field.evaluate((element) => element.tagName)) === "SELECT") await field.selectOption(value);
    else await field.fill(value);
  }
  await page.getByRole("button", { name: "Write", exact: true }).click();
  await page.locator("#details").waitFor({ state: "hidden" });
}

/** The trace that is shown is in this state. */
const inState = (page, state) => picture(page).locator(`.heading .state[data-state=${state}]`).waitFor({ timeout: 30_000 });

const picture = (page) => page.getByRole("region", { name: "What followed" });

const access = await start(["access-management"]);
const store = await start(["relational-store"]);
const accounts = await start(["account-management"]);

try {
  await run({
    async "somebody writes items: membership, event and trace"() {
      const page = await open(access.url);
      await write(page, "User", { email: "ada@example.com", state: "enabled" });
      await picture(page).getByText("AdminCreateUser").waitFor();
      await write(page, "Group", { groupId: "/denmark", name: "Denmark" });
      await picture(page).getByText("Group Created").waitFor();
      await write(page, "Membership", { email: "ada@example.com", groupId: "/denmark", role: "reader" });
      await picture(page).getByText("AdminAddUserToGroup").waitFor();
      await picture(page).getByText("User Granted").waitFor();
      await picture(page).getByText("User ada@example.com", { exact: false }).first().waitFor();
      assert.equal(await page.locator("#trace svg").count(), 0, "indentation is the only cause that is shown");
      const groups = page.locator("#cognito");
      await groups.getByRole("button", { name: "/denmark|||reader" }).click();
      await page.locator("#details").getByRole("button", { name: "ada@example.com" }).click();
      await page.locator("#details").getByText("implies that").waitFor();
      await page.locator("#details").getByText("Cognito has what the table implies.").first().waitFor();
      await page.keyboard.press("Escape");
      await page.locator("#events").getByRole("button", { name: "User Granted" }).click();
      await page.locator("#details").getByText('"verb": "granted"').waitFor();
      await page.close();
    },
    async "an item is changed and deleted, and what follows is taken back"() {
      const page = await open(access.url);
      await page.locator("#items").getByRole("tab", { name: /^Membership/ }).click();
      await page.locator("#items").getByRole("button", { name: /ada@example.com/ }).click();
      await page.getByRole("button", { name: "Change" }).click();
      await labelled(page, "role").selectOption("admin");
      await page.getByRole("button", { name: "Write the changes" }).click();
      await picture(page).getByText("add ada@example.com to /denmark|||admin").first().waitFor();
      await picture(page).getByText("AdminRemoveUserFromGroup").waitFor();
      await page.locator("#items").getByRole("button", { name: /ada@example.com/ }).click();
      await page.getByRole("button", { name: "Delete" }).click();
      await page.getByRole("button", { name: "Delete it" }).click();
      await picture(page).getByText("User Revoked").waitFor();
      await page.close();
    },
    async "text of the table is never markup"() {
      const page = await open(access.url);
      const bad = '<img src=x onerror="document.title=\'broken\'">';
      await documents(access.url).send(new PutCommand({ TableName: "access-management", Item: { pk: "G:/markup", sk: "G:/markup", name: bad, description: "<script>document.title='broken'</script>" } }));
      await page.locator("#items").getByRole("tab", { name: /^Group/ }).click();
      await page.locator("#items").getByRole("button", { name: "/markup" }).click();
      await page.locator("#details").getByText(bad).waitFor();
      assert.equal(await page.locator("#details img, #details script").count(), 0);
      assert.notEqual(await page.title(), "broken");
      await page.close();
    },
    async "the stream is stopped, and runs record by record"() {
      const page = await open(access.url);
      await settled(page);
      await page.getByRole("button", { name: "Stop the stream" }).click();
      await page.getByRole("status").filter({ hasText: "Stopped" }).waitFor();
      const client = documents(access.url);
      for (const name of ["one", "two"]) await client.send(new PutCommand({ TableName: "access-management", Item: { pk: `G:/${name}`, sk: `G:/${name}` } }));
      await page.getByRole("status").filter({ hasText: "Records are waiting" }).waitFor();
      assert.equal(await page.locator("#writes").getByText("Group /one").count(), 0);
      await page.getByRole("button", { name: "Handle one record" }).click();
      await page.locator("#writes").getByText("Group /one").waitFor();
      assert.equal(await page.locator("#writes").getByText("Group /two").count(), 0, "only one record is let through");
      await page.getByRole("button", { name: "Let the stream run" }).click();
      await page.locator("#writes").getByText("Group /two").waitFor();
      await page.close();
    },
    async "a service fails, and recovers"() {
      const page = await open(access.url);
      await page.getByRole("checkbox", { name: "Cognito" }).check();
      await page.getByRole("status").filter({ hasText: "Cognito fails" }).waitFor();
      await documents(access.url).send(new PutCommand({ TableName: "access-management", Item: { pk: "G:/late", sk: "G:/late", siKey1: "G" } }));
      await picture(page).getByText("InternalFailure").first().waitFor();
      await page.getByRole("status").filter({ hasText: "1 retrying" }).waitFor();
      await picture(page).getByRole("group", { name: "Retrying" }).getByText(/^attempt [2-9]/).waitFor();
      const rows = await picture(page).locator(".row.effect").count();
      await picture(page).getByRole("button", { name: "Make it work" }).click();
      await picture(page).getByText("Group Created").waitFor({ timeout: 30_000 });
      await settled(page);
      assert.equal(await page.getByRole("checkbox", { name: "Cognito" }).isChecked(), false);
      const appears = picture(page).locator(".is-new", { has: page.locator(":scope > .row.event") });
      assert.equal(await appears.first().evaluate((row) => getComputedStyle(row).animationName), "appear", "motion is on");
      await inState(page, "done");
      assert.equal(await picture(page).locator(".row.effect .state[data-state=done]").count(), rows, "a retry changes the rows that are there");
      await page.close();
    },
    async "a capture is replayed from the page"() {
      const page = await open(access.url);
      await page.locator("#file").setInputFiles(join(ROOT, "events/access-management/16-last-membership-revoked.json"));
      await page.locator("#events").getByRole("button", { name: "User Deleted" }).first().waitFor({ timeout: 20_000 });
      await settled(page);
      await page.close();
    },
    async "two tabs show the same, and a reload in between loses nothing"() {
      const [one, two] = [await open(access.url), await open(access.url)];
      await write(one, "Group", { groupId: "/tabs" });
      await two.locator("#writes").getByText("Group /tabs").waitFor();
      await two.reload();
      await two.locator("#writes").getByText("Group /tabs").waitFor();
      await two.getByRole("button", { name: "Stop the stream" }).click();
      await one.getByRole("button", { name: "Let the stream run" }).click();
      await two.getByRole("button", { name: "Stop the stream" }).waitFor();
      await one.close();
      await two.close();
    },
    async "a keyboard is enough"() {
      const page = await open(access.url);
      await page.keyboard.press("Tab");
      assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the traces");
      await page.locator("#writes button").first().focus();
      await page.keyboard.press("Enter");
      await picture(page).locator("button.link").first().focus();
      await page.keyboard.press("Enter");
      assert.equal(await page.evaluate(() => document.activeElement.id), "details-title", "the focus is on what was opened");
      await page.keyboard.press("Escape");
      assert.equal(await page.evaluate(() => document.activeElement.closest("#trace") !== null), true, "and back where it was");
      await page.locator("#items [role=tab][aria-selected=true]").focus();
      await page.keyboard.press("ArrowRight");
      const names = await page.locator("button, input:not([type=file]), select").evaluateAll((all) => all.filter((one) => !(one.labels?.[0]?.textContent || one.ariaLabel || one.textContent).trim()).map((one) => one.outerHTML));
      assert.deepEqual(names, [], "everything has a name for a screen reader");
      await page.close();
    },
    async "time passes: a grant begins and ends at its time"() {
      const page = await open(accounts.url);
      const client = documents(accounts.url);
      const later = (hours) => new Date(Date.now() + hours * 3_600_000).toISOString();
      for (const Item of [
        { PK: "CLIENT#c1", SK: "METADATA", Type: "Client", id: "c1", name: "Coffee" },
        { PK: "CLIENT#c1", SK: "ROLE#r1", Type: "Role", id: "r1", client_id: "c1", name: "Contractor" },
        { PK: "USER#u1", SK: "METADATA", Type: "User", id: "u1", client_id: "c1", email: "ada@example.com", name: "Ada" },
        { PK: "USER#u1", SK: "ROLE#client#c1#r1", Type: "UserRoleAssignment", user_id: "u1", role_id: "r1", scope_type: "client", scope_id: "c1", start_at: later(1), expires_at: later(2) },
      ]) await client.send(new PutCommand({ TableName: "account-management", Item }));
      await settled(page);
      assert.equal(await page.locator("#events").getByRole("button", { name: "User Granted" }).count(), 0, "not yet");
      const before = await page.locator("#now").textContent();
      await page.getByLabel("How much time passes").selectOption({ label: "1 day" });
      await page.getByRole("button", { name: "Let time pass" }).click();
      await page.locator("#events").getByRole("button", { name: "User Granted" }).waitFor();
      await page.locator("#events").getByRole("button", { name: "User Revoked" }).waitFor();
      const names = await page.locator("#events .rows button:first-child").allTextContents();
      assert.ok(names.indexOf("User Revoked") < names.indexOf("User Granted"), "the newest is first");
      await page.locator("#writes").getByText(/^the clock/).first().waitFor();
      await until("a day is over", async () => Date.parse(await page.locator("#now").textContent()) - Date.parse(before) >= 86_000_000);
      await page.close();
    },
    async "a page of another site cannot write"() {
      const evil = http.createServer((_, response) => { response.setHeader("content-type", "text/html"); response.end("<title>evil</title>"); });
      await new Promise((resolve) => evil.listen(0, "127.0.0.1", resolve));
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${evil.address().port}/`);
      const tried = await page.evaluate(async (url) => {
        const item = JSON.stringify({ TableName: "access-management", Item: { pk: { S: "G:/evil" }, sk: { S: "G:/evil" } } });
        const outcomes = [];
        for (const [path, options] of [
          ["/", { method: "POST", body: item, headers: { "x-amz-target": "DynamoDB_20120810.PutItem", "content-type": "application/x-amz-json-1.0" } }],
          ["/", { method: "POST", body: item, mode: "no-cors" }],
          ["/api/do", { method: "POST", body: '"pause"', mode: "no-cors" }],
          ["/api/state", {}],
        ]) outcomes.push(await fetch(url + path, options).then((response) => response.type, () => "refused"));
        return outcomes;
      }, access.url);
      assert.deepEqual([...new Set(tried)], ["refused"]);
      await page.close();
      evil.close();
      const own = await open(access.url);
      assert.equal(await own.getByRole("status").filter({ hasText: "Stopped" }).count(), 0, "it did not stop the stream");
      await own.locator("#items").getByRole("tab", { name: /^Group/ }).click();
      assert.equal(await own.locator("#items").getByText("/evil").count(), 0);
      await own.close();
    },
    async "a parked record is never hidden behind what is handled"() {
      const page = await open(access.url);
      await settled(page);
      await documents(access.url).send(new PutCommand({ TableName: "access-management", Item: { pk: "NO#type", sk: "NO#type" } }));
      await page.getByRole("status").filter({ hasText: "1 parked" }).waitFor();
      await page.locator("#writes").getByText("1 parked").waitFor();
      await picture(page).getByText("parked: unknown-item", { exact: false }).first().waitFor();
      assert.equal(await page.getByRole("status").filter({ hasText: "Everything is handled" }).count(), 0);
      await page.close();
    },
    async "a grant says why, and a pending one is never green"() {
      for (const width of WIDTHS) {
        const told = await start(["access-management"]);
        const page = await open(told.url, { width });
        const client = documents(told.url);
        const put = (Item) => client.send(new PutCommand({ TableName: "access-management", Item }));
        await put({ pk: "G:/norway", sk: "G:/norway", siKey1: "G" });
        await put({ pk: "U:ann@example.com", sk: "G:/norway", role: "reader" });
        await page.getByRole("status").filter({ hasText: "1 pending" }).waitFor();
        await inState(page, "pending");
        await rowOf(page, "User ann@example.com does not exist", "pending");
        assert.equal(await picture(page).locator(".row.write .state[data-state=done]").count(), 0, "it is not done");
        await page.getByLabel("State").selectOption("parked");
        await page.locator("#writes").getByText("No write is in this state.").waitFor();
        await page.getByLabel("State").selectOption("pending");
        await page.locator("#writes").getByText("Membership", { exact: false }).waitFor();
        await page.getByLabel("State").selectOption("all");
        await put({ pk: "U:ann@example.com", sk: "U:ann@example.com", siKey1: "U", state: "enabled" });
        await settled(page);
        const because = picture(page).locator("li").filter({ has: page.locator(":scope > .row.because", { hasText: "cognito.member of Membership: Membership ann@example.com/%2Fnorway makes User ann@example.com a member of the group of Group /norway for role reader" }) }).last();
        await because.locator(".row.effect", { hasText: "add ann@example.com to /norway|||reader" }).locator(".state[data-state=done]").waitFor();
        assert.equal(await picture(page).locator("details[open]").count(), 0, "what was read is in a closed fold");
        await picture(page).getByText(/^Looked at \d+ items/).first().click();
        await picture(page).locator(".looked").getByRole("button", { name: "Group /norway" }).waitFor();
        await put({ pk: "U:ann@example.com", sk: "G:/norway", note: "no role" });
        await picture(page).getByText("grant.roles of Membership: grants nothing, because role is absent").waitFor();
        await accessible(page, `a grant at ${width}`);
        await page.close();
        await told.stop();
      }
    },
    async "a parked record says what to do, and is sent again"() {
      for (const width of WIDTHS) {
        const told = await start(["access-management"]);
        const page = await open(told.url, { width });
        const put = (Item) => documents(told.url).send(new PutCommand({ TableName: "access-management", Item }));
        await put({ pk: "G:/norway", sk: "G:/norway", siKey1: "G" });
        await put({ pk: "U:ann@example.com", sk: "U:ann@example.com", siKey1: "U", state: "enabled" });
        await settled(page);
        await put({ pk: "U:ann@example.com", sk: "G:/norway", role: "Reader" });
        const bar = picture(page).getByRole("group", { name: "Parked" });
        await bar.getByText("parked: wrong-value").waitFor();
        await bar.getByText("role is none of admin, contributor, reader").waitFor();
        await page.getByRole("status").filter({ hasText: "1 parked" }).waitFor();
        await accessible(page, `a parked record at ${width}`);
        await keep(page, `dev-parked-${width}`);
        await bar.getByRole("button", { name: "Handle it again" }).click();
        await until("it was delivered twice, and is parked again", async () => {
          const [seen] = (await (await fetch(`${told.url}/api/traces`)).json()).rows;
          return seen.root.deliveries === 2 && seen.state === "parked";
        });
        await bar.waitFor();
        assert.equal(await picture(page).locator(".row.event").count(), 0, "nothing was granted, so nothing is published");
        await bar.getByRole("button", { name: "Change the item" }).click();
        await page.getByRole("button", { name: "Change", exact: true }).click();
        await labelled(page, "role").selectOption("reader");
        await page.getByRole("button", { name: "Write the changes" }).click();
        await picture(page).getByText("add ann@example.com to /norway|||reader").waitFor();
        await page.getByRole("status").filter({ hasText: "1 parked" }).waitFor();
        await page.locator("#writes button", { hasText: "1 parked" }).click();
        await bar.getByRole("button", { name: "Handle it again" }).click();
        await settled(page);
        await inState(page, "done");
        await page.close();
        await told.stop();
      }
    },
    async "a deleted parent is a line for each level"() {
      const told = await start(["account-management", "--load", join(ROOT, "events/account-management/24-client-removed-with-four-levels-below.json")]);
      for (const width of WIDTHS) {
        const page = await open(told.url, { width });
        await settled(page, 60);
        await page.locator("#writes button", { hasText: /^Client cl-24 deleted/ }).click();
        await inState(page, "done");
        const rows = await picture(page).locator(".levels tbody tr").allTextContents();
        for (const [level, item, count] of [[1, "Project", 1], [1, "User", 2], [2, "Building", 1], [3, "Device", 1]]) {
          assert.ok(rows.some((row) => row.startsWith(`${level}${item}`) && row.includes(`${count} of ${count}`)), `level ${level} has ${count} ${item}: ${rows.join(" / ")}`);
        }
        const below = picture(page).locator("li[data-node]").filter({ has: page.locator(":scope > .row", { hasText: "Project cl-24/pr-24 deleted" }) }).last();
        await below.locator("li[data-node]", { hasText: "Building pr-24/bu-24 deleted" }).first().waitFor();
        await accessible(page, `a cascade at ${width}`);
        await keep(page, `dev-cascade-${width}`);
        await page.close();
      }
      await told.stop();
    },
    async "a cascade of 1,000 grows as a tree"() {
      const page = await open(store.url);
      const urn = (of, n) => `urn:pp:${of}::${n}`;
      const parent = urn("Folder", "p");
      const items = [resource(parent)];
      for (let n = 0; n < 1000; n += 1) items.push(resource(urn("File", n)), relation(parent, urn("File", n)));
      await writeAll(documents(store.url), "relational-store", items);
      await settled(page, 90);
      const began = Date.now();
      await documents(store.url).send(new DeleteCommand({ TableName: "relational-store", Key: keyOf(parent) }));
      await picture(page).locator(".more").first().waitFor({ timeout: 20_000 });
      const first = Date.now() - began;
      await settled(page, 90);
      const records = await until("2,001 records are in one trace", async () => {
        const text = await picture(page).locator(".tally").textContent();
        const count = Number(/([\d,]+) records?/.exec(text)?.[1].replace(",", ""));
        return count >= 2001 && (await picture(page).locator(".heading .state[data-state=done]").count()) && count;
      }, 60);
      const levels = await picture(page).locator(".levels tbody tr").allTextContents();
      assert.ok(levels.length <= 3 && levels.some((level) => level.includes("1,000 of 1,000")), `a level is a row: ${levels}`);
      console.log(`    the first children show after ${first} ms, all ${records} records after ${Date.now() - began} ms`);
      await page.locator("#trace-tools").getByRole("button", { name: "Save as capture" }).waitFor();
      assert.equal(await page.locator("#trace-tools").getByRole("button", { name: /^Undo/ }).count(), 0, "2,001 items are too many to write again");
      await picture(page).getByRole("button", { name: "Show 25 more" }).first().click();
      await picture(page).locator(".more li").first().waitFor();
      assert.ok((await picture(page).locator(".row").count()) < 1500, "the page does not show them all");
      await page.close();
    },
    async "a table of 10,000 items stays quick"() {
      const page = await open(store.url);
      await settled(page, 90);
      const client = documents(store.url);
      await page.getByRole("button", { name: "Stop the stream" }).click();
      await writeAll(client, "relational-store", Array.from({ length: 10_000 }, (_, n) => resource(`urn:pp:Item::${String(n).padStart(5, "0")}`)));
      await page.locator("#items").getByRole("tab", { name: /^Resource 10,000/ }).waitFor({ timeout: 30_000 });
      const times = {};
      const timed = async (what, act) => { const began = Date.now(); await act(); times[what] = Date.now() - began; };
      await timed("reload", async () => { await page.reload(); await page.locator("#items").getByRole("tab", { name: /^Resource 10,000/ }).waitFor(); });
      await timed("page", async () => {
        await page.locator("#items").getByRole("button", { name: "Next" }).click();
        await page.locator("#items").getByText("26–50 of 10,000").waitFor();
      });
      await timed("search", async () => {
        await page.getByRole("searchbox", { name: "Search writes, items and events" }).fill("09999");
        await page.locator("#items").getByRole("button", { name: "Resource urn:pp:Item::09999" }).waitFor();
      });
      await timed("item", async () => {
        await page.locator("#items").getByRole("button", { name: "Resource urn:pp:Item::09999" }).click();
        await page.locator("#details").getByText("Cognito has what the table implies.").waitFor();
      });
      console.log(`    with 10,000 items, in ms: ${JSON.stringify(times)}`);
      for (const [what, ms] of Object.entries(times)) assert.ok(ms < (what === "reload" ? 5_000 : 2_000), `${what} took ${ms} ms`);
      await page.close();
    },
  });
  if (!process.argv[2] || process.argv[2] === "pictures") await pictures();
  assert.deepEqual(complaints, [], "the browser complains about nothing, and asks no other host");
} catch (error) {
  for (const [place, page] of browser.pages().entries()) await page.screenshot({ path: join(PICTURES, `failed-${place}.png`), timeout: 5_000 }).catch(() => {});
  console.error(complaints.join("\n"), access.errors(), store.errors(), accounts.errors());
  throw error;
} finally {
  await closeBrowser();
}
console.log(`ok  Ctrl-C ends all (${await access.stop()}, ${await store.stop()} and ${await accounts.stop()} ms)`);

/** The pictures, of the command of the README. */
async function pictures() {
  const shown = await start(["access-management", "--load", join(ROOT, "events/access-management")]);
  const views = { "dev-light": { width: 1280, height: 1000 }, "dev-dark": { width: 1280, height: 1000, scheme: "dark" }, "dev-phone": { width: 360, height: 900 }, "dev-phone-dark": { width: 360, height: 900, scheme: "dark" }, "dev-wide": { width: 1920, height: 1100 } };
  for (const [name, view] of Object.entries(views)) {
    const page = await open(shown.url, view);
    await settled(page, 60);
    await page.locator("#writes button", { hasText: /Group .* deleted/ }).first().click();
    await inState(page, "done");
    await page.waitForTimeout(300);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), `${name}: nothing is wider than the window`);
    await keep(page, name);
    if (name === "dev-light" || name === "dev-phone") {
      await page.locator("#cognito").getByRole("button", { name: "/alps|||reader" }).click();
      await page.locator("#details").getByRole("button", { name: "lena.vogel@example.com" }).click();
      await page.locator("#details").getByText("implies that").first().waitFor();
      await keep(page, `${name}-why`);
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Write an item" }).click();
      await page.getByLabel("Item type", { exact: true }).selectOption("Membership");
      await keep(page, `${name}-form`);
    }
    await page.close();
  }
  await shown.stop();
}

/** Makes a picture. Those of the documents are kept in docs/pictures. */
async function keep(page, name) {
  const path = join(PICTURES, `${name}.png`);
  if (process.env.PICTURES && !OF_DOCUMENTS.includes(name)) return;
  await page.screenshot({ path });
  assert.ok((await stat(path)).size < 400_000, `${name} is small enough for a document`);
}

// Items of `relational-store`, as its writers make them.
function keyOf(urn) { return { PK: `Resource#${urn}`, SK: `Resource#${urn}` }; }
function resource(urn) { return { ...keyOf(urn), _recordType: "Resource", _resourceType: urn.split(":")[2], urn, name: urn.split("::")[1] }; }
function relation(parent, child) { return { PK: `Parent#${parent}`, SK: `Child#${child}`, _recordType: "ParentChildRelationship", parentUrn: parent, childUrn: child }; }
