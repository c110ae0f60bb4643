// The entities of ElectroDB's example "versionControl" (github.com/tywalch/electrodb, examples/versionControl), with its users from
// an earlier version. They have the keys and indexes from which something follows; ids and times are given.

import { Entity, Service } from "electrodb";

const STATUS = ["Open", "Closed"]; // The attribute has the position.
const NO_TICKET = "#";
const text = { type: "string", required: true };

export function application({ client, table, now }) {
  const model = (entity) => ({ service: "version-control", entity, version: "1" });
  const times = {
    createdAt: { type: "string", readOnly: true, required: true, default: now },
    updatedAt: { type: "string", watch: "*", set: now },
  };
  const index = (number) => ({ index: `gsi${number}pk-gsi${number}sk-index` });
  const key = (field, ...composite) => ({ field, composite });

  const user = new Entity({
    model: model("user"),
    attributes: { username: text, fullName: { type: "string" }, ...times },
    indexes: { user: { collection: "overview", pk: key("pk", "username"), sk: key("sk") } },
  });
  const repository = new Entity({
    model: model("Repository"),
    attributes: { repoOwner: text, repoName: text, about: { type: "string" }, isPrivate: { type: "boolean" }, topics: { type: "set", items: "string" }, ...times },
    indexes: { repositories: { collection: "alerts", pk: key("pk", "repoOwner"), sk: key("sk", "repoName") } },
  });
  const subscription = new Entity({
    model: model("subscription"),
    attributes: { repoOwner: text, repoName: text, username: text, ticketType: { type: "string", default: NO_TICKET }, ticketNumber: { type: "string", default: NO_TICKET }, ...times },
    indexes: {
      repository: { pk: key("pk", "repoOwner", "repoName"), sk: key("sk", "username", "ticketType", "ticketNumber") },
      user: { ...index(3), collection: "watching", pk: key("gsi3pk", "username"), sk: key("gsi3sk", "ticketType", "ticketNumber") },
      tickets: { ...index(4), collection: "subscribers", pk: key("gsi4pk", "repoOwner", "repoName", "ticketNumber"), sk: key("gsi4sk", "ticketType", "username") },
    },
  });
  const ticket = (entity, number, collection) => new Entity({
    model: model(entity),
    attributes: {
      repoOwner: text, repoName: text, [number]: text, username: text, subject: { type: "string" },
      status: { type: "string", default: "0", set: (status) => `${Math.max(STATUS.indexOf(status), 0)}`, get: (code) => STATUS[code] },
      ...times,
    },
    indexes: {
      ticket: { collection, pk: key("pk", "repoOwner", "repoName", number), sk: key("sk") },
      created: { ...index(1), collection: ["owned", "managed"], pk: key("gsi1pk", "username"), sk: key("gsi1sk", "status", "createdAt") },
      activity: { ...index(2), collection: "activity", pk: key("gsi2pk", "repoOwner", "repoName"), sk: key("gsi2sk", "status", "createdAt") },
    },
  });
  const comment = (entity, number, collection) => new Entity({
    model: model(entity),
    attributes: { repoOwner: text, repoName: text, [number]: text, commentId: text, username: text, body: { type: "string" }, ...times },
    indexes: {
      comments: { collection, pk: key("pk", "repoOwner", "repoName", number), sk: key("sk", "commentId") },
      created: { ...index(1), collection: "conversations", pk: key("gsi1pk", "username"), sk: key("gsi1sk", "repoOwner", "repoName") },
    },
  });
  const issue = ticket("issue", "issueNumber", "issueReview");
  const issueComment = comment("issue-comment", "issueNumber", "issueReview");
  const pullRequest = ticket("pull-request", "pullRequestNumber", "PRReview");
  const pullRequestComment = comment("pull-request-comment", "pullRequestNumber", "PRReview");

  const service = new Service({ user, repository, subscription, issue, issueComment, pullRequest, pullRequestComment }, { client, table });
  const { entities, collections } = service;
  const of = (name) => { const [repoOwner, repoName] = name.split("/"); return { repoOwner, repoName }; };
  return {
    signUp: (username, fullName) => entities.user.create({ username, fullName }).go(),
    rename: (username, fullName) => entities.user.patch({ username }).set({ fullName }).go(),
    leave: (username) => entities.user.delete({ username }).go(),
    start: (name, more) => entities.repository.create({ ...of(name), ...more }).go(),
    describe: (name, about) => entities.repository.patch(of(name)).set({ about }).go(),
    remove: (name) => entities.repository.delete(of(name)).go(),
    watch: (name, username) => entities.subscription.create({ ...of(name), username }).go(),
    unwatch: (name, username) => entities.subscription.delete({ ...of(name), username, ticketType: NO_TICKET, ticketNumber: NO_TICKET }).go(),
    follow: (name, username, ticketType, ticketNumber) => entities.subscription.create({ ...of(name), username, ticketType, ticketNumber }).go(),
    report: (name, issueNumber, username, subject) => entities.issue.create({ ...of(name), issueNumber, username, subject }).go(),
    async close(name, issueNumber) {
      const key = { ...of(name), issueNumber };
      const { data: { username, createdAt } } = await entities.issue.get(key).go();
      await entities.issue.patch(key).set({ status: "Closed" }).composite({ username, createdAt }).go();
    },
    withdraw: (name, issueNumber) => entities.issue.delete({ ...of(name), issueNumber }).go(),
    answer: (name, issueNumber, commentId, username, body) => entities.issueComment.create({ ...of(name), issueNumber, commentId, username, body }).go(),
    propose: (name, pullRequestNumber, username, subject) => entities.pullRequest.create({ ...of(name), pullRequestNumber, username, subject }).go(),
    review: (name, pullRequestNumber, commentId, username, body) => entities.pullRequestComment.create({ ...of(name), pullRequestNumber, commentId, username, body }).go(),
    /** The tickets that a user watches: `#` for a whole repository. */
    watched: async (username) => (await entities.subscription.query.user({ username }).go()).data.map((each) => each.ticketNumber),
    /** What the application sees of an issue, in one query. */
    async issue(name, issueNumber) {
      const { data } = await collections.issueReview({ ...of(name), issueNumber }).go();
      return { issues: data.issue.length, comments: data.issueComment.length };
    },
  };
}
