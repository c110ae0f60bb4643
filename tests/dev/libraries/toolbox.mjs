// Clubs with DynamoDB-Toolbox: entities with computed keys, with prefixed keys and with renamed attributes.

import { DeleteItemCommand, Entity, GetItemCommand, PutItemCommand, QueryCommand, Table, UpdateItemCommand, item, number, prefix, string } from "dynamodb-toolbox";

export function application({ documents, table: name }) {
  const table = new Table({
    documentClient: documents,
    name,
    partitionKey: { name: "PK", type: "string" },
    sortKey: { name: "SK", type: "string" },
    indexes: { GSI1: { type: "global", partitionKey: { name: "GSI1PK", type: "string" }, sortKey: { name: "GSI1SK", type: "string" } } },
  });
  const person = new Entity({
    name: "PERSON",
    table,
    schema: item({ personId: string().key(), email: string().savedAs("em") }),
    computeKey: ({ personId }) => ({ PK: `PERSON#${personId}`, SK: "PERSON" }),
  });
  const team = new Entity({
    name: "TEAM",
    table,
    schema: item({ teamId: string().key(), title: string().optional() }),
    computeKey: ({ teamId }) => ({ PK: `TEAM#${teamId}`, SK: "TEAM" }),
  });
  // Its ids are in its keys only: PK is the team, and SK the person.
  const member = new Entity({
    name: "MEMBER",
    table,
    schema: item({
      teamId: string().key().savedAs("PK").transform(prefix("TEAM")),
      personId: string().key().savedAs("SK").transform(prefix("MEMBER")),
      role: string().enum("captain", "player").savedAs("r"),
    }).and((schema) => ({
      personKey: string().optional().savedAs("GSI1PK").link(({ personId }) => `PERSON#${personId}`),
      teamKey: string().optional().savedAs("GSI1SK").link(({ teamId }) => `TEAM#${teamId}`),
    })),
  });
  const match = new Entity({
    name: "MATCH",
    table,
    schema: item({ teamId: string().key(), round: number().key(), against: string().optional() }),
    computeKey: ({ teamId, round }) => ({ PK: `TEAM#${teamId}`, SK: `MATCH#${String(round).padStart(4, "0")}` }),
  });
  // Instep writes these items: the library has no unique values of its own.
  const email = new Entity({
    name: "EMAIL",
    table,
    schema: item({ email: string().key().savedAs("em"), personId: string().optional() }),
    computeKey: (key) => ({ PK: `EMAIL#${key.email}`, SK: "EMAIL" }),
  });
  const put = (entity, values) => entity.build(PutItemCommand).item(values).options({ condition: { attr: Object.keys(values)[0], exists: false } }).send();
  const remove = (entity, key) => entity.build(DeleteItemCommand).key(key).send();
  return {
    join: (personId, address) => put(person, { personId, email: address }),
    leave: (personId) => remove(person, { personId }),
    found: (teamId, title) => put(team, { teamId, title }),
    close: (teamId) => remove(team, { teamId }),
    enter: (teamId, personId, role) => put(member, { teamId, personId, role }),
    quit: (teamId, personId) => remove(member, { teamId, personId }),
    change: (teamId, personId, role) => member.build(UpdateItemCommand).item({ teamId, personId, role }).send(),
    play: (teamId, round, against) => put(match, { teamId, round, against }),
    /** What the application sees of a team, in one query. */
    async everything(teamId) {
      const { Items = [] } = await table.build(QueryCommand).entities(team, member, match).query({ partition: `TEAM#${teamId}` }).options({ showEntityAttr: true }).send();
      const count = (type) => Items.filter((found) => found.entity === type).length;
      return { teams: count("TEAM"), members: count("MEMBER"), matches: count("MATCH") };
    },
    holder: async (address) => (await email.build(GetItemCommand).key({ email: address }).send()).Item?.personId,
  };
}
