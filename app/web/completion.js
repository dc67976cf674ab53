// The names that fit at the end of a part of an overlay, from the service's tables: of tables, columns, rows, fields and words.
import { allTables, known } from "./lib.js";
import { tomlTokens } from "./json.js";

const KINDS = ["start", "rules", "types", "finish"];
/** Columns with the id of a row of the table. */
const IDS = ["replace", "before", "after", "remove"];
/** Columns with places, and the sides that have them. */
const PLACES = { from: ["from"], to: ["to"], set: ["to"], at: ["from", "to"], reads: ["from", "to"] };
/** Columns with texts of the row's own. */
const FREE = ["id", "note", "cite", "lost", "file", "line"];

const HEAD = /^\s*\[\[?\s*["']([^"']*)(["']?)/, WHOLE = /^(?:"(?:[^"\\]|\\.)*"|'[^']*')$/;

/** Return the slot at the end of an overlay's text: `{column, typed, table, kind}`, or null where no name fits. Its column is
 * "table" in the head of a part, and "column" where the name of a column stands. */
export function slot(text) {
  const open = [];  // the brackets around the end, each with the key before it
  let table = "", key = "", last = null, before = "";  // the last token of the last line, and the last sign outside texts
  for (const line of text.split("\n")) {
    last = null;
    for (const [token, written] of tomlTokens(line)) {
      if (token === "t-head" && !open.length) { table = HEAD.exec(written)?.[1] ?? ""; key = ""; }
      else if (token === "t-key") key = written;
      else if (token === "" || token === "t-head") for (const sign of written.trim()) {
        if (sign === "[" || sign === "{") { open.push({ sign, key }); key = ""; }
        else if (sign === "]" || sign === "}") key = open.pop()?.key ?? "";
        before = sign;
      }
      last = { token, written };
    }
  }
  if (last?.token === "t-head" && !open.length) return HEAD.exec(last.written)?.[2] === "" ? { column: "table", typed: table } : null;
  const inner = open.at(-1), kind = open.at(-2)?.key;
  if (last?.token === "t-text" && !WHOLE.test(last.written)) {
    if (inner?.key === "set" && before === "=") return null;  // a constant
    return lastWord(inner?.sign === "[" || inner?.key === "set" ? inner.key : key, last.written.slice(1), table);
  }
  const name = /[{,]\s*([\w-]*)$/.exec(text);
  return name && last?.token !== "t-note" && inner?.sign === "{" && KINDS.includes(kind) ? { column: "column", typed: name[1], table, kind } : null;
}

/** Return the slot of the last word in a text of a column: of words that are joined, or types with bars. */
function lastWord(column, text, table) {
  if (column === "type") return { column, typed: text.split("|").at(-1), table };
  if (column !== "when" && column !== "via") return { column, typed: text, table };
  const [, before = "", typed] = /^(.*\s)?(.*)$/.exec(text), joint = /(?:^|\s)(not|and|then|whether)\s+$/.exec(before)?.[1];
  if (before.trim() && !joint) return null;  // the literal of a word
  return { column: joint === "then" || (column === "via" && !joint) ? "via" : "when", typed, table };
}

/** Return the names for a slot in a profile: `{label, detail}`, with `around` for the name of a column. */
export async function names({ column, table, kind }, profile) {
  const all = await allTables(profile), here = all.find((one) => `${one.from} -> ${one.to}` === table);
  if (column === "table") return all.map(({ from, to, title }) => ({ label: `${from} -> ${to}`, detail: title }));
  if (column === "column") return columns(all, kind);
  if (!here || FREE.includes(column)) return [];
  if (IDS.includes(column)) return rowsOf(here).map((row) => ({ label: row.id, detail: way(row) }));
  if (column === "when" || column === "via") return words([here, ...all], column);
  const used = (some) => some.flatMap(rowsOf).flatMap((row) => held(row, column)), side = column === "type" ? "from" : "to";
  const found = PLACES[column] ? await places(here, column, used(all)) : used(all.filter((one) => one[side] === here[side]));
  return [...new Set([...found, ...used([here])])].map((label) => ({ label }));
}

/** Return the fields of the sides of a table, and the values of the caller and of rows that any table may use. */
async function places(table, column, used) {
  const schemas = await Promise.all(PLACES[column].map((side) => known(`v1/schemas/${table[side]}`)));
  return [...schemas.flatMap(fields), ...used.filter((place) => /^@\w+$/.test(place))];
}

const rowsOf = (table) => KINDS.flatMap((kind) => table[kind]);
const way = (row) => [row.from ?? row.at ?? row.type, row.to ?? row.as].filter(Boolean).join(" → ");

/** Return what stands in a column of a row. */
function held(row, column) {
  const value = row[column] ?? [], set = column === "to" ? Object.keys(row.set ?? {}) : [];
  if (typeof value === "string") return [...(column === "type" ? value.split("|") : [value]), ...set];
  return [...(Array.isArray(value) ? value : typeof value === "object" ? Object.keys(value) : []), ...set];
}

/** Return the places of a schema. A field of one of several kinds is one place; a list or map has one for all of its entries. */
function fields(schema) {
  const walk = (part, path) => {
    const { items, properties, maxProperties } = part.$ref ? schema.$defs[part.$ref.split("/").at(-1)] : part;
    if (items) return [`${path}[*]`];
    return properties && maxProperties !== 1 ? Object.entries(properties).flatMap(([name, one]) => walk(one, path ? `${path}.${name}` : name)) : [path];
  };
  return walk(schema, "").filter((path) => path !== "protocol");
}

/** Return the conditions or transforms, each with a row's use of it (its literals, or what it reads), or its meaning. */
async function words(all, column) {
  const found = new Map();
  for (const row of all.flatMap(rowsOf)) {
    const uses = (row.via ?? "").split(" then "), tests = uses.filter((use) => use.startsWith("whether ")).map((use) => use.slice(8));
    for (const use of column === "via" ? uses : [row.when ?? "", ...tests].flatMap((use) => use.split(" and ")).map((use) => use.replace(/^not /, ""))) {
      const [label, ...literals] = use.split(" ");
      if (label && !found.has(label)) found.set(label, { label, detail: literals.length ? use : row.reads && `reads ${row.reads.join(", ")}` });
    }
  }
  for (const [label, meaning] of Object.entries((await known("web/words.json"))[column])) {
    if (!found.has(label)) found.set(label, { label });
    found.get(label).detail ??= meaning;
  }
  return [...found.values()];
}

/** Return the columns of a kind of row, and the text around a value of each. */
function columns(all, kind) {
  const values = new Map([...IDS.slice(0, 3), ...all.flatMap((table) => table[kind]).flatMap(Object.keys)].map((name) => [name, ""]));
  for (const row of all.flatMap((table) => table[kind])) for (const [name, value] of Object.entries(row)) values.set(name, value);
  const around = (value) => (typeof value === "string" ? [' = "', '"'] : Array.isArray(value) ? [' = ["', '"]'] : typeof value === "object" ? [" = { ", " }"] : [" = true", ""]);
  return [...values].filter(([name]) => name !== "file" && name !== "line").map(([label, value]) => ({ label, around: around(value) }));
}
