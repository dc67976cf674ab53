// The forecast of every way: from the file generated with the tables, or from the service if its tables differ.
import { OUTCOMES, known } from "./lib.js";

export const WORDS = ["survives", "changes", "depends", "dropped", "accounted", "lost", "refused"];
export const SAID = {
  survives: "arrives with the same value", changes: "arrives as another value, type or unit", depends: "depends on the value's type",
  dropped: "left out on purpose, by a rule", accounted: OUTCOMES.accounted, lost: "nothing takes it, or the target cannot hold it",
  refused: "a rule refuses the whole message",
};
export const GLYPH = { survives: "→", changes: "≈", depends: "±", dropped: "−", accounted: "◦", lost: "×", refused: "!" };

const nameOf = (from, to, payload = "body") => `${from} -> ${to} ${payload}`;

/** Call `each(way, digest)` for every way as soon as it is known; a digest is {fields: Map(place, {there, whole, to, some})}: `to` are
 * the places where ordinary values arrive, `some` those of special ones. */
export async function forecasts({ profile, payload = "body" }, each, signal) {
  const [file, tables, routes] = await Promise.all([known("web/forecast.json"), known(`v1/rules?profile=${profile}`), known("v1/routes")]);
  const hashes = new Map(tables.map((table) => [`${table.from} -> ${table.to}`, table.hash]));
  const made = new Map(file.map((way) => [nameOf(way.from, way.to, way.payload), way]));
  const rest = [];
  for (const route of routes) {
    const way = made.get(nameOf(route.from, route.to, payload)) ?? made.get(nameOf(route.from, route.to)); // none of its own: the same
    if (way && route.tables.every((name, at) => hashes.get(name) === way.hashes[at]) && route.tables.length === way.hashes.length)
      each(route, digest(way.outcomes));
    else rest.push(route);
  }
  for (const route of rest) {
    if (signal?.aborted) return;
    each(route, digest(ordinary((await known(pathOf(route.from, route.to, { profile, payload }))).outcomes)));
  }
}

export const pathOf = (from, to, { profile, payload }) => `v1/fidelity/${from}/${to}?back=true&profile=${profile}&payload=${payload}`;

/** Return the outcomes of ordinary values in the form of the file. */
function ordinary(outcomes) {
  const seen = new Set();
  return outcomes.filter(({ field }) => !field.includes("[") || field.endsWith('["*"]')).map(({ field, type, there, outcome, to }) => {
    const key = `${field} ${type}`, first = !seen.has(key);
    seen.add(key);
    return [field, there, outcome, to, first ? 0 : 1];
  });
}

function digest(outcomes) {
  const fields = new Map();
  for (const [field, there, whole, to, special] of outcomes) {
    const place = field.split("[")[0];
    if (!fields.has(place)) fields.set(place, { there: new Set(), whole: new Set(), to: new Set(), some: new Set() });
    const one = fields.get(place);
    if (special) {
      if (to) one.some.add(to);
      continue;
    }
    one.there.add(there); one.whole.add(whole);
    if (to) one.to.add(to);
  }
  const word = (set) => (set.size === 1 ? [...set][0] : "depends");
  for (const [place, { there, whole, to, some }] of fields)
    fields.set(place, { there: word(there), whole: word(whole), to: [...to], some: [...some].filter((one) => !to.has(one)) });
  return { fields };
}

/** Count the fields by outcome; `side` is "there" or "whole". */
export function count({ fields }, side) {
  const found = Object.fromEntries(WORDS.map((word) => [word, 0]));
  for (const one of fields.values()) found[one[side]]++;
  return found;
}
