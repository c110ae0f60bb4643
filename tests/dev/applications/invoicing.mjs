// The models of OneTable's sample "overview" (github.com/sensedeep/dynamodb-onetable, samples/overview). Ids are given, and the email
// address is not encrypted: OneTable encrypts it with a random start, so that no key with it could be found again.

import { Table } from "dynamodb-onetable";

const text = { type: String };
const key = (value) => ({ type: String, value });
const SCHEMA = {
  version: "0.0.1",
  format: "onetable:1.1.0",
  indexes: { primary: { hash: "pk", sort: "sk" }, gs1: { hash: "gs1pk", sort: "gs1sk", project: "all" } },
  models: {
    Account: {
      pk: key("account#${id}"), sk: key("account#"),
      gs1pk: key("account#"), gs1sk: key("account#${name}${id}"),
      id: { ...text, required: true }, name: { ...text, required: true, unique: true }, balance: { type: Number, default: 0 },
    },
    User: {
      pk: key("account#${accountId}"), sk: key("user#${email}"),
      gs1pk: key("user#"), gs1sk: key("user#${name}#${id}"),
      id: { ...text, required: true }, accountId: { ...text, required: true }, name: { ...text, required: true }, email: { ...text, required: true },
      role: { ...text, default: "user", enum: ["admin", "user"] }, status: { ...text, required: true, default: "active", enum: ["active", "inactive"] },
      address: { type: Object, default: {}, schema: { street: text, city: text, zip: text } }, balance: { type: Number, default: 0 },
    },
    Product: {
      pk: key("product#${id}"), sk: key("product#"),
      gs1pk: key("product#"), gs1sk: key("product#${name}#${id}"),
      id: { ...text, required: true }, name: { ...text, required: true }, price: { type: Number, required: true },
    },
    Invoice: {
      pk: key("account#${accountId}"), sk: key("invoice#${id}"),
      gs1pk: key("invoice#"), gs1sk: key("invoice#${date}#${id}"),
      id: { ...text, required: true }, accountId: { ...text, required: true }, date: { type: Date }, product: text, count: { type: Number }, total: { type: Number },
    },
  },
  params: { timestamps: true, isoDates: true },
};

export function application({ client, table, now }) {
  const onetable = new Table({ name: table, client, schema: SCHEMA, partial: true });
  const [account, user, product, invoice] = ["Account", "User", "Product", "Invoice"].map((name) => onetable.getModel(name));
  return {
    open: (id, name) => account.create({ id, name }),
    rename: (id, name) => account.update({ id, name }),
    close: (id) => account.remove({ id }),
    join: (accountId, email, more) => user.create({ accountId, email, ...more }),
    change: (accountId, email, what) => user.update({ accountId, email, ...what }),
    leave: (accountId, email) => user.remove({ accountId, email }),
    offer: (id, name, price) => product.create({ id, name, price }),
    /** An invoice, and the sum of the account and of its user, in one transaction. */
    async bill(accountId, email, id, { product: what, count, price }) {
      const transaction = {}, total = count * price;
      await invoice.create({ accountId, id, date: new Date(now()), product: what, count, total }, { transaction });
      await user.update({ accountId, email }, { add: { balance: total }, transaction });
      await account.update({ id: accountId }, { add: { balance: total }, transaction });
      await onetable.transact("write", transaction);
    },
    /** What the application sees of an account, in one query. */
    async everything(id) {
      const found = await onetable.queryItems({ pk: `account#${id}` }, { parse: true, hidden: true });
      const count = (type) => found.filter((item) => item._type === type).length;
      return { accounts: count("Account"), users: count("User"), invoices: count("Invoice") };
    },
  };
}
