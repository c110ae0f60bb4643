// Clubs with ElectroDB: four entities, two collections, and a round that is padded in its key.

import { Entity, Service } from "electrodb";

export function application({ client, table }) {
  const model = (entity) => ({ service: "clubs", entity, version: "1" });
  const person = new Entity({
    model: model("person"),
    attributes: { personId: { type: "string", required: true }, email: { type: "string", required: true } },
    indexes: { profile: { pk: { field: "pk", composite: ["personId"] }, sk: { field: "sk", composite: [] } } },
  });
  const team = new Entity({
    model: model("team"),
    attributes: { teamId: { type: "string", required: true }, title: { type: "string" } },
    indexes: { about: { collection: "club", pk: { field: "pk", composite: ["teamId"] }, sk: { field: "sk", composite: [] } } },
  });
  const member = new Entity({
    model: model("member"),
    attributes: { teamId: { type: "string", required: true }, personId: { type: "string", required: true }, role: { type: ["captain", "player"], required: true } },
    indexes: {
      roster: { collection: "club", pk: { field: "pk", composite: ["teamId"] }, sk: { field: "sk", composite: ["personId"] } },
      teams: { index: "gsi1", pk: { field: "gsi1pk", composite: ["personId"] }, sk: { field: "gsi1sk", composite: ["teamId"] } },
    },
  });
  const match = new Entity({
    model: model("match"),
    attributes: { teamId: { type: "string", required: true }, round: { type: "number", required: true, padding: { length: 4, char: "0" } }, against: { type: "string" } },
    indexes: { season: { collection: "club", pk: { field: "pk", composite: ["teamId"] }, sk: { field: "sk", composite: ["round"] } } },
  });
  // Instep writes these items: ElectroDB has no unique values of its own.
  const email = new Entity({
    model: model("email"),
    attributes: { email: { type: "string", required: true }, personId: { type: "string" } },
    indexes: { taken: { pk: { field: "pk", composite: ["email"] }, sk: { field: "sk", composite: [] } } },
  });
  const clubs = new Service({ person, team, member, match, email }, { client, table });
  const { entities, collections } = clubs;
  return {
    join: (personId, address) => entities.person.create({ personId, email: address }).go(),
    leave: (personId) => entities.person.delete({ personId }).go(),
    found: (teamId, title) => entities.team.create({ teamId, title }).go(),
    close: (teamId) => entities.team.delete({ teamId }).go(),
    enter: (teamId, personId, role) => entities.member.create({ teamId, personId, role }).go(),
    quit: (teamId, personId) => entities.member.delete({ teamId, personId }).go(),
    change: (teamId, personId, role) => entities.member.patch({ teamId, personId }).set({ role }).go(),
    play: (teamId, round, against) => entities.match.create({ teamId, round, against }).go(),
    /** What the application sees of a team, in one query. */
    async everything(teamId) {
      const { data } = await collections.club({ teamId }).go();
      return { teams: data.team.length, members: data.member.length, matches: data.match.length };
    },
    holder: async (address) => (await entities.email.get({ email: address }).go()).data?.personId,
  };
}
