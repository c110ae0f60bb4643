// Applications that know nothing of Instep: they write with the AWS SDK or a library, and groups follow.

import assert from "node:assert/strict";
import http from "node:http";
import { DynamoDBClient, DeleteTableCommand, DescribeTableCommand } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, PutCommand, QueryCommand, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { CognitoIdentityProviderClient, AdminListGroupsForUserCommand, InitiateAuthCommand, ListUsersInGroupCommand } from "@aws-sdk/client-cognito-identity-provider";
import { EventBridgeClient, PutEventsCommand, PutRuleCommand } from "@aws-sdk/client-eventbridge";
import { Entity } from "electrodb";
import { refused, run, start, until } from "./server.mjs";

const POOL = "us-east-1_instep000";
const TABLE = "access-management";
const settings = (endpoint) => ({ endpoint, region: "eu-west-1", credentials: { accessKeyId: "x", secretAccessKey: "x" } });

const server = await start(["access-management"], { AWS_ACCESS_KEY_ID: "AKIAIOSFODNN7EXAMPLE" });
const dynamodb = new DynamoDBClient(settings(server.url));
// `localhost` can be another address of this machine.
const documents = DynamoDBDocumentClient.from(new DynamoDBClient(settings(server.url.replace("127.0.0.1", "localhost"))));
const cognito = new CognitoIdentityProviderClient(settings(server.url));
const events = new EventBridgeClient(settings(server.url));

async function groups(user) {
  try {
    const answer = await cognito.send(new AdminListGroupsForUserCommand({ UserPoolId: POOL, Username: user }));
    return answer.Groups.map((group) => group.GroupName).sort();
  } catch (error) {
    if (error.name === "UserNotFoundException") return [];
    throw error;
  }
}

const follows = (user, expected) => until(`${user} is in ${expected}`, async () => JSON.stringify(await groups(user)) === JSON.stringify(expected));

/** A request as a program makes it that is no SDK. */
function raw(headers, body = "{}", path = "/") {
  const { port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const request = http.request({ host: "127.0.0.1", port, path, method: "POST", headers }, (response) => {
      let text = "";
      response.on("data", (data) => { text += data; });
      response.on("end", () => resolve({ status: response.statusCode, text, headers: response.headers }));
    });
    request.on("error", reject);
    request.end(body);
  });
}

try {
  await run({
    async "events go to a server, and one goes again"() {
      const got = [];
      const takes = http.createServer((request, response) => {
        let text = "";
        request.on("data", (data) => { text += data; });
        request.on("end", () => { got.push(JSON.parse(text)); response.writeHead(200).end(); });
      });
      await new Promise((resolve) => takes.listen(0, "127.0.0.1", resolve));
      const forwards = await start(["access-management", "--forward", `http://127.0.0.1:${takes.address().port}/events`]);
      const own = DynamoDBDocumentClient.from(new DynamoDBClient(settings(forwards.url)));
      await own.send(new PutCommand({ TableName: TABLE, Item: { pk: "G:/chile", sk: "G:/chile", siKey1: "G", id: "/chile", state: "enabled" } }));
      await until("the server has the event", async () => got.length === 1);
      assert.equal(got[0]["detail-type"], "Group Created");
      assert.deepEqual([got[0].version, got[0].region, got[0].detail.metadata.entityId], ["0", "us-east-1", "/chile"]);
      await forwards.do({ forwardAgain: got[0].detail.metadata.id });
      await until("the server has it twice", async () => got.length === 2);
      assert.deepEqual(got[1], got[0]);
      await forwards.stop();
      takes.close();
    },

    async "the AWS SDK for JavaScript: a transaction grants, a deletion revokes"() {
      await documents.send(new TransactWriteCommand({ TransactItems: [
        { Put: { TableName: TABLE, Item: { pk: "U:ann@example.com", sk: "U:ann@example.com", email: "ann@example.com", state: "enabled" } } },
        { Put: { TableName: TABLE, Item: { pk: "G:/norway", sk: "G:/norway", name: "Norway" } } },
        { Put: { TableName: TABLE, Item: { pk: "U:ann@example.com", sk: "G:/norway", role: "reader" } } },
      ] }));
      await follows("ann@example.com", ["/norway|||reader"]);
      await documents.send(new PutCommand({ TableName: TABLE, Item: { pk: "U:ann@example.com", sk: "G:/norway", role: "admin" } }));
      await follows("ann@example.com", ["/norway|||admin"]);
      const answer = await documents.send(new QueryCommand({ TableName: TABLE, KeyConditionExpression: "pk = :pk", ExpressionAttributeValues: { ":pk": "U:ann@example.com" } }));
      assert.equal(answer.Count, 2);
    },
    async "ElectroDB with templates of its own: it writes the keys of a shipped model"() {
      const key = (field, template, composite) => ({ field, template, composite, casing: "none" });
      const entity = (name, attributes, pk, sk) => new Entity({ model: { entity: name, version: "1", service: "people" },
        attributes: Object.fromEntries(attributes.map((attribute) => [attribute, { type: "string" }])), indexes: { primary: { pk, sk } } }, { client: dynamodb, table: TABLE });
      const user = entity("user", ["email", "state"], key("pk", "U:${email}", ["email"]), key("sk", "U:${email}", ["email"]));
      const group = entity("group", ["groupId"], key("pk", "G:${groupId}", ["groupId"]), key("sk", "G:${groupId}", ["groupId"]));
      const membership = entity("membership", ["email", "groupId", "role"], key("pk", "U:${email}", ["email"]), key("sk", "G:${groupId}", ["groupId"]));
      // The grant first: it is pending until its user and its group exist.
      await membership.put({ email: "eva@example.com", groupId: "/finland", role: "reader" }).go();
      await user.put({ email: "eva@example.com", state: "enabled" }).go();
      await group.put({ groupId: "/finland" }).go();
      await follows("eva@example.com", ["/finland|||reader"]);
      await group.delete({ groupId: "/finland" }).go();
      await until("the group is gone", async () => {
        try {
          await cognito.send(new ListUsersInGroupCommand({ UserPoolId: POOL, GroupName: "/finland|||reader" }));
          return false;
        } catch (error) { return error.name === "ResourceNotFoundException"; }
      });
    },
    async "what the stack does not have is refused with a reason"() {
      await assert.rejects(cognito.send(new InitiateAuthCommand({ AuthFlow: "USER_PASSWORD_AUTH", ClientId: "c" })), /no operation `InitiateAuth` of cognito: it has AdminAddUserToGroup/);
      await assert.rejects(events.send(new PutRuleCommand({ Name: "r" })), /no operation `PutRule` of eventbridge: it has DescribeEventBus, PutEvents/);
      const put = await events.send(new PutEventsCommand({ Entries: [{ Source: "app", DetailType: "Thing", Detail: "{}" }] }));
      assert.equal(put.FailedEntryCount, 0);
      await assert.rejects(dynamodb.send(new DeleteTableCommand({ TableName: TABLE })), /keeps the table `access-management`/);
      await assert.rejects(documents.send(new PutCommand({ TableName: "mine", Item: { pk: "a", sk: "b" } })), /ResourceNotFound/);
      await until("a remark says which table it is", () => server.output().includes("the one that Instep follows is `access-management`"));
      const described = await dynamodb.send(new DescribeTableCommand({ TableName: TABLE }));
      assert.equal(described.Table.StreamSpecification.StreamViewType, "NEW_AND_OLD_IMAGES");
    },
    async "no web page of another site can write, and no name of another site leads here"() {
      const target = { "x-amz-target": "DynamoDB_20120810.ListTables", "content-type": "application/x-amz-json-1.0", authorization: "AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date;x-amz-target, Signature=x", "x-amz-date": "20260101T000000Z" };
      const host = new URL(server.url).host;
      assert.equal((await raw({ ...target, host })).status, 200);
      for (const bad of [{ host: "evil.example" }, { host, origin: "https://evil.example" }, { host, origin: "null" }, { host, "sec-fetch-site": "cross-site" }, { host, "sec-fetch-site": "same-site" }]) {
        const refused = await raw({ ...target, ...bad });
        assert.equal(refused.status, 403, JSON.stringify(bad));
        assert.equal(refused.headers["access-control-allow-origin"], undefined);
        assert.equal((await raw({ "content-type": "application/json", ...bad }, '"pause"', "/api/do")).status, 403);
      }
      assert.equal((await raw({ "content-type": "text/plain", host }, '"pause"', "/api/do")).status, 415, "no form of a page makes such a request");
    },
    async "it prints each change, and says that nothing is sent to AWS"() {
      assert.match(server.output(), /AWS_ACCESS_KEY_ID is set here: nothing is sent to AWS/);
      assert.match(server.output(), /Membership ann@example\.com\/%2Fnorway created/);
      assert.match(server.output(), /cognito AdminAddUserToGroup ann@example\.com in \/norway\|\|\|reader/);
    },
  });
} finally {
  for (const client of [dynamodb, documents, cognito, events]) client.destroy();
}
const shaky = await start(["access-management", "--faults", "0.25"]);
const writer = DynamoDBDocumentClient.from(new DynamoDBClient(settings(shaky.url)));
await run({
  async "with failing services, everything follows all the same"() {
    const people = Array.from({ length: 8 }, (_, n) => `p${n}@example.com`);
    await writer.send(new PutCommand({ TableName: TABLE, Item: { pk: "G:/iceland", sk: "G:/iceland" } }));
    for (const email of people) {
      await writer.send(new PutCommand({ TableName: TABLE, Item: { pk: `U:${email}`, sk: "G:/iceland", role: "reader" } }));
      await writer.send(new PutCommand({ TableName: TABLE, Item: { pk: `U:${email}`, sk: `U:${email}` } }));
    }
    const pool = new CognitoIdentityProviderClient(settings(shaky.url));
    await until("all are members", async () => {
      const answer = await pool.send(new ListUsersInGroupCommand({ UserPoolId: POOL, GroupName: "/iceland|||reader" })).catch(() => ({ Users: [] }));
      return answer.Users.length === people.length;
    }, 60);
    pool.destroy();
  },
});
writer.destroy();
await shaky.stop();
await refused(["access-management", "--load", "events/relational-store"], /no record of .* can be replayed: .*pk/);
await refused(["acces-management"], /did you mean `access-management`/);
await refused(["access-management", "--faults", "2"], /`2` is not a number from 0 to 1/);
await refused(["access-management", "--port", new URL(server.url).port], /port \d+ is in use/);
console.log("ok  mistakes get an error that says what to do");
console.log(`ok  Ctrl-C ends it (${await server.stop()} ms)`);
