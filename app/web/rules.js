// Rules: every row of every table, filtered by protocol, place, word and profile, and the targets of a field over all ways.
import { GLYPH, SAID, forecasts } from "./forecast.js";
import { allTables, convertLink, html, known, render, useAnswer, useEffect, useFragment, useMemo, useRef, useState, worded } from "./lib.js";
import { pretty } from "./json.js";
import { Shell } from "./shell.js";

const DEFAULTS = { q: "", from: "", to: "", profile: "documented", word: "", kind: "", row: "" };
const KINDS = { moves: "moves a value", drops: "drops on purpose", loses: "loses, with a reason", refuses: "refuses the message", types: "types of values" };
const PARTS = [["start", "First"], ["rules", "Fields"], ["types", "Types of values in maps and lists"], ["finish", "Last"]];
const HIDDEN = new Set(["id", "file", "line"]);

const plain = (text) => text.toLowerCase().replace(/[-_.\s"[\]]/g, "");
const says = (value) => (typeof value === "object" ? JSON.stringify(value) : String(value));

function kindOf(row, part) {
  if (part === "types") return "types";
  if (row.error) return "refuses";
  if (row.lost) return "loses";
  return row.to || row.set || row.via ? "moves" : "drops";
}

function Rules() {
  const [state, set, , unread] = useFragment(DEFAULTS);
  const [basis, failed] = useAnswer(() => Promise.all([known("v1/protocols"), known("v1/routes"), known("openapi.json")]), []);
  const [tables, missing] = useAnswer(() => allTables(state.profile), [state.profile]);
  const [protocols, routes, openapi] = basis ?? [[], [], null];
  const profiles = openapi?.components.schemas.ConvertRequest.properties.profile.enum ?? [state.profile];
  const words = useMemo(() => [...new Set((tables ?? []).flatMap((table) => PARTS.flatMap(([part]) => table[part].flatMap((row) => [row.when, row.via].filter(Boolean).map((word) => word.split(" ")[0])))))].sort(), [tables]);
  const found = useMemo(() => matching(tables ?? [], routes, state), [tables, routes, state]);
  const total = found.reduce((sum, { groups }) => sum + groups.reduce((all, group) => all + group.rows.length, 0), 0);
  const error = failed ?? missing;
  const select = (name, label, options) => html`<label class="choice"><span>${label}</span><select id=${name} aria-label=${label} value=${state[name]} onChange=${(event) => set({ [name]: event.target.value, row: "" })}>${options.map(([value, title]) => html`<option value=${value} selected=${value === state[name]}>${title}</option>`)}</select></label>`;
  const named = protocols.map(({ name, title }) => [name, title]);
  return html`<${Shell} page="Rules" fault=${unread?.message}>
    <div class="intro"><h1>Where does a field go?</h1></div>
    <div class="search"><input id="q" type="search" aria-label="Field, word or note" placeholder="A field, a word of a rule, or a note" value=${state.q} autofocus onInput=${(event) => set({ q: event.target.value, row: "" })} /></div>
    <div class="controls">
      ${select("from", "From", [["", "any"], ...named])}${select("to", "To", [["", "any"], ...named])}
      ${select("word", "Word", [["", "any"], ...words.map((word) => [word, word])])}
      ${select("kind", "Kind", [["", "any"], ...Object.entries(KINDS)])}
      ${select("profile", "Profile", profiles.map((name) => [name, name]))}
      <span class="push muted" role="status">${tables ? `${total} ${total === 1 ? "rule" : "rules"}` : "Loading…"}</span>
    </div>
    ${!state.q && !state.from && !state.to && tables ? html`<p class="try">Try ${common(tables).map((name) => html`<button type="button" class="chip" onClick=${() => set({ q: name })}>${name}</button>`)}</p>` : null}
    ${error ? html`<p class="told" role="alert">${error.message}</p>` : null}
    ${plain(state.q).length > 1 && protocols.length ? html`<${Ways} state=${state} protocols=${protocols} />` : null}
    ${found.map(({ table, groups }) => html`<${Table} key=${table.title} table=${table} groups=${groups} state=${state} set=${set} profiles=${profiles} open=${found.length <= 3 || Boolean(state.q || state.word || state.kind)} />`)}
    ${tables && !total ? html`<p class="hint pad">No rule matches. Rules for the keys of a map name it as [*], or as [x-*] by the beginning of the key: search for the map, or try fewer letters, or “any” above.</p>` : null}
  <//>`;
}

/** Return the names of the fields in most tables. */
function common(tables) {
  const seen = new Map();
  for (const table of tables)
    for (const name of new Set(table.rules.map((row) => (row.from ?? "").split("[")[0].split(".").at(-1)).filter((name) => name && !name.startsWith("@"))))
      seen.set(name, (seen.get(name) ?? 0) + 1);
  return [...seen].sort((one, other) => other[1] - one[1]).slice(0, 9).map(([name]) => name.replaceAll("_", "-"));
}

/** Return the beginnings of the keys that a row takes: x- for [x-*]. A row for every key ([*]) has none. */
const begins = (row) => [row.from, row.to].flatMap((place) => [...(place ?? "").matchAll(/\[([^\]*]+)\*\]/g)].map(([, begin]) => begin.toLowerCase()));
/** Return the key that a word of a search names: itself, or that of an entry such as headers["x-death"]. */
const keyOf = (word) => word.slice(word.lastIndexOf("[") + 1).replace(/["'\]]/g, "");

/** Return tables with the matching rows. A way through the hub has the rows of both its tables. */
function matching(tables, routes, state) {
  const wanted = state.from && state.to ? new Set(routes.find(({ from, to }) => from === state.from && to === state.to)?.tables ?? []) : null;
  const asked = state.q.toLowerCase().split(/\s+/).filter(plain), whole = plain(state.q);
  return tables.filter((table) => (wanted ? wanted.has(`${table.from} -> ${table.to}`) : (!state.from || table.from === state.from) && (!state.to || table.to === state.to))).map((table) => ({
    table,
    groups: PARTS.map(([part, title]) => ({ part, title, rows: table[part].filter((row) => {
      if (state.kind && kindOf(row, part) !== state.kind) return false;
      if (state.word && ![row.when, row.via].some((word) => word?.split(" ")[0] === state.word)) return false;
      if (!asked.length) return true;
      const text = plain(Object.entries(row).filter(([name]) => name !== "file" && name !== "line").map(([, value]) => says(value)).join(" "));
      return text.includes(whole) || asked.every((word) => text.includes(plain(word)) || begins(row).some((begin) => keyOf(word).startsWith(begin)));
    }) })).filter((group) => group.rows.length),
  })).filter(({ groups }) => groups.length);
}

function Table({ table, groups, state, set, profiles, open }) {
  const [shown, setShown] = useState(open), count = groups.reduce((sum, group) => sum + group.rows.length, 0);
  useEffect(() => setShown(open), [open]);
  return html`<section class="table">
    <h2><button type="button" aria-expanded=${shown} onClick=${() => setShown(!shown)}><span class="turn" aria-hidden="true">›</span>${table.title}<span class="muted"> ${count} ${count === 1 ? "rule" : "rules"}</span></button></h2>
    ${shown ? groups.map((group) => html`${group.part === "rules" ? null : html`<h3>${group.title}</h3>`}
      <ul class="rows">${group.rows.map((row) => html`<${Row} key=${row.id} row=${row} part=${group.part} table=${table} profiles=${profiles} state=${state}
        open=${state.row === row.id && isTable(state, table)} set=${set} />`)}</ul>`) : null}
  </section>`;
}

/** Return a path that a narrow column breaks between its names. */
const broken = (path) => path.split(/(?<=[._|])|(?=\[)/).map((part, at) => (at ? html`<wbr />${part}` : part));

const isTable = (state, table) => (!state.from || state.from === table.from) && (!state.to || state.to === table.to);

function Row({ row, part, table, profiles, open, set, state }) {
  const item = useRef(), kind = kindOf(row, part), tone = { moves: "applied", drops: "dropped", loses: "lost", refuses: "refused", types: "accounted" }[kind];
  const place = row.from ?? row.at ?? row.type ?? "", target = row.to ?? (row.set ? Object.keys(row.set).join(", ") : row.error ? `refused: ${row.error}` : row.lost ? "lost" : part === "rules" ? "dropped" : row.as ?? row.via ?? "");
  useEffect(() => { if (open) item.current.scrollIntoView({ block: "start" }); }, []);
  return html`<li class="row ${tone} ${open ? "open" : ""}" ref=${item}>
    <button type="button" aria-expanded=${open} onClick=${() => set(open ? { row: "" } : { row: row.id, from: table.from, to: table.to })}>
      <code class="place">${broken(place)}</code><span class="arrow" aria-hidden="true">${kind === "moves" || kind === "types" ? "→" : ""}</span>
      <code class="target ${row.to || row.set || part !== "rules" ? "" : "none"}">${broken(target)}</code>
      <span class="facts">${row.type && row.from ? html`<i>${row.type}</i>` : null}${row.when ? html`<i>when ${row.when}</i>` : null}${row.via ? html`<i>via ${row.via}</i>` : null}</span>
      <span class="note">${row.note ?? row.lost ?? ""}</span>
    </button>
    ${open ? html`<${Facts} row=${row} part=${part} table=${table} profiles=${profiles} state=${state} />` : null}
  </li>`;
}

function Facts({ row, part, table, profiles, state }) {
  const [samples] = useAnswer(() => known(`v1/samples/${table.from}/${table.to}?profile=${state.profile}`), [table]);
  const [others] = useAnswer(() => Promise.all(profiles.filter((name) => name !== state.profile).map(async (name) => [name, await known(`v1/rules/${table.from}/${table.to}?profile=${name}`)])), [table, profiles.length]);
  const sample = samples?.[row.id], same = (one, two) => JSON.stringify(columns(one)) === JSON.stringify(columns(two));
  const differing = (others ?? []).map(([name, other]) => [name, other[part].find((one) => one.id === row.id)]).filter(([, one]) => !one || !same(one, row));
  return html`<div class="facts-of">
    <dl>${Object.entries(row).filter(([name]) => !HIDDEN.has(name)).map(([name, value]) => html`<dt>${name}</dt><dd>${name === "note" || name === "cite" || name === "lost" ? says(value) : html`<code>${says(value)}</code>`}</dd>`)}
      <dt>row</dt><dd><code>${row.id}</code> <span class="muted">${row.file}:${row.line}</span></dd>
      <dt>profiles</dt><dd>${!others ? "…" : differing.length ? differing.map(([name, one]) => html`<div class="differs"><b>${name}</b> ${one ? changes(row, one).map(([column, value]) => html` <code>${column} = ${value === undefined ? "(none)" : says(value)}</code>`) : "has no such row"}</div>`) : "the same in every profile"}</dd></dl>
    <div class="fires"><h3>A message that fires it</h3>${samples === undefined ? html`<p class="hint">…</p>` : sample ? html`<pre>${pretty(sample, 58)}</pre>
      <a class="button primary" href=${convertLink({ from: table.from, to: table.to, profile: state.profile === "documented" ? "" : state.profile, in: pretty(sample) })}>Open in Convert</a>`
      : html`<p class="hint">No message with a single field fires this row: it needs several fields, or an option such as the address.</p>`}</div>
  </div>`;
}

const columns = (row) => Object.fromEntries(Object.entries(row).filter(([name]) => !HIDDEN.has(name)));
const changes = (row, other) => [...new Set([...Object.keys(columns(row)), ...Object.keys(columns(other))])].filter((name) => says(row[name] ?? "") !== says(other[name] ?? "")).map((name) => [name, other[name]]);

/** The targets of fields that match the query, over all ways. */
function Ways({ state, protocols }) {
  const [ways, setWays] = useState(new Map());
  useEffect(() => {
    const stop = new AbortController(), found = new Map();
    forecasts({ profile: state.profile }, ({ from, to }, digest) => { found.set(`${from} ${to}`, digest); if (!stop.signal.aborted) setWays(new Map(found)); }, stop.signal).catch(() => {});
    return () => stop.abort();
  }, [state.profile]);
  const query = plain(state.q), shown = protocols.filter(({ name }) => !state.to || name === state.to);
  const lines = protocols.filter(({ name }) => !state.from || name === state.from).flatMap((source) => {
    const known = protocols.map(({ name }) => ways.get(`${source.name} ${name}`)).find(Boolean);
    const ends = (place) => shown.flatMap(({ name }) => { const one = ways.get(`${source.name} ${name}`)?.fields.get(place); return one ? [...one.to, ...one.some] : []; });
    return [...(known?.fields.keys() ?? [])].filter((place) => [place, ...ends(place)].some((name) => plain(name).includes(query))).map((place) => ({ source, place }));
  });
  if (!lines.length) return null;
  return html`<section class="ways" aria-label="Where the field goes"><div class="scroll"><table style=${{ minWidth: `${150 + 108 * shown.length}px` }}>
    <caption class="away">Where fields that match “${state.q}” go</caption>
    <thead><tr><th scope="col">from</th>${shown.map(({ title }) => html`<th scope="col">${title}</th>`)}</tr></thead>
    <tbody>${lines.map(({ source, place }) => html`<tr><th scope="row"><span class="muted">${source.title}</span><code>${place}</code></th>
      ${shown.map((target) => html`<td>${source.name === target.name ? html`<span class="self" aria-label="the same protocol">·</span>` : html`<${End} one=${ways.get(`${source.name} ${target.name}`)?.fields.get(place)} from=${source.name} to=${target.name} q=${state.q} />`}</td>`)}</tr>`)}</tbody>
  </table></div></section>`;
}

function End({ one, from, to, q }) {
  if (!one) return html`<span class="muted">…</span>`;
  const word = one.there, some = one.some.slice(0, 2);
  return html`<a class="end ${word}" href="#${new URLSearchParams({ q, from, to })}" title="${worded(word)}: ${SAID[word]}">
    <span class="mark ${word}" aria-hidden="true">${GLYPH[word]}</span><span>${one.to.length ? one.to.slice(0, 2).map((to) => html`<code>${to}</code>`) : worded(word)}${one.to.length > 2 ? html`<small>and ${one.to.length - 2} more</small>` : null}${some.length ? html`<small>some values:</small>${some.map((to) => html`<code>${to}</code>`)}` : null}</span></a>`;
}

render(html`<${Rules} />`, document.getElementById("app"));
