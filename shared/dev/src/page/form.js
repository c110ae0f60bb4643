// Forms that the model makes: to write a new item of a type, and to change one.

import { read, send } from "/api.js";
import { close, open, plain } from "/details.js";
import { el, fill } from "/dom.js";

let known = null;
let unique = 0;
const TYPES = ["S", "N", "BOOL", "SS", "JSON"];

/** Opens the form: empty, or with an item. */
export async function openForm(model, existing) {
  known = model ?? known ?? (await read("model"));
  if (existing) return change(existing);
  const types = known.types.map((of) => el("option", { value: of.name }, of.kinds === "plain" ? of.name : `${of.name} (${of.kinds})`));
  const choice = el("select", { id: "form-type", onchange: () => fields() }, types, el("option", { value: "" }, "As JSON"), known.signUp ? el("option", { value: "/sign-up" }, "Somebody signs up") : []);
  const place = el("div");
  const fields = () => {
    const of = known.types.find((of) => of.name === choice.value);
    fill(place, of ? form(of) : choice.value === "/sign-up" ? signUp(place) : whole());
  };
  open("Write an item", el("form", { class: "item", onsubmit: (event) => event.preventDefault() },
    el("div", { class: "field" }, el("label", { for: "form-type" }, "Item type"), choice)), place);
  fields();
}

function input(field, value) {
  const id = `field-${(unique += 1)}`;
  const box = field.values?.length
    ? el("select", { id }, el("option", { value: "" }, "–"), [...new Set([...field.values, ...(value ? [value] : [])])].map((of) => el("option", { value: of, selected: of === value }, of)))
    : el("input", { id, type: "text", autocomplete: "off", spellcheck: "false", placeholder: hint(field), value: value ?? "" });
  return { id, box };
}

const hint = (field) => (field.moment === "date" ? "2026-12-31" : field.moment === "time" ? "2026-12-31T00:00:00Z" : "");

/** A field with a choice of DynamoDB's type. */
function typed(field, value) {
  const of = value ? Object.keys(value)[0] : field.hasParts ? "JSON" : "S";
  const simple = ["S", "N", "BOOL", "SS"].includes(of);
  const { id, box } = input(field, value ? (simple ? plain(value) : JSON.stringify(value)) : "");
  // A closed set has texts.
  const isText = field.values?.length > 0 && of === "S";
  const type = el("select", { hidden: isText, "aria-label": `Type of ${field.name}` }, TYPES.map((one) => el("option", { value: one, selected: one === (simple ? of : "JSON") }, one)));
  return {
    name: field.attribute ?? field.name, was: value,
    row: el("div", { class: "field" }, el("label", { for: id }, field.name, field.secret ? " (secret: not shown)" : ""), el("div", { class: isText ? "" : "pair" }, type, box)),
    value: () => convert(field.name, type.value, box.value),
    text: () => box.value,
  };
}

function convert(name, type, text) {
  switch (type) {
    case "N":
      if (!Number.isFinite(Number(text)) || text.trim() === "") throw new Error(`${name}: “${text}” is not a number`);
      return { N: text.trim() };
    case "BOOL":
      if (!["true", "false"].includes(text.trim())) throw new Error(`${name}: write true or false`);
      return { BOOL: text.trim() === "true" };
    case "SS": return { SS: text.split(",").map((one) => one.trim()).filter(Boolean) };
    case "JSON":
      try { return JSON.parse(text); } catch { throw new Error(`${name}: write DynamoDB's JSON, such as {"L": [{"S": "a"}]}`); }
    default: return { S: text };
  }
}

/** Rows for attributes that the model does not name. */
function others() {
  const rows = [];
  const place = el("div", { class: "item" });
  const add = (name = "", value) => {
    const names = el("input", { type: "text", "aria-label": "Name of the attribute", placeholder: "name", value: name });
    const row = typed({ name: "value" }, value);
    rows.push({ names, row });
    place.append(el("div", { class: "field" }, names, row.row));
  };
  const button = el("button", { type: "button", onclick: () => { add(); rows.at(-1).names.focus(); } }, "Another attribute");
  return { rows, place: el("div", {}, place, button), add };
}

function submitting(title, work, ...children) {
  const error = el("p", { class: "error", role: "alert" });
  return el("form", { class: "item", onsubmit: async (event) => {
    event.preventDefault();
    fill(error);
    try { await work(); close(); } catch (failed) { fill(error, failed.message); }
  } }, ...children, error, el("p", { class: "actions" }, el("button", { type: "submit", class: "primary" }, title), el("button", { type: "button", onclick: close }, "Cancel")));
}

function form(of) {
  const names = of.names.map((field) => {
    const { id, box } = input(field);
    box.required = true;
    return { field, box, row: el("div", { class: "field" }, el("label", { for: id }, field.name, el("span", { class: "faint" }, " · in the key")), box) };
  });
  // What has a closed set decides most: roles and states come first.
  const attributes = of.attributes.toSorted((one, other) => Boolean(other.values.length) - Boolean(one.values.length)).map((field) => typed(field));
  const more = others();
  const work = () => {
    const given = {};
    for (const one of attributes) if (one.text() !== "") given[one.name] = one.value();
    for (const { names: name, row } of more.rows) if (name.value) given[name.value] = row.value();
    return send("write", { create: { type: of.name, names: Object.fromEntries(names.map(({ field, box }) => [field.name, box.value])), attributes: given } });
  };
  return submitting("Write", work, el("p", { class: "faint mono" }, of.keys.join("  or  ")), names.map((one) => one.row), attributes.map((one) => one.row), more.place);
}

function change({ type, key, item }) {
  const of = known.types.find((one) => one.name === type);
  const fields = new Map((of?.attributes ?? []).map((field) => [field.attribute, field]));
  const hidden = new Set([known.pk, known.sk]);
  for (const name of Object.keys(item)) if (!hidden.has(name) && !fields.has(name)) fields.set(name, { name, attribute: name });
  const rows = [...fields.values()].map((field) => typed(field, field.secret ? undefined : item[field.attribute]));
  const more = others();
  const work = () => {
    const set = {}, remove = [];
    for (const row of rows) {
      const had = row.was !== undefined;
      if (row.text() === "" && had && plain(row.was) !== "") remove.push(row.name);
      else if (row.text() !== "" && (!had || JSON.stringify(row.value()) !== JSON.stringify(row.was))) set[row.name] = row.value();
    }
    for (const { names, row } of more.rows) if (names.value) set[names.value] = row.value();
    return send("write", { change: { key, set, remove } });
  };
  open(`Change ${type ?? "an item"}`, submitting("Write the changes", work, el("p", { class: "faint mono" }, key.join(" | ")), rows.map((row) => row.row), more.place));
}

/** An account that its owner makes. Its form stays open: items name the account by what it says. */
function signUp(place) {
  const box = el("input", { id: "sign-up-name", type: "text", autocomplete: "off", spellcheck: "false", required: true });
  const error = el("p", { class: "error", role: "alert" });
  return el("form", { class: "item", onsubmit: async (event) => {
    event.preventDefault();
    fill(error);
    try {
      const { name, sub } = await send("sign-up", { name: box.value });
      fill(place, el("p", { role: "status" }, `${name} has signed up. The account's sub is `, el("code", {}, sub)));
    } catch (failed) { fill(error, failed.message); }
  } }, el("div", { class: "field" }, el("label", { for: "sign-up-name" }, "User name"), box), error,
  el("p", { class: "actions" }, el("button", { type: "submit", class: "primary" }, "Sign up"), el("button", { type: "button", onclick: close }, "Cancel")));
}

function whole() {
  const example = JSON.stringify({ [known.pk]: { S: "" }, [known.sk]: { S: "" } }, null, 2);
  const box = el("textarea", { id: "form-json", spellcheck: "false" });
  box.value = example;
  const work = () => {
    let item;
    try { item = JSON.parse(box.value); } catch (error) { throw new Error(`this is not JSON: ${error.message}`); }
    return send("write", { put: { item } });
  };
  return submitting("Write", work, el("div", { class: "field" }, el("label", { for: "form-json" }, "The item in DynamoDB's JSON"), box));
}
