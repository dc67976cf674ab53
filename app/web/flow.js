// A conversion as a graph: places of the messages in columns, and the report's entries between them.
import { at, copies, leaves, lines, numbered, shown } from "./json.js";

export const WORST = ["lost", "dropped", "changed", "applied", "accounted"];
/** The reason of entries that are lost as duplicates (converters/engine/notes.py): the last ones of their key. */
const SECOND = "a second equal key";
const idOf = (column, path) => `${column} ${path}`;

/** Columns of nodes and the edges between them. `messages` and `schemas` are those of the source, of each protocol that the route
 * leads through, and of the target; `rows(leg, id)` gives a row's columns; fields are in the order of `typed`, the source as it was
 * typed, without defaults. */
export function flow(report, messages, schemas, rows, typed = messages[0]) {
  const nodes = new Map(), edges = [];
  const made = (column, path) => {
    const caller = path.startsWith("@"), found = caller ? { value: undefined } : at(messages[column], path, schemas[column]);
    return { id: idOf(column, path), column, path, caller, value: found.value, leaves: leaves(found, schemas[column]), bare: leaves({ value: found.value }), ...shown(found, schemas[column]) };
  };
  const node = (column, path) => {
    const id = idOf(column, path);
    if (!nodes.has(id)) nodes.set(id, made(column, path));
    return nodes.get(id);
  };
  const edge = (kind, leg, from, to, more) => edges.push({ id: String(edges.length), kind, leg, from, to, ...more, row: rows(leg, more.rule) });
  const entries = [...report.applied, ...report.dropped, ...report.lost, ...report.accounted];
  const sources = apart(messages, entries.map((entry) => ({ entry, column: entry.leg - 1, path: entry.from ?? entry.field, rule: entry.rule, second: entry.reason === SECOND, early: Boolean(entry.reason && rows(entry.leg, entry.rule)?.at) })));
  const targets = apart(messages, report.applied.filter(({ note }) => !note).map((entry) => ({ entry, column: entry.leg, path: entry.to, rule: entry.rule,
    fits: (path) => equal(node(entry.leg - 1, sources.get(entry)), made(entry.leg, path)) })));
  for (const entry of report.applied) {
    const { leg, rule, type_rule: typeRule, note } = entry, one = node(leg - 1, sources.get(entry)), other = node(leg, targets.get(entry) ?? entry.to);
    const same = one.caller || one.value === undefined || other.value === undefined || equal(one, other);
    edge(note ? "accounted" : same ? "applied" : "changed", leg, one, other, { rule, typeRule, note });
  }
  for (const kind of ["dropped", "lost", "accounted"])
    for (const entry of report[kind])
      edge(kind, entry.leg, node(entry.leg - 1, sources.get(entry)), null, { rule: entry.rule, note: entry.note ?? entry.reason, type: entry.type });
  return arranged([...nodes.values()], edges, [typed, ...messages.slice(1)]);
}

/** Return the path of each entry on one side, with the number of an equal key: reports have one path for all of them.
 *
 * Where a row has as many entries as there are values, they are in order; those lost as duplicates come last, and those that a
 * start row left out (`early`) come first, as in converters/account/explain.py. Else each entry takes a value that is left, one that `fits` first. */
function apart(messages, asked) {
  const sides = new Map(), paths = new Map();
  for (const { column, path, rule, second, early } of asked) {
    const id = idOf(column, path);
    if (!sides.has(id)) sides.set(id, { count: path.startsWith("@") ? 1 : copies(messages[column], path), early: 0, first: 0, seconds: 0, last: 0, rows: new Map(), left: null });
    const side = sides.get(id);
    if (second) side.seconds++;
    else if (early) side.early++;
    else side.rows.set(rule, { asked: (side.rows.get(rule)?.asked ?? 0) + 1, given: 0 });
  }
  for (const { entry, column, path, rule, second, early, fits } of asked) {
    const side = sides.get(idOf(column, path)), row = side.rows.get(rule);
    side.left ??= Array.from({ length: side.count - side.early - side.seconds }, (_, number) => side.early + number + 1);
    const take = () => side.left.splice(Math.max(0, fits ? side.left.findIndex((number) => fits(numbered(path, number))) : 0), 1)[0];
    const number = second ? side.count - side.seconds + ++side.last
      : early ? ++side.first
      : side.early + row.asked + side.seconds === side.count ? side.early + ++row.given : take();
    paths.set(entry, numbered(path, Math.min(number ?? 1, side.count)));
  }
  return paths;
}

function arranged(nodes, edges, messages) {
  const columns = messages.map((message, column) => {
    const order = new Map(lines(message ?? {}).map(({ path }, rank) => [path, rank]));
    const rank = ({ path, caller }) => (caller ? 1e6 : order.get(path) ?? order.get(path.replace(/[.[][^.[]*$/, "")) ?? 1e5);
    return nodes.filter((one) => one.column === column).sort((one, other) => rank(one) - rank(other));
  });
  // Place the caller's values near their targets.
  for (let column = columns.length - 2; column >= 0; column--) {
    const ends = new Map(columns[column + 1].map((one, at) => [one, at]));
    const aim = (one) => { const found = edges.filter((edge) => edge.from === one && edge.to).map((edge) => ends.get(edge.to)); return found.length ? Math.min(...found) : Infinity; };
    const made = columns[column].filter((one) => !one.caller);
    for (const one of columns[column].filter((node) => node.caller)) {
      const at = made.findIndex((node) => aim(node) > aim(one) && aim(node) !== Infinity);
      made.splice(at < 0 ? made.length : at, 0, one);
    }
    columns[column] = made;
  }
  const graph = { columns, edges };
  for (const one of columns[0] ?? []) if (!one.caller) one.outcome = outcomeOf(graph, one);
  return graph;
}

/** Return the overall outcome of a source field, as converters/engine/summary.py counts it. */
function outcomeOf(graph, start) {
  const { edges, nodes } = trail(graph, start, "forward"), last = graph.columns.length - 1;
  const ends = [...nodes].filter((one) => one.column === last && one !== start), kinds = new Set(edges.map((edge) => edge.kind));
  const implied = edges.filter((edge) => edge.kind === "accounted" && edge.to).map((edge) => edge.to);
  if (!ends.length && implied.some((one) => one.column === last || ARRIVING.has(outcomeOf(graph, one)))) return "changed";
  if (!ends.length) return WORST.find((kind) => kinds.has(kind) && !ARRIVING.has(kind)) ?? "accounted";
  const same = start.value === undefined || ends.some((end) => end.value === undefined || equal(start, end));
  return same && !kinds.has("lost") ? "applied" : "changed";
}
/** Return whether two nodes have equal values, except for the names of their types: in JSON, or as text, in bytes or not. */
export const equal = (one, other) => JSON.stringify(one.leaves) === JSON.stringify(other.leaves) || JSON.stringify(one.bare) === JSON.stringify(other.bare);
const ARRIVING = new Set(["applied", "changed"]);

const besides = new WeakMap();

/** Return the edges of a graph by the node on one side. */
function beside(edges, side) {
  if (!besides.has(edges)) besides.set(edges, { from: Map.groupBy(edges, ({ from }) => from), to: Map.groupBy(edges, ({ to }) => to) });
  return besides.get(edges)[side];
}

/** Return the edges and nodes that lead to and from a node or an edge. */
export function trail({ edges }, start, way = "both") {
  const nodes = new Set(), found = new Set();
  const follow = (node, side) => {
    nodes.add(node);
    for (const edge of beside(edges, side).get(node) ?? [])
      if (!found.has(edge)) {
        found.add(edge);
        const next = edge[side === "from" ? "to" : "from"];
        if (next && !(way === "forward" && edge.kind === "accounted")) follow(next, side);
      }
  };
  const starts = start.from !== undefined ? [start.from, start.to] : [start, start];
  if (start.from !== undefined) found.add(start);
  if (starts[1] && way !== "forward") follow(start.from !== undefined ? starts[0] : starts[1], "to");
  if (starts[0]) start.from !== undefined ? starts[1] && follow(starts[1], "from") : follow(starts[0], "from");
  if (start.from) nodes.add(start.from);
  return { nodes, edges: [...found].sort((one, other) => one.leg - other.leg || one.id - other.id) };
}

/** Return the same graph of source and target alone: the edges of a way between them are joined. */
export function joined(graph) {
  const { columns, edges } = graph, last = columns.length - 1;
  if (last < 2) return graph;
  const ways = (edge) => {
    const onward = edge.to ? edges.filter((other) => other.from === edge.to) : [];
    return onward.length ? onward.flatMap(ways).map((way) => [edge, ...way]) : [[edge]];
  };
  const starts = edges.filter((edge) => edge.leg === 1 || edge.from.caller);
  const whole = starts.flatMap(ways).map((parts) => {
    const [{ from: first }] = parts, from = first.column ? { ...first, column: 0 } : first, end = parts.at(-1), to = end.to?.column === last ? end.to : null;
    const kept = from.caller || (to && equal(from, to));
    const kind = to ? (kept ? "applied" : "changed") : end.to ? "accounted" : end.kind;
    return { ...end, id: parts.map((edge) => edge.id).join("-"), kind, from, to, parts };
  });
  const callers = whole.map((edge) => edge.from).filter((node) => node.caller && !columns[0].some((one) => one.path === node.path));
  return { columns: [[...columns[0], ...new Map(callers.map((node) => [node.path, node])).values()], [...columns[last]]], edges: same(whole), joined: true };
}

const MANY = 15, FEW = 3;

/** Return the maps that a graph of many fields folds: those of more than a few entries. */
export function maps({ columns }) {
  if (Math.max(0, ...columns.map((column) => column.length)) <= MANY) return [];
  const names = columns.flatMap((column) => {
    const sizes = new Map();
    for (const { path } of column) if (mapOf(path)) sizes.set(mapOf(path), (sizes.get(mapOf(path)) ?? 0) + 1);
    return [...sizes].filter(([, size]) => size > FEW).map(([name]) => name);
  });
  return [...new Set(names)];
}

const mapOf = (path) => (path.includes("[") && !path.startsWith("@") ? path.slice(0, path.indexOf("[")) : null);

/** Return the same graph with one node for each of these maps, and one edge of a kind between two of them. */
export function folded(graph, names) {
  if (!names.length) return graph;
  const whole = new Map(), into = new Map();
  const columns = graph.columns.map((column) => column.flatMap((node) => {
    const name = mapOf(node.path), id = idOf(node.column, name);
    if (!names.includes(name)) return [node];
    const first = !whole.has(id);
    if (first) whole.set(id, { id, column: node.column, path: name, type: "", members: [] });
    whole.get(id).members.push(node);
    into.set(node, whole.get(id));
    return first ? [whole.get(id)] : [];
  }));
  for (const map of whole.values()) describe(map);
  const edges = new Map();
  for (const edge of graph.edges) {
    const from = into.get(edge.from) ?? edge.from, to = into.get(edge.to) ?? edge.to;
    if (from === edge.from && to === edge.to) { edges.set(edge.id, edge); continue; }
    const key = `${edge.leg} ${edge.kind} ${from.id} ${to?.id}`;
    if (!edges.has(key)) edges.set(key, { ...edge, from, to, members: [] });
    edges.get(key).members.push(edge);
  }
  return { ...graph, columns, edges: [...edges.values()] };
}

/** Say how many entries of a folded map arrive. */
function describe(map) {
  const { members } = map, missing = members.filter((one) => one.outcome === "lost" || one.outcome === "dropped").length, count = members.length;
  map.value = members.map((one) => one.value ?? null);
  map.leaves = members.flatMap((one) => one.leaves);
  map.bare = members.flatMap((one) => one.bare);
  if (map.column) return void (map.text = `${count} entries`);
  const arrive = `${count - missing} ${count - missing === 1 ? "arrives" : "arrive"}`;
  map.text = missing ? `${arrive}, ${missing} ${missing === 1 ? "does" : "do"} not` : `all ${count} arrive`;
  map.outcome = WORST.find((kind) => members.some((one) => one.outcome === kind));
}

/** Return only the fields with an outcome, and what becomes of them. */
export function only(graph, outcome) {
  if (!outcome) return graph;
  const nodes = new Set(), edges = new Set();
  for (const one of graph.columns[0] ?? []) {
    if (one.caller || one.outcome !== outcome) continue;
    const found = trail(graph, one, "forward");
    for (const node of [one, ...found.nodes]) nodes.add(node);
    for (const edge of found.edges) edges.add(edge);
  }
  return { ...graph, columns: graph.columns.map((column) => column.filter((node) => nodes.has(node))), edges: graph.edges.filter((edge) => edges.has(edge)) };
}

/** Join the caller's values with the same meaning in one node. */
function same(edges) {
  const callers = new Map();
  return edges.map((edge) => {
    if (!edge.from.caller) return edge;
    if (!callers.has(edge.from.path)) callers.set(edge.from.path, edge.from);
    return { ...edge, from: callers.get(edge.from.path) };
  });
}

/** Count the source fields by outcome. */
export function counts({ columns }) {
  const found = { applied: 0, changed: 0, dropped: 0, lost: 0, accounted: 0 };
  for (const one of columns[0] ?? []) if (!one.caller) found[one.outcome]++;
  return found;
}
