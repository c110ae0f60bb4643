// One application, written with three libraries against `instep dev`: the same must follow from what each writes.
// The items that docs/guide/libraries.md shows are those of this run.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CognitoIdentityProviderClient, AdminListGroupsForUserCommand, ListGroupsCommand, ListUsersCommand } from "@aws-sdk/client-cognito-identity-provider";
import { DynamoDBClient, ScanCommand } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, ScanCommand as ScanDocumentsCommand } from "@aws-sdk/lib-dynamodb";
import { BINARY, becomes, run, start, until } from "./server.mjs";

const POOL = "us-east-1_instep000";
const TABLE = "clubs";
const PAGE = readFileSync(new URL("../../docs/guide/libraries.md", import.meta.url), "utf8");
const path = (name) => new URL(`libraries/${name}`, import.meta.url).pathname;

/** Starts `dev` with a library's model: the library's application, and questions to the services. */
async function stack(library) {
  const { application } = await import(path(`${library}.mjs`));
  const server = await start([path(`${library}.toml`), "--table", TABLE]);
  const settings = { endpoint: server.url, region: "eu-west-1", credentials: { accessKeyId: "x", secretAccessKey: "x" } };
  const client = new DynamoDBClient(settings);
  const documents = DynamoDBDocumentClient.from(client);
  const cognito = new CognitoIdentityProviderClient(settings);
  const ask = (Command, input) => cognito.send(new Command({ UserPoolId: POOL, ...input }));
  return {
    app: application({ client, documents, table: TABLE }),
    output: server.output,
    scan: async () => (await client.send(new ScanCommand({ TableName: TABLE }))).Items,
    items: async () => (await documents.send(new ScanDocumentsCommand({ TableName: TABLE }))).Items,
    users: async () => (await ask(ListUsersCommand)).Users.map((user) => user.Username).sort(),
    groups: async () => (await ask(ListGroupsCommand)).Groups.map((group) => group.GroupName).sort(),
    groupsOf: async (user) => (await ask(AdminListGroupsForUserCommand, { Username: user })).Groups.map((group) => group.GroupName).sort(),
    /** Stops the stream, or lets it run. */
    stream: (what) => server.do(what),
    async end() {
      for (const each of [documents, client, cognito]) each.destroy();
      await server.stop();
    },
  };
}

/** What every library's application does, and what follows. */
async function story(library, { ann = "ann", address = "ann@example.com", uniqueness, heir }) {
  const of = await stack(library);
  const { app } = of;
  try {
    // Nothing follows yet: these are the items as the library writes them.
    await of.stream("pause");
    // The memberships first: each is pending until its person and its team exist.
    const members = [["chess", ann, "player"], ["chess", "p1", "player"], ["go", ann, "player"], ["go", "p2", "player"], ["go", "p3", "captain"]];
    for (const [team, person, role] of members) await app.enter(team, person, role);
    await app.join(ann, address);
    for (const person of ["p1", "p2", "p3"]) await app.join(person, `${person}@example.com`);
    await app.found("chess", "Chess club");
    await app.found("go", "Go club");
    await app.play("chess", 7, "Bishops");
    await app.play("go", 12, "Stones");
    await app.play("go", 120, "Knights");
    compare(library, await of.items());
    drafted(library, await of.scan());

    await of.stream("resume");
    await becomes(() => of.groupsOf("ann"), ["chess:player", "go:player"]);
    await becomes(of.groups, ["chess:captain", "chess:player", "go:captain", "go:player"]);
    await app.change("chess", ann, "captain");
    await becomes(() => of.groupsOf("ann"), ["chess:captain", "go:player"]);

    await becomes(() => of.groupsOf("p2"), ["go:player"]);
    await app.quit("go", "p2");
    await becomes(() => of.groupsOf("p2"), []);

    // The library can read the item that reserves the address.
    await becomes(() => app.holder(address), "ann");
    await uniqueness(of, address);
    await becomes(of.users, ["ann", "bob", "p1", "p2", "p3"]);

    await becomes(() => app.everything("chess"), { teams: 1, members: 2, matches: 1 });
    await app.close("chess");
    await becomes(of.groups, ["go:captain", "go:player"]);
    await becomes(() => app.everything("chess"), { teams: 0, members: 0, matches: 0 });
    await app.leave(ann);
    await becomes(of.users, ["bob", "p1", "p2", "p3"]);
    await becomes(async () => await app.holder(address) ?? "nobody", heir);
    await becomes(() => app.everything("go"), { teams: 1, members: 1, matches: 2 });
    assert.doesNotMatch(of.output(), /parked/);
  } finally {
    await of.end();
  }
  return of;
}

/** The library refuses a value that is taken, and moves its own items of unique values. */
async function refusesDuplicates({ app }, address) {
  await assert.rejects(app.join("bob", address), /unique/i);
  await app.join("bob", "bob@example.com");
  await becomes(() => app.holder("bob@example.com"), "bob");
  await app.move("bob", "robert@example.com");
  await becomes(() => app.holder("robert@example.com"), "bob");
  await becomes(async () => await app.holder("bob@example.com") ?? "nobody", "nobody");
}

/** The library knows nothing of unique values: Instep publishes the conflict. */
async function publishesConflicts({ app, output }, address) {
  await app.join("bob", address);
  await until("the conflict is published", () => output().includes("Person Conflicted"));
  assert.equal(await app.holder(address), "ann");
}

/** The items that the page shows are among the library's: `…` is any value. */
function compare(library, items) {
  const section = PAGE.split(`(../../tests/dev/libraries/${library}.mjs)`)[1];
  const shown = section.split("```json")[1].split("```")[0].trim().split("\n").map((line) => JSON.parse(line));
  for (const item of shown) {
    const isShown = (other) => Object.keys(other).length === Object.keys(item).length && Object.entries(item).every(([name, value]) => (value === "…" ? name in other : other[name] === value));
    assert.ok(items.some(isShown), `${JSON.stringify(item)} is not in ${JSON.stringify(items, null, 1)}`);
  }
}

const plain = (text) => text.replaceAll("|lower", "");

/** `check` accepts what `init` drafts of the items. With the variable `DRAFTS`, both stay in that folder. */
function drafted(library, items) {
  const folder = process.env.DRAFTS ?? mkdtempSync(join(tmpdir(), "instep-drafts-"));
  const [scan, draft] = [`${library}.json`, `${library}.toml`].map((name) => join(folder, name));
  writeFileSync(scan, JSON.stringify({ Items: items }));
  rmSync(draft, { force: true });
  execFileSync(BINARY, ["init", scan, "--out", draft]);
  execFileSync(BINARY, ["check", draft]);
  const text = readFileSync(draft, "utf8");
  assert.match(text, /no record was parked/);
  // It has the keys of the model. Upper case in a value, which `lower` follows from, is not in every sample.
  const model = readFileSync(path(`${library}.toml`), "utf8");
  for (const type of ["Person", "Team", "Member", "Match"]) {
    const [, pk, sk] = new RegExp(`\\[items\\.${type}\\]\n(pk = .*)\n(sk = .*)\n`).exec(model);
    assert.ok(plain(text).includes(plain(`${pk}\n${sk}\n`)), `${type} is not in ${text}`);
  }
  assert.match(text, /parent = \["(Team", "Person|Person", "Team)"\]/);
  assert.match(text, /parent = "Team"/);
  if (!process.env.DRAFTS) rmSync(folder, { recursive: true });
}

await run({
  // It writes keys in lower case: `Ann` is `ann` in the key, and so in Cognito.
  "ElectroDB": () => story("electrodb", { ann: "Ann", address: "Ann@Example.com", uniqueness: publishesConflicts, heir: "bob" }),
  "OneTable": () => story("onetable", { uniqueness: refusesDuplicates, heir: "nobody" }),
  "DynamoDB-Toolbox": () => story("toolbox", { uniqueness: publishesConflicts, heir: "bob" }),
});
