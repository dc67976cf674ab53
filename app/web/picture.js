// The picture of a conversion: fields in columns, and a ribbon for each value.
import { curveBumpX, link } from "d3-shape";
import { GLYPHS, Mark, OUTCOMES, html, useLayoutEffect, useMemo, useRef, useState, worded } from "./lib.js";
import { counts, joined, trail } from "./flow.js";
import { visible } from "./visible.js";

const ROW = 46, TOP = 30, SPREAD = 9, LEAST = 260;
const path = link(curveBumpX).source((edge) => edge.start).target((edge) => edge.end);

export function Picture({ graph: whole, titles, hot, pinned, setHot, setPinned, open }) {
  const [box, width] = useWidth();
  const narrow = whole.columns.length > 2 && width < LEAST * (whole.columns.length - 1);
  const graph = useMemo(() => (narrow ? joined(whole) : whole), [whole, narrow]);
  const names = narrow ? [titles[0], titles.at(-1)] : titles;
  const chosen = find(graph, pinned) ?? find(graph, hot);
  const lit = useMemo(() => (chosen ? trail(graph, chosen) : null), [graph, chosen]);
  const places = layout(graph, width);
  const tall = TOP + ROW * Math.max(1, ...graph.columns.map((column) => column.length));
  const dim = (edge) => Boolean(lit) && !lit.edges.includes(edge);
  /** A map opens with the maps at the other ends of its ribbons, so that each entry leads to its own. */
  const press = (node) => (node.members ? open([...trail(graph, node).nodes].filter((one) => one.members).map((one) => one.path)) : setPinned(pinned === node.id ? null : node.id));
  /** The inspector stays for Tab, which goes from a field to the links about it. */
  const leave = (event, node) => { if (event.relatedTarget?.closest(".inspector")) setPinned(node.id); else setHot(null); };
  const move = (event, column, at) => {
    const steps = { ArrowDown: [0, 1], ArrowUp: [0, -1], ArrowRight: [1, 0], ArrowLeft: [-1, 0] }[event.key];
    if (!steps) return;
    event.preventDefault();
    const next = graph.columns[column + steps[0]];
    if (next?.length) document.getElementById(domId(next[Math.min(Math.max(at + steps[1], 0), next.length - 1)]))?.focus();
  };
  return html`<div class="picture ${lit ? "has-lit" : ""}" ref=${box} style=${{ height: `${tall}px` }} onMouseLeave=${() => setHot(null)}>
    <svg width=${width} height=${tall} aria-hidden="true">
      <defs>${["dropped", "lost", "accounted"].map((kind) => html`
        <linearGradient id="fade-${kind}" x1="0" x2="1"><stop offset="0" class="stop ${kind}" /><stop offset="1" class="stop ${kind}" stop-opacity=".25" /></linearGradient>`)}
      </defs>
      ${places.edges.map((edge) => html`<g key=${edge.edge.id} class="ribbon ${edge.edge.kind} ${dim(edge.edge) ? "dim" : ""} ${lit?.edges.includes(edge.edge) ? "lit" : ""}"
          onMouseEnter=${() => setHot(edge.edge.id)} onClick=${() => setPinned(edge.edge.id === pinned ? null : edge.edge.id)}>
        <path class="touch" d=${path(edge)} />
        <path class="ink" d=${path(edge)} />
        ${edge.edge.to ? null : html`<circle cx=${edge.end[0]} cy=${edge.end[1]} r="8" /><text x=${edge.end[0]} y=${edge.end[1] + 4.5}>${GLYPHS[edge.edge.kind]}</text>`}
      </g>`)}
    </svg>
    ${graph.columns.map((column, number) => html`
      <div class="column" style=${{ left: `${places.columns[number].left}px`, width: `${places.columns[number].width}px` }}>
        <h3>${names[number]}</h3>
        ${column.map((node, at) => html`<button type="button" key=${node.id} id=${domId(node)} class="place ${number === 0 ? node.outcome ?? "" : ""} ${
          node.caller ? "caller" : ""} ${lit?.nodes.has(node) ? "lit" : ""}" tabindex=${at === 0 ? 0 : -1} aria-pressed=${pinned === node.id}
          aria-label=${spoken(node, number)} aria-expanded=${node.members ? "false" : null} title=${visible(node.path)} onMouseEnter=${() => setHot(node.id)} onFocus=${() => setHot(node.id)} onBlur=${(event) => leave(event, node)}
          onClick=${() => press(node)} onKeyDown=${(event) => move(event, number, at)}>
          <span class="name">${named(node.path, places.columns[number].width)}</span>
          <span class="value"><bdi>${node.caller ? (node.path === "@constant" ? "set by the rule" : "an option or its default") : node.text || (node.value === undefined ? "unset" : "empty")}</bdi>${
            node.type ? html` <span class="type">${node.type}</span>` : null}</span>
        </button>`)}
      </div>`)}
  </div>`;
}

const domId = (node) => `place-${node.id.replace(/[^\w]/g, "_")}`;
const spoken = (node, column) => `${visible(node.path)}, ${node.text || "no value"}${column === 0 && node.outcome ? `, ${worded(node.outcome)}` : ""}`;
const LONGEST = 26, SHORT = 12, SHORTEST = 8, EDGES = 24, CHARACTER = 7.8;

/** Return a path for a box of so many pixels, `@constant` without its sign. Of an entry that is too long, the section goes first; its
 * key is cut in the middle, so that the beginning of its map is there. */
function named(path, width) {
  if (path.startsWith("@")) return path.slice(1).replaceAll("_", " ");
  const [, head, tail, number] = /^(.*?)([^.[]*|\[.*\])(#\d+)?$/.exec(visible(path)) ?? [, "", visible(path)];
  const entry = tail.startsWith("["), room = Math.floor((width - EDGES) / CHARACTER), fits = !entry || head.length + tail.length <= room;
  const begin = fits ? head : head.slice(head.lastIndexOf(".") + 1);
  const beside = Math.max(SHORTEST, Math.min(SHORT, room), fits ? room : room - Math.min(begin.length, SHORTEST));
  const most = entry ? beside : LONGEST, half = Math.floor((most - 1) / 2);
  const cut = tail.length > most ? `${tail.slice(0, half)}…${tail.slice(-half)}` : tail;
  return html`<span>${begin}</span><b>${cut}</b>${number ? html` <i>${number}</i>` : null}`;
}

const find = ({ columns, edges }, id) =>
  id === null ? undefined : columns.flat().find((node) => node.id === id) ?? edges.find((edge) => edge.id === id || edge.parts?.some((part) => part.id === id));

/** Return a box to be measured, and its width. */
export function useWidth() {
  const box = useRef(), [width, setWidth] = useState(600);
  useLayoutEffect(() => {
    const seen = new ResizeObserver(([entry]) => setWidth(Math.round(entry.contentRect.width)));
    seen.observe(box.current);
    return () => seen.disconnect();
  }, []);
  return [box, width];
}

/** Return the positions of columns and ribbons: labels share the width with the gaps between them. */
function layout({ columns, edges }, width) {
  const count = columns.length, gap = Math.round(width * (count > 2 ? 0.12 : width < 520 ? 0.16 : 0.24));
  const label = (width - gap * (count - 1)) / count;
  const places = columns.map((_, at) => ({ left: at * (label + gap), width: label }));
  const middle = new Map();
  for (const column of columns) column.forEach((node, at) => middle.set(node, TOP + at * ROW + ROW / 2 - 2));
  const sides = { from: new Map(), to: new Map() };
  for (const edge of edges)
    for (const side of ["from", "to"])
      if (edge[side]) sides[side].set(edge[side], [...(sides[side].get(edge[side]) ?? []), edge]);
  const y = (edge, side) => {
    const beside = sides[side].get(edge[side]), apart = Math.min(SPREAD, 26 / beside.length);
    return middle.get(edge[side]) + (beside.indexOf(edge) - (beside.length - 1) / 2) * apart;
  };
  return {
    columns: places,
    edges: edges.filter((edge) => middle.has(edge.from) && (!edge.to || middle.has(edge.to))).map((edge) => {
      const from = places[edge.from.column], begin = y(edge, "from");
      const end = edge.to ? [places[columns.findIndex((column) => column.includes(edge.to))].left, y(edge, "to")] : [from.left + from.width + gap * 0.42, begin + 5];
      return { edge, start: [from.left + from.width, begin], end };
    }),
  };
}

const grouped = (number) => number.toLocaleString("en-US");

/** The summary of a report as a sentence; converters/engine/summary.py has the same. */
export function told({ fields, arrive, ...counts }) {
  const some = (...names) => names.filter((name) => counts[name]).map((name) => `${grouped(counts[name])} ${name.replace("_", " ")}`).join(", ");
  const how = arrive ? ` (${some("unchanged", "changed")})` : "";
  if (!fields) return "no field is set";
  if (arrive === fields) return (fields === 1 ? "the only field arrives" : `all ${grouped(fields)} fields arrive`) + (counts.changed ? how : " unchanged");
  const others = fields - arrive, missing = `${grouped(others)} ${others === 1 ? "does" : "do"} not: ${some("by_rule", "lost")}`;
  return `${grouped(arrive)} of ${grouped(fields)} field${fields === 1 ? "" : "s"} ${arrive === 1 ? "arrives" : "arrive"}${how}; ${missing}`;
}

/** The numbers, as a filter and a legend at once, and the maps that are open. */
export function Numbers({ graph, filter, setFilter, opened, close }) {
  const found = counts(graph), all = Object.values(found).reduce((sum, one) => sum + one, 0);
  return html`<div class="numbers" role="group" aria-label="Outcomes of ${all} fields">
    ${Object.entries(found).map(([kind, count]) => html`<button type="button" class="chip ${kind} ${count ? "" : "none"}" aria-pressed=${filter === kind}
      title="${worded(kind)}: ${OUTCOMES[kind]}" onClick=${() => setFilter(filter === kind ? "" : kind)}><${Mark} outcome=${kind} /><b>${count}</b> ${worded(kind)}</button>`)}
    ${opened.map((name) => html`<button type="button" class="chip" onClick=${() => close(name)} title="Show ${name} as one field">fold ${name}</button>`)}
  </div>`;
}

/** The report's entries for the chosen field or ribbon: values, row, note and citation. */
export function Inspector({ graph, hot, pinned, tables, change }) {
  const chosen = find(graph, pinned) ?? find(graph, hot);
  if (!chosen) return html`<p class="away">Point at a field or a ribbon to see its values, the rule that moved it and the reason. Click to keep it; arrow keys walk the fields.</p>`;
  const edges = trail(graph, chosen).edges.flatMap((edge) => edge.members ?? [edge]);
  if (!edges.length) return html`<p class="inspector hint">The report does not mention <code>${visible(chosen.path)}</code>.</p>`;
  return html`<div class="inspector ${pinned === null ? "passing" : ""}" aria-live="polite">
    ${edges.slice(0, 6).map((edge) => html`<${Step} edge=${edge} table=${tables[edge.leg - 1]} change=${change} />`)}
    ${edges.length > 6 ? html`<p class="hint">and ${edges.length - 6} more</p>` : null}
  </div>`;
}

function Step({ edge, table, change }) {
  const [from, to] = (table ?? "").split(" -> "), row = edge.row;
  const facts = row ? ["type", "when", "via", "as"].filter((name) => row[name] !== undefined) : [];
  return html`<div class="step">
    <p class="way"><span class="word ${edge.kind}"><${Mark} outcome=${edge.kind} />${edge.from.caller && edge.kind === "applied" ? "set" : worded(edge.kind)}</span>
      <code>${visible(edge.from.path)}</code>${edge.from.text ? html` <q dir="auto">${edge.from.text}</q>` : null}${edge.from.type ? html` <span class="type">${edge.from.type}</span>` : null}
      ${edge.to ? html` <span class="arrow">→</span> <code>${visible(edge.to.path)}</code>${edge.to.text ? html` <q dir="auto">${edge.to.text}</q>` : null}${edge.to.type ? html` <span class="type">${edge.to.type}</span>` : null}` : null}</p>
    <p class="why">
      ${edge.rule ? html`<a href="rules#from=${from}&to=${to}&row=${edge.rule}">${edge.rule}</a>` : "no rule"}
      ${edge.typeRule ? html`, <a href="rules#from=${from}&to=${to}&row=${edge.typeRule}">${edge.typeRule}</a>` : null}
      ${row ? html` <span class="file">${row.file}:${row.line}</span>` : null}
      ${facts.map((name) => html` <span class="fact">${name} <code>${String(row[name])}</code></span>`)}
      ${edge.note ?? row?.note ? html` <span class="note">${visible(edge.note ?? row.note)}</span>` : null}
      ${edge.wanted?.map((one) => html` <span class="fact"><a href="rules#from=${from}&to=${to}&row=${one.id}">${one.id}</a> takes <code>${one.when}</code></span>`)}
      ${row?.cite ? html` <cite>${row.cite}</cite>` : null}
      ${change && row?.from ? html` <button type="button" class="link" onClick=${() => change(table, row)}>Change this rule</button>` : null}
    </p>
  </div>`;
}
