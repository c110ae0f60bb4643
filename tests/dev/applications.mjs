// The captures of events/version-control and events/invoicing: ElectroDB and OneTable write them on `instep dev`.
// Each capture is a story here. What the library writes must be what tests/writes has, from which the capture is made.
// With the variable `UPDATE`, it becomes that; then run tests/writes/regenerate.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { CognitoIdentityProviderClient, AdminListGroupsForUserCommand, ListGroupsCommand, ListUsersCommand } from "@aws-sdk/client-cognito-identity-provider";
import { DescribeTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { becomes, run, start } from "./server.mjs";

const POOL = "us-east-1_instep000";
const ROOT = new URL("../../", import.meta.url).pathname;
// `dev` needs a signature, whatever it is. (The SDK for JavaScript has streams in a package of their own.)
const SIGNED = "AWS4-HMAC-SHA256 Credential=x/20260601/eu-west-1/dynamodb/aws4_request, SignedHeaders=host, Signature=x";
// The times that OneTable writes itself.
const CLOCKS = ["created", "updated"];

/** By application and capture: its day, what happens before anything follows from it and after, and then Cognito's users with their groups. */
const STORIES = {
  "version-control": {
    "01-repository-with-subscribers": {
      day: "2026-06-01",
      async story(app) {
        // The subscription first: it is pending until its user and its repository exist.
        await app.watch("Ada/Engine", "Grace");
        await app.signUp("Ada", "Ada L.");
        await app.signUp("Grace", "Grace H.");
        await app.start("Ada/Engine", { about: "Numbers", isPrivate: true, topics: ["numbers", "steam"] });
        await app.watch("Ada/Engine", "Ada");
        await app.describe("Ada/Engine", "Bernoulli numbers");
        await app.rename("Grace", "Grace M. H.");
        await app.unwatch("Ada/Engine", "Ada");
      },
      // Keys are in lower case, and so are the names of users and groups.
      users: { ada: [], grace: ["ada:engine"] },
      groups: ["ada:engine"],
    },
    "02-issue-with-comments": {
      day: "2026-06-02",
      async story(app) {
        await app.signUp("Alan", "Alan T.");
        await app.signUp("Joan", "Joan C.");
        await app.start("Alan/Bombe", { about: "Wheels", isPrivate: false });
        await app.report("Alan/Bombe", "0007", "Joan", "Wheel 3 is stuck");
        await app.follow("Alan/Bombe", "Joan", "Issue", "0007");
        await app.answer("Alan/Bombe", "0007", "C1", "Alan", "Oil?");
        await app.answer("Alan/Bombe", "0007", "C2", "Joan", "Yes");
        assert.deepEqual(await app.issue("Alan/Bombe", "0007"), { issues: 1, comments: 2 });
        await app.propose("Alan/Bombe", "0008", "Alan", "Oil");
        await app.follow("Alan/Bombe", "Joan", "PullRequest", "0008");
        await app.close("Alan/Bombe", "0007");
        await app.withdraw("Alan/Bombe", "0007");
      },
      async after(app) {
        await becomes(() => app.issue("Alan/Bombe", "0007"), { issues: 0, comments: 0 });
        assert.deepEqual(await app.watched("Joan"), ["0008"]);
      },
      users: { alan: [], joan: [] },
      groups: ["alan:bombe"],
    },
    "03-repository-removed": {
      day: "2026-06-03",
      async story(app) {
        await app.signUp("Edsger", "Edsger D.");
        await app.signUp("Barbara", "Barbara L.");
        await app.start("Edsger/THE", { about: "Semaphores", isPrivate: true });
        await app.start("Edsger/Notes", { about: "Notes", isPrivate: true });
        await app.watch("Edsger/THE", "Barbara");
        await app.watch("Edsger/Notes", "Barbara");
        await app.report("Edsger/THE", "0007", "Barbara", "It waits for ever");
        await app.answer("Edsger/THE", "0007", "C1", "Edsger", "Where?");
        await app.propose("Edsger/THE", "0008", "Edsger", "Do not wait");
        await app.review("Edsger/THE", "0008", "C2", "Barbara", "At last");
        await app.follow("Edsger/THE", "Barbara", "PullRequest", "0008");
        await app.remove("Edsger/THE");
      },
      async after(app) {
        await becomes(() => app.issue("Edsger/THE", "0007"), { issues: 0, comments: 0 });
        await becomes(() => app.watched("Barbara"), ["#"]);
      },
      users: { barbara: ["edsger:notes"], edsger: [] },
      groups: ["edsger:notes"],
    },
    "04-user-removed": {
      day: "2026-06-04",
      async story(app) {
        await app.signUp("Tony", "Tony H.");
        await app.signUp("Niklaus", "Niklaus W.");
        await app.start("Tony/Quicksort", { about: "Sorting", isPrivate: true });
        await app.watch("Tony/Quicksort", "Niklaus");
        await app.report("Tony/Quicksort", "0001", "Niklaus", "Slow if sorted");
        await app.leave("Tony");
      },
      async after(app) {
        await becomes(() => app.issue("Tony/Quicksort", "0001"), { issues: 0, comments: 0 });
      },
      users: { niklaus: [] },
      groups: [],
    },
  },
  invoicing: {
    "01-account-with-users": {
      day: "2026-06-01",
      async story(app) {
        // The user first: the membership is pending until the account exists.
        await app.join("A1", "Ann@example.com", { id: "U1", name: "Ann", role: "admin" });
        await app.open("A1", "Acme Rockets");
        await app.join("A1", "bob@example.com", { id: "U2", name: "Bob", address: { street: "1 Mesa", city: "Gallup", zip: "87301" } });
        await app.offer("P1", "rocket", 10.99);
        await app.bill("A1", "bob@example.com", "I1", { product: "rocket", count: 2, price: 10.99 });
        await app.change("A1", "bob@example.com", { role: "admin" });
        await app.change("A1", "Ann@example.com", { status: "inactive" });
      },
      async after(app) {
        await becomes(() => app.everything("A1"), { accounts: 1, users: 2, invoices: 1 });
      },
      // Keys keep their case, and so do the names of users and groups.
      users: { "A1:Ann@example.com": ["A1:admin"], "A1:bob@example.com": ["A1:admin"] },
      groups: ["A1:admin", "A1:user"],
    },
    "02-name-in-use-and-moved": {
      day: "2026-06-02",
      async story(app) {
        await app.open("B1", "Beta Boats");
        await assert.rejects(app.open("B2", "Beta Boats"), /unique/i);
        await app.open("B2", "BETA boats"); // another name: OneTable keeps its case
        await app.rename("B1", "Beta Ships");
        await app.rename("B2", "Beta Boats");
      },
      async after(app) {
        await assert.rejects(app.open("B3", "Beta Ships"), /unique/i);
        await app.open("B3", "BETA boats"); // free since the second account has another
      },
      users: {},
      groups: ["B1:admin", "B1:user", "B2:admin", "B2:user", "B3:admin", "B3:user"],
    },
    "03-account-closed": {
      day: "2026-06-03",
      async story(app) {
        await app.open("C1", "Cape Cars");
        await app.open("C2", "Dune Drones");
        await app.join("C1", "eve@example.com", { id: "U3", name: "Eve", role: "admin" });
        await app.join("C2", "eve@example.com", { id: "U4", name: "Eve" });
        await app.bill("C1", "eve@example.com", "I2", { product: "car", count: 1, price: 999 });
        await app.close("C1");
      },
      async after(app) {
        await becomes(() => app.everything("C1"), { accounts: 0, users: 0, invoices: 0 });
        await app.open("C3", "Cape Cars"); // the name is free again
      },
      users: { "C2:eve@example.com": ["C2:user"] },
      groups: ["C2:admin", "C2:user", "C3:admin", "C3:user"],
    },
  },
};

/** Runs a story on a stack of its own: the library's writes are those of the file, and this follows in Cognito. */
async function play(name, capture, { day, story, after = () => {}, users, groups }) {
  const { application } = await import(`./applications/${name}.mjs`);
  const server = await start([`${ROOT}events/${name}/model.toml`]);
  const settings = { endpoint: server.url, region: "eu-west-1", credentials: { accessKeyId: "x", secretAccessKey: "x" } };
  const client = new DynamoDBClient(settings);
  const cognito = new CognitoIdentityProviderClient(settings);
  const ask = (Command, input) => cognito.send(new Command({ UserPoolId: POOL, ...input }));
  try {
    // Nothing follows yet: these are the library's own writes.
    await server.do("pause");
    const writes = recorder(await reader(server, client, name), day);
    const app = application({ client, table: name, now: writes.now });
    await story(writes.noting(app));
    compare(name, capture, writes.steps);

    await server.do("resume");
    await after(app);
    await becomes(async () => (await ask(ListUsersCommand)).Users.map((user) => user.Username).sort(), Object.keys(users));
    await becomes(async () => (await ask(ListGroupsCommand)).Groups.map((group) => group.GroupName).sort(), groups);
    for (const [Username, expected] of Object.entries(users)) {
      await becomes(async () => (await ask(AdminListGroupsForUserCommand, { Username })).Groups.map((group) => group.GroupName).sort(), expected);
    }
    assert.doesNotMatch(server.output(), /parked/);
  } finally {
    for (const each of [client, cognito]) each.destroy();
    await server.stop();
  }
}

/** Records what each call of an application writes, as steps of `instep capture --writes`, a minute after one another. */
function recorder(records, day) {
  const steps = [], clocks = new Map();
  let calls = 0;
  const now = () => new Date(Date.parse(`${day}T09:00:00Z`) + calls * 60_000).toISOString().replace(".000Z", "Z");
  const call = async (method, args) => {
    await sleep(2); // so that each call has a time of its own
    const answer = await method(...args);
    const written = (await records()).map(({ dynamodb: { Keys, NewImage } }) => (NewImage ? { put: timed(plain({ M: NewImage })) } : { delete: plain({ M: Keys }) }));
    if (written.length > 0) steps.push({ at: now(), ...(written.length === 1 ? written[0] : { transact: written }) });
    calls += 1;
    return answer;
  };
  /** The times of the library's clock become those of the steps. */
  const timed = (item) => {
    for (const name of CLOCKS.filter((name) => name in item)) {
      if (!clocks.has(item[name])) clocks.set(item[name], now());
      item[name] = clocks.get(item[name]);
    }
    return item;
  };
  const noting = (app) => new Proxy(app, { get: (of, name) => (...args) => call(of[name], args) });
  return { steps, now, noting };
}

/** Reads the records of the table's stream since the last call. */
async function reader(server, client, table) {
  const ask = async (action, input) => {
    const headers = { "content-type": "application/x-amz-json-1.0", "x-amz-target": `DynamoDBStreams_20120810.${action}`, "x-amz-date": "20260601T000000Z", authorization: SIGNED };
    const answer = await fetch(server.url, { method: "POST", headers, body: JSON.stringify(input) });
    assert.equal(answer.status, 200, await answer.clone().text());
    return answer.json();
  };
  const { Table: { LatestStreamArn: StreamArn } } = await client.send(new DescribeTableCommand({ TableName: table }));
  const { StreamDescription: { Shards: [{ ShardId }] } } = await ask("DescribeStream", { StreamArn });
  let { ShardIterator } = await ask("GetShardIterator", { StreamArn, ShardId, ShardIteratorType: "TRIM_HORIZON" });
  return async () => {
    const { Records, NextShardIterator } = await ask("GetRecords", { ShardIterator });
    ShardIterator = NextShardIterator;
    // Its own items are no library's.
    return Records.filter(({ dynamodb: { Keys } }) => !Object.values(Keys).some(({ S }) => S?.startsWith("INSTEP#")));
  };
}

/** A value of DynamoDB as plain JSON, in the form of a file of writes, with sorted names. */
function plain(value) {
  const [[type, of]] = Object.entries(value);
  switch (type) {
    case "S": case "BOOL": return of;
    case "NULL": return null;
    case "N": return String(Number(of)) === of ? Number(of) : { $n: of };
    case "M": return Object.fromEntries(Object.keys(of).sort().map((name) => [name, plain(of[name])]));
    case "L": return of.map(plain);
    case "SS": return { $ss: [...of].sort() };
    default: throw new Error(`no library writes ${type} here`);
  }
}

/** The steps are those of the file, or become it. */
function compare(name, capture, steps) {
  const file = `${ROOT}tests/writes/${name}/${capture}.json`;
  if (process.env.UPDATE) {
    mkdirSync(`${ROOT}tests/writes/${name}`, { recursive: true });
    writeFileSync(file, `[\n${steps.map((step) => `  ${spaced(step)}`).join(",\n")}\n]\n`);
  }
  assert.deepEqual(steps, JSON.parse(readFileSync(file, "utf8")), `${name}/${capture}: the library writes something else than the capture shows`);
}

/** JSON in one line, with spaces. */
const spaced = (value) => JSON.stringify(value, null, 1).replace(/\n\s*/g, " ").replace(/([{[]) | ([}\]])/g, "$1$2");

const tests = {};
for (const [name, stories] of Object.entries(STORIES)) {
  for (const [capture, story] of Object.entries(stories)) tests[`${name}/${capture}`] = () => play(name, capture, story);
  // After an update, tests/writes/regenerate makes the captures.
  if (!process.env.UPDATE) tests[`${name}: each capture has its story`] = () => assert.deepEqual(readdirSync(`${ROOT}events/${name}`).filter((file) => file.endsWith(".json")).sort(), Object.keys(stories).map((capture) => `${capture}.json`));
}
await run(tests);
