// Clubs with OneTable: a schema of four models, whose keys are value templates, and a unique email address.

import { Table } from "dynamodb-onetable";

const SCHEMA = {
  version: "1.0.0",
  format: "onetable:1.1.0",
  indexes: { primary: { hash: "pk", sort: "sk" }, gs1: { hash: "gs1pk", sort: "gs1sk", project: "all" } },
  models: {
    Person: {
      pk: { type: String, value: "person#${personId}" },
      sk: { type: String, value: "person#" },
      personId: { type: String, required: true },
      email: { type: String, required: true, unique: true },
    },
    Team: {
      pk: { type: String, value: "team#${teamId}" },
      sk: { type: String, value: "team#" },
      teamId: { type: String, required: true },
      title: { type: String },
    },
    Member: {
      pk: { type: String, value: "team#${teamId}" },
      sk: { type: String, value: "member#${personId}" },
      gs1pk: { type: String, value: "person#${personId}" },
      gs1sk: { type: String, value: "member#${teamId}" },
      teamId: { type: String, required: true },
      personId: { type: String, required: true },
      role: { type: String, required: true, enum: ["captain", "player"] },
    },
    Match: {
      pk: { type: String, value: "team#${teamId}" },
      sk: { type: String, value: "match#${round:4:0}" },
      teamId: { type: String, required: true },
      round: { type: Number, required: true },
      against: { type: String },
    },
  },
  params: { timestamps: true, isoDates: true },
};

export function application({ client, table }) {
  const onetable = new Table({ name: table, client, schema: SCHEMA, partial: true });
  const [person, team, member, match] = ["Person", "Team", "Member", "Match"].map((name) => onetable.getModel(name));
  return {
    join: (personId, email) => person.create({ personId, email }),
    move: (personId, email) => person.update({ personId, email }),
    leave: (personId) => person.remove({ personId }),
    found: (teamId, title) => team.create({ teamId, title }),
    close: (teamId) => team.remove({ teamId }),
    enter: (teamId, personId, role) => member.create({ teamId, personId, role }),
    quit: (teamId, personId) => member.remove({ teamId, personId }),
    change: (teamId, personId, role) => member.update({ teamId, personId, role }),
    play: (teamId, round, against) => match.create({ teamId, round, against }),
    /** What the application sees of a team, in one query. */
    async everything(teamId) {
      const found = await onetable.queryItems({ pk: `team#${teamId}` }, { parse: true, hidden: true });
      const count = (type) => found.filter((item) => item._type === type).length;
      return { teams: count("Team"), members: count("Member"), matches: count("Match") };
    },
    holder: async (email) => (await onetable.getItem({ pk: `_unique#Person#email#${email}`, sk: "_unique#" }, { parse: false, hidden: true }))?.personId?.S,
  };
}
