// Makes elements. Every text of a model or a table becomes a text node: it is never markup.
//
// `el` and `fill` make elements once, for forms and details. `h` and `draw` say what a list shows now, and change only
// what differs: a button that somebody is just pressing stays the same button.

import { h as make, render } from "/preact.js";

export const $ = (id) => document.getElementById(id);

/** An element with properties and children: texts, elements, or nothing. */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (name === "dataset") Object.assign(element.dataset, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  put(element, ...children);
  return element;
}

/** Adds children to an element. */
export function put(element, ...children) {
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

/** Replaces what an element has, and keeps the focus on what has the same key. */
export function fill(element, ...children) {
  const focused = element.contains(document.activeElement) ? document.activeElement?.dataset?.key : undefined;
  element.replaceChildren();
  put(element, ...children);
  if (focused) element.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
}

/** An element as it should be, for `draw`. Its key tells it from its siblings. */
export function h(tag, { dataset = {}, ...properties } = {}, ...children) {
  const data = Object.fromEntries(Object.entries(dataset).map(([name, value]) => [`data-${name}`, value]));
  return make(tag, { key: dataset.key, ...properties, ...data }, children);
}

/** Makes an element show these children. */
export const draw = (place, ...children) => render(children, place);

/** A path without its folders. */
export const fileName = (path) => path?.split("/").at(-1);

/** A long text whose longest parts lose their middle: ids differ at their ends. */
export const short = (text) => (text.length <= 48 ? text : text.split(/([/|#:, ]+)/)
  .map((part) => (part.length > 18 ? `${part.slice(0, 9)}…${part.slice(-7)}` : part)).join(""));

/** A number with its word. */
export const counted = (count, word, many = `${word}s`) => `${count.toLocaleString("en")} ${count === 1 ? word : many}`;

/** A function that runs at most once in `wait` milliseconds, and once more after its last call. */
export function calm(run, wait) {
  let timer, again = false, running = false;
  const go = async () => {
    timer = undefined;
    running = true;
    try { await run(); } finally {
      running = false;
      if (again) { again = false; timer = setTimeout(go, wait); }
    }
  };
  return () => {
    if (running) again = true;
    else timer ??= setTimeout(go, wait);
  };
}

/** A time as people read it, in UTC as everything here. */
export const clock = (text) => (text ? text.replace("T", " ").replace(/(\.\d+)?Z$/, " UTC") : "");
