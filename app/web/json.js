// Messages in their JSON form: formatted for people, and the value at a field path.
import { fromBase64, textOf, utf8Of } from "./bytes.js";
import { visible } from "./visible.js";

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const isPairs = (value) => Array.isArray(value) && value.length > 0 && value.every((one) => Array.isArray(one) && one.length === 2);
const isTyped = (value) => isObject(value) && typeof value.type === "string" && ("value" in value || "base64" in value);
const keyOf = (key) => (isTyped(key) ? key.value : key);
const step = (path, key) => `${path}[${typeof key === "number" ? key : JSON.stringify(String(key))}]`;

/** Return a path with the number of an equal key, from the second on: `headers["a"]#2`. */
export const numbered = (path, number) => (number > 1 ? `${path}#${number}` : path);

/** Return what numbers the paths of one map, whose equal keys are given in order. */
export function numbering() {
  const seen = new Map();
  return (path) => { seen.set(path, (seen.get(path) ?? 0) + 1); return numbered(path, seen.get(path)); };
}

const inline = (value) => {
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (!isObject(value)) return visible(JSON.stringify(value));
  return `{${Object.entries(value).map(([name, one]) => `${visible(JSON.stringify(name))}: ${inline(one)}`).join(", ")}}`;
};

/** Return whether a value takes several lines: a message, a section of several fields, a map, or a long value. */
const splits = (value, depth, long) =>
  value !== null && typeof value === "object" && (long || depth === 0 || (isPairs(value) && depth < 3) || (isObject(value) && !isTyped(value) && Object.keys(value).length > 1));

/** Return JSON as lines `{text, path, whole}`; `path` is a field path as in reports, `whole` is true if the line has all of its value. */
export function lines(value, width = 64) {
  const made = [];
  const write = (value, path, before, after, depth) => {
    const room = "  ".repeat(depth), whole = inline(value);
    if (!splits(value, depth, room.length + before.length + whole.length > width)) return void made.push({ text: room + before + whole + after, path, whole: true });
    const [open, close] = Array.isArray(value) ? "[]" : "{}";
    made.push({ text: room + before + open, path });
    const entries = Array.isArray(value) ? value.map((one, at) => [at, one]) : Object.entries(value), number = numbering(), pairs = isPairs(value);
    entries.forEach(([name, one], at) => {
      const inner = pairs ? number(step(path, keyOf(one[0]))) : Array.isArray(value) ? step(path, name) : path ? `${path}.${name}` : name;
      write(one, inner, Array.isArray(value) ? "" : `${visible(JSON.stringify(name))}: `, at < entries.length - 1 ? "," : "", depth + 1);
    });
    made.push({ text: room + close + after, path });
  };
  write(value, "", "", "", 0);
  return made;
}

export const pretty = (value, width) => lines(value, width).map((line) => line.text).join("\n");

const steps = (path) => path.match(/\["(?:[^"\\]|\\.)*"\](?:#\d+)?|\[[^\]]*\](?:#\d+)?|[^.[]+/g) ?? [];
const keyIn = (text) => { try { return JSON.parse(text); } catch { return text; } };
const byKey = new WeakMap();

/** Return the pairs of a map by key as text, or null for another value. Maps of ten thousand keys are asked for each of them. */
function keyed(value) {
  if (!Array.isArray(value)) return null;
  if (!byKey.has(value)) byKey.set(value, isPairs(value) ? Map.groupBy(value, ([name]) => String(keyOf(name))) : null);
  return byKey.get(value);
}

/** Return how many entries have the key at the end of a path; 1 for the path of no entry. */
export function copies(message, path) {
  const last = steps(path).at(-1) ?? "", map = last.startsWith("[") ? at(message, path.slice(0, -last.length)).value : null;
  const pairs = keyed(isTyped(map) ? map.value : map);
  return pairs ? pairs.get(String(keyIn(last.slice(1, -1))))?.length ?? 0 : 1;
}

/** Return `{value, schema}` at a field path of a message, which may number equal keys; `value` is undefined for an unset field. */
export function at(message, path, schema) {
  let here = { value: message, schema: resolve(schema, schema) };
  for (const part of steps(path)) {
    if (here.value === undefined || here.value === null) return { value: undefined };
    const value = isTyped(here.value) ? here.value.value : here.value;
    if (!part.startsWith("[")) {
      here = { value: value?.[part], schema: resolve(here.schema?.properties?.[part], schema) };
      continue;
    }
    const [, inner, number = 1] = /^\[(.*)\](?:#(\d+))?$/s.exec(part) ?? [, part.slice(1)], key = keyIn(inner);
    if (keyed(value)) {
      const pair = keyed(value).get(String(key))?.[number - 1];
      const items = resolve(here.schema?.items, schema);
      here = { value: pair?.[1], schema: resolve(items?.prefixItems?.[1], schema) };
    } else here = { value: value?.[key], schema: resolve(here.schema?.items, schema) };
  }
  return here;
}

const resolve = (part, schema) => (part?.$ref ? schema?.$defs?.[part.$ref.split("/").at(-1)] : part);

/** Return a value as short text: bytes as text if possible, the inner value of typed values, and a known type beside it. */
export function shown({ value, schema }, root, most = 120) {
  const cut = (text) => visible(text.length > most ? `${text.slice(0, most - 1)}…` : text);
  if (value === undefined) return { text: "", type: "" };
  if (isTyped(value)) {
    const inner = shown({ value: value.value ?? value.base64, schema: "base64" in value ? BYTES : resolve({ $ref: value.type }, root) }, root, most);
    return { text: inner.text, type: value.type };
  }
  if (typeof value === "string" && schema?.contentEncoding === "base64") {
    const bytes = fromBase64(value), text = textOf(bytes);
    return { text: cut(text === null ? `${bytes.length} bytes` : text), type: "" };
  }
  if (typeof value !== "object" || value === null) return { text: cut(String(value)), type: "" };
  const told = (one, part) => shown({ value: one, schema: resolve(part, root) }, root, most).text || `""`;
  const listed = (open, parts, close) => ({ text: cut(`${open}${parts.join(", ")}${close}`), type: "" });
  if (isPairs(value)) {
    const parts = resolve(schema?.items, root)?.prefixItems;
    return listed("{", value.slice(0, MOST).map(([key, one]) => `${told(key, parts?.[0])}: ${told(one, parts?.[1])}`), "}");
  }
  const inner = Object.entries(value);
  if (inner.length === 1) {
    const [name, one] = inner[0], part = Array.isArray(value) ? schema?.items : schema?.properties?.[name];
    const only = shown({ value: one, schema: resolve(part, root) }, root, most);
    return { text: only.text, type: only.type || (Array.isArray(value) ? "" : name) };
  }
  if (Array.isArray(value)) return listed("[", value.slice(0, MOST).map((one) => told(one, schema?.items)), "]");
  return listed("{", inner.slice(0, MOST).map(([name, one]) => `${name}: ${told(one, schema?.properties?.[name])}`), "}");
}
/** The parts of a value that its text is made of: more have no room. */
const MOST = 60;
const BYTES = { contentEncoding: "base64" };

/** Return the values inside a value without the names of their types, in order: of bytes that a schema tells their text, if they are one. */
export function leaves({ value, schema }, root) {
  if (isTyped(value)) return leaves({ value: value.value ?? value.base64, schema: "base64" in value ? BYTES : resolve({ $ref: value.type }, root) }, root);
  if (typeof value === "string" && schema?.contentEncoding === "base64") return [utf8Of(fromBase64(value)) ?? value];
  if (Array.isArray(value)) return value.flatMap((one) => leaves({ value: one, schema: resolve(schema?.items, root) }, root));
  if (isObject(value)) return Object.entries(value).flatMap(([name, one]) => leaves({ value: one, schema: resolve(schema?.properties?.[name], root) }, root));
  return [value];
}

/** A string may lack its end: to begin again at each of its quotes would take time without end. */
const TOKEN = /("(?:[^"\\]|\\.)*"?)(\s*:)?|\b(true|false|null)\b|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g;

/** Return the tokens of a line of JSON: [class, text]. */
export function tokens(text) {
  const found = [];
  let last = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (match.index > last) found.push(["", text.slice(last, match.index)]);
    if (match[2] !== undefined) found.push(["t-key", match[1]], ["", match[2]]);
    else found.push([match[1] ? "t-text" : match[3] ? "t-word" : "t-number", match[0]]);
    last = match.index + match[0].length;
  }
  if (last < text.length) found.push(["", text.slice(last)]);
  return found;
}

const LEXEME = /[ \t\n\r]*(?:([{}[\],:])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.]))/y;
/** What may come next: signs, `"` for a string and `0` for a number or word. */
const DUE = { value: '[{"0', element: '[{"0]', name: '"', member: '"}', colon: ":", more: ",]}", end: "" };

/** Return where a text stops being JSON: its length if only more text would help. Errors of JSON.parse have it as words among the text's own. */
export function brokenAt(text) {
  const open = [];
  let due = "value", at = 0;
  for (;;) {
    LEXEME.lastIndex = at;
    const found = LEXEME.exec(text), kind = found && (found[1] ?? (found[2] ? '"' : "0"));
    if (!found || !DUE[due].includes(kind) || (due === "more" && kind !== "," && kind !== open.at(-1))) return at + /^[ \t\n\r]*/.exec(text.slice(at))[0].length;
    at += found[0].length;
    if (kind === "[" || kind === "{") open.push(kind === "[" ? "]" : "}");
    if (kind === "]" || kind === "}") open.pop();
    if (kind === "[") due = "element";
    else if (kind === "{") due = "member";
    else if (kind === ":") due = "value";
    else if (kind === ",") due = open.at(-1) === "}" ? "name" : "value";
    else if (kind === '"' && (due === "name" || due === "member")) due = "colon";
    else due = open.length ? "more" : "end";
  }
}

const TOML = /(#.*$)|("(?:[^"\\]|\\.)*"?|'[^']*'?)|^(\s*\[\[?[^\]]*\]?\]?)|(?<![\w-])([A-Za-z_][\w-]*)(?=\s*=)|\b(true|false)\b|(-?\d+)/g;

/** Return the tokens of a line of TOML. */
export function tomlTokens(text) {
  const found = [], names = [, "t-note", "t-text", "t-head", "t-key", "t-word", "t-number"];
  let last = 0;
  for (const match of text.matchAll(TOML)) {
    if (match.index > last) found.push(["", text.slice(last, match.index)]);
    found.push([names[match.findIndex((part, at) => at > 0 && part !== undefined)], match[0]]);
    last = match.index + match[0].length;
  }
  if (last < text.length) found.push(["", text.slice(last)]);
  return found;
}
