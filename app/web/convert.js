// Convert: a message on the left, its conversion on the right, and the picture of it between them.
import { LARGEST_TEXT, Mark, TOO_DEEP, Told, ask, decode, html, known, render, useAnswer, useEffect, useMemo, useRef, useState, useFragment } from "./lib.js";
import { bytesOf, formsOf, fromBase64, isDump, textOf, toBase64, toHex } from "./bytes.js";
import { Dump } from "./dump.js";
import { Editor, Listing, within } from "./editor.js";
import { flow, folded, maps, only, trail } from "./flow.js";
import { brokenAt, lines, pretty, tokens } from "./json.js";
import { OwnRules, goToRules, withRow } from "./own.js";
import { Inspector, Numbers, Picture, told as summary } from "./picture.js";
import { Shell } from "./shell.js";
import { Back, Compare } from "./trips.js";
import { visible, visibleJson } from "./visible.js";

const PANES = { message: "Message", rules: "Rules" };
const FORMS = { json: "JSON", hex: "hex", base64: "base64" };
const DEFAULTS = { from: "mqtt-5.0", to: "amqp-1.0", in: "", form: "json", n: "0", look: "", view: "json", profile: "documented", compare: "", back: "", rules: "", own: "" };
const LARGEST = 2 ** 18;
/** Members of a request other than options: the page has its own controls for them. */
const OWN = new Set(["from", "to", "wire", "message", "fields", "profile", "rules"]);

// ---- requests ---------------------------------------------------------------------------------------------------------

/** Return the input as a member of a request: {wire} or {message}. Throws Told with the line of a mistake. */
function given(state) {
  if (state.in.length > LARGEST_TEXT) throw new Told(`This text has ${state.in.length.toLocaleString("en-US")} characters; this page takes ${LARGEST_TEXT.toLocaleString("en-US")}. Use the command line, or /v1/convert/batch.`);
  if (state.form !== "json") {
    try { return { wire: toBase64(bytesOf(state.in, state.form)) }; } catch (error) { throw new Told(error.message); }
  }
  try { return member(JSON.parse(state.in)); } catch (error) {
    if (error instanceof RangeError) throw new Told(TOO_DEEP);
    if (state.in.split("\n").every((line) => !line.trim() || isJson(line))) throw new Told("This is JSON lines, a message on each: keep one of them.", { line: 2 });
    if (!formsOf(state.in).length) throw new Told("This text is not JSON, hex, a hex dump or base64.");
    const at = brokenAt(state.in), line = state.in.slice(0, at).split("\n").length, [word] = /^\S{0,12}/.exec(state.in.slice(at));
    throw new Told(`Line ${line} is not JSON: ${word ? `unexpected ${word}` : "the text ends too early"}.`, { line });
  }
}

/** Return JSON as a member of a request: a message, or a line of JSON lines with one or with wire bytes. */
function member(value) {
  if (value?.protocol === undefined && typeof value?.wire === "string") return { wire: value.wire };
  return { message: value?.protocol === undefined && value?.message?.protocol !== undefined ? value.message : value };
}

function isJson(text) {
  try { return Boolean(JSON.parse(text)); } catch { return false; }
}

/** Return the input as wire bytes in base64. */
async function wired(state) {
  const input = given(state);
  return input.wire ?? (await ask("v1/encode", { message: { protocol: state.from, ...input.message } })).wire;
}

/** Return the chosen message of bytes. Throws Told if it is invalid. */
async function chosenOf(state) {
  const found = await decode(state.from, given(state).wire), one = found[Math.min(Number(state.n) || 0, found.length - 1)];
  if (one instanceof Told) throw one;
  return one;
}

/** Return the options of a request in the types of the service's schema. */
function choices(state, schema) {
  const made = { from: state.from, to: state.to, profile: state.profile };
  for (const [name, part] of Object.entries(schema))
    if (!OWN.has(name) && state[name]) made[name] = valueOf(state[name], part);
  if (schema.rules && state.rules.trim()) made.rules = state.rules;
  return made;
}

const typeOf = (part) => part.type ?? part.anyOf?.find((one) => one.type !== "null")?.type;
const enumOf = (part) => part.enum ?? part.anyOf?.find((one) => one.enum)?.enum;

function valueOf(text, part) {
  const plain = (word) => ({ true: true, false: false })[word] ?? (/^-?\d+$/.test(word) ? Number(word) : word);
  if (typeOf(part) === "object") return Object.fromEntries(text.trim().split(/\s+/).map((one) => [one.split("=")[0], plain(one.split("=").slice(1).join("="))]));
  return typeOf(part) === "string" ? text : plain(text);
}

/** Convert the state's message; return everything that the page shows. */
async function converted(state, signal) {
  if (!state.in.trim()) return null;
  const schema = (await known("openapi.json")).components.schemas.ConvertRequest.properties;
  const base = choices(state, schema), input = given(state);
  const decoded = input.wire ? await decode(state.from, input.wire, signal) : [input.message];
  const message = decoded[Math.min(Number(state.n) || 0, decoded.length - 1)], parts = decoded.map((one) => (one instanceof Told ? one : null));
  try {
    if (message instanceof Told) throw message;
    return { ...(await pictured(state, base, message, input.wire !== undefined, signal)), parts };
  } catch (error) { throw Object.assign(error, { parts }); }  // the others can still be chosen
}

/** Convert one message; return the answer with its graph. */
async function pictured(state, base, message, decoded, signal) {
  const [answer, routes] = await Promise.all([convert({ ...base, message }, signal), known("v1/routes")]);
  const tables = answer.report.tables, between = tables.slice(0, -1).map((name) => name.split(" -> ")[1]);
  const names = [state.from, ...between, state.to];
  const [source, middle, schemas, rows] = await Promise.all([
    decoded ? message : convert({ from: state.from, to: state.from, message, fields: ["message"] }, signal).then((one) => one.message),  // a typed one may be short
    Promise.all(between.map((to) => convert({ ...base, to, message, fields: ["message"] }, signal).catch(() => null))),
    Promise.all(names.map((name) => known(`v1/schemas/${name}`))),
    Promise.all(tables.map((name) => known(`v1/rules/${name.replace(" -> ", "/")}?profile=${state.profile}`).then(byId))),
  ]);
  const messages = [source, ...middle.map((one) => one?.message), answer.message];
  const graph = flow(answer.report, messages, schemas, (leg, id) => rows[leg - 1]?.get(id), message);
  for (const edge of graph.edges) if (edge.kind === "lost" && !edge.rule) edge.wanted = [...rows[edge.leg - 1]?.values() ?? []].filter((row) => row.when && row.from === edge.from.path);
  return { ...answer, source: message, names, graph, tables, base, routes };
}

/** Convert the result to the protocol of the source, with the same options. */
const backed = ({ from, to, profile }, { base, message }) => pictured({ from: to, to: from, profile }, { ...base, from: to, to: from, fields: ["message", "report"] }, message, true);

/** An answer with wire bytes; `unwritten` is the error if only these cannot be made. */
async function convert(body, signal) {
  try { return await ask("v1/convert", body, signal); } catch (error) {
    if (!(error instanceof Told) || !error.problem.code || error.wait || body.fields || ["fail", "strict"].includes(body.on_loss)) throw error;
    const rest = await ask("v1/convert", { ...body, fields: ["message", "report"] }, signal).catch(() => { throw error; });
    return { ...rest, unwritten: error };
  }
}

const tableRows = new WeakMap();
function byId(table) {
  if (!tableRows.has(table)) tableRows.set(table, new Map([...table.start, ...table.types, ...table.finish, ...table.rules].map((row) => [row.id, row])));
  return tableRows.get(table);
}

/** Milliseconds without a change before an error is shown. */
const REST = 500;

/** The conversion of a state; the previous one stays until the next arrives. There is none while rules of a link wait (`held`). */
function useConversion(state, held) {
  const [shown, setShown] = useState({ done: null, error: null });
  const [round, setRound] = useState(0);
  const { from, to, form, n, profile, rules, own, look, view, back, compare, ...rest } = state;
  const key = JSON.stringify([from, to, form, n, profile, rules, rest]);
  useEffect(() => {
    if (held) { setShown({ done: null, error: null }); return undefined; }
    const stop = new AbortController();
    let again;
    const timer = setTimeout(async () => {
      try { setShown({ done: await converted(state, stop.signal), error: null }); } catch (error) {
        if (error.name === "AbortError") return;
        if (shown.done) await new Promise((rest) => setTimeout(rest, REST));  // half-typed text is wrong all the time
        if (stop.signal.aborted) return;
        setShown((old) => ({ done: old.done, error: error instanceof Told ? error : new Told(String(error)) }));
        if (error.wait) again = setTimeout(() => setRound(round + 1), error.wait * 1000);
      }
    }, shown.done || shown.error ? 120 : 0);
    return () => { stop.abort(); clearTimeout(timer); clearTimeout(again); };
  }, [key, round, held]);
  return shown;
}

// ---- the page ---------------------------------------------------------------------------------------------------------

function Convert() {
  const [state, set, read, unread] = useFragment(DEFAULTS);
  const [protocols, failed] = useAnswer(() => known("v1/protocols"), []);
  const [samples] = useAnswer(() => known("v1/samples"), []);
  const [openapi] = useAnswer(() => known("openapi.json"), []);
  const [routes] = useAnswer(() => known("v1/routes"), []);
  const [agreed, agree] = useState("");  // the rules that the user wrote, or let in by a press: whoever made the link wrote the others
  const held = state.rules.trim() !== "" && state.rules !== agreed;
  const { done: latest, error } = useConversion(state, held), done = error && !error.wait ? null : latest;  // an error takes the place of an older picture
  const [hot, setHot] = useState(null), [pinned, setPinned] = useState(null), [filter, setFilter] = useState("");
  const [odd, setOdd] = useState("");
  useEffect(() => setOdd(""), [read]);
  const [opened, setOpened] = useState([]);  // maps that are shown entry by entry
  useEffect(() => { setPinned(null); setHot(null); }, [done?.graph]);
  useEffect(() => {
    if (!pinned) return;
    for (const pane of document.querySelectorAll(".pane")) reveal(pane.querySelector(".lit:not(.place, .ribbon)"));
    document.querySelector('.place[aria-pressed="true"]')?.scrollIntoView({ block: "nearest" });  // the inspector may have covered it
  }, [pinned]);
  useEffect(() => {
    const key = (event) => { if (event.key === "Escape") { setPinned(null); setFilter(""); setOpened([]); } };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, []);
  useEffect(() => { if (read && samples && !state.in) set((old) => (old.in ? {} : sampled(samples.find((one) => one.message.protocol === old.from)))); }, [read, samples, state.from]);
  const schema = openapi?.components.schemas.ConvertRequest.properties ?? {};
  const titles = Object.assign(Object.create(null), Object.fromEntries((protocols ?? []).map(({ name, title }) => [name, title])));  // "constructor" is no protocol
  const strange = protocols && openapi ? misfits(state, protocols, schema) : [];
  useEffect(() => {
    if (!strange.length) return;
    setOdd(`This link sets ${strange.slice(0, 5).map((name) => short(`${name}=${state[name]}`)).join(", ")}${strange.length > 5 ? " and more" : ""}, which this page does not know: left out.`);
    set((old) => Object.fromEntries(misfits(old, protocols, schema).map((name) => [name, Object.hasOwn(DEFAULTS, name) ? DEFAULTS[name] : ""])));
  }, [String(strange)]);
  const sampled = (sample) => (sample ? { from: sample.message.protocol, in: pretty(sample.message), form: "json", n: "0" } : {}), take = (sample) => set(sampled(sample));
  const sample = samples?.findIndex((one) => one.message.protocol === state.from && pretty(one.message) === state.in) ?? -1;
  const setFrom = (from) => {
    const next = { from, ...(from === state.to ? { to: state.from } : {}) };
    const first = sample >= 0 && samples.find((one) => one.message.protocol === from);
    set(first ? { ...next, in: pretty(first.message), form: "json", n: "0" } : next);
  };
  const swap = () => set(done ? { from: state.to, to: state.from, in: pretty(done.message), form: "json", n: "0" } : { from: state.to, to: state.from });
  const whole = done?.graph, wanted = useMemo(() => whole && only(whole, filter), [whole, filter]), large = useMemo(() => (wanted ? maps(wanted) : []), [wanted]);
  const own = state.own === "1" || (held && state.own !== "0"), show = (pane) => set({ own: pane === "rules" ? "1" : held ? "0" : "" });
  const write = (rules) => { if (!held) agree(rules); set({ rules }); };
  const change = (table, row) => { const rules = withRow(state.rules, table, row); if (!held) agree(rules); set({ rules, own: "1" }); goToRules(); };
  const graph = useMemo(() => wanted && folded(wanted, large.filter((name) => !opened.includes(name))), [wanted, large, opened]);
  const lit = useMemo(() => litPaths(graph, pinned ?? hot), [graph, pinned, hot]);
  const onPath = (column) => (path) => setHot(path && graph ? nearest(graph, column, path) : null);
  const last = graph ? graph.columns.length - 1 : 1;
  const stale = Boolean(error);
  return html`<${Shell} page="Convert" fault=${unread?.message ?? odd}>
    <h1 class="away">Convert a message</h1>
    ${failed ? html`<p class="told" role="alert">${failed.message}</p>` : null}
    <div class="bar">
      <${Choice} label="From" value=${state.from} onChange=${setFrom} options=${protocols?.map(({ name, title }) => [name, title]) ?? [[state.from, state.from]]} />
      <button class="icon swap" type="button" onClick=${swap} title="Swap: convert the result back" aria-label="Swap source and target">⇄</button>
      <${Choice} label="To" value=${state.to} onChange=${(to) => set(to === state.from ? { to, from: state.to } : { to })} options=${protocols?.map(({ name, title }) => [name, title]) ?? [[state.to, state.to]]} />
      <${Choice} label="Profile" title=${schema.profile?.description} value=${state.profile} onChange=${(profile) => set({ profile })} options=${(schema.profile?.enum ?? [state.profile]).map((name) => [name, name])} />
      <${Options} schema=${schema} state=${state} set=${set} routes=${routes} />
      <div class="push"><${Share} state=${state} /></div>
    </div>
    <div class="bench">
      <section class="pane source" aria-label="Source">
        ${own ? html`<div class="head"><${Tabs} label="Message or rules" value="rules" names=${PANES} onChange=${show} /></div>
          <${OwnRules} state=${state} set=${set} error=${error} done=${latest} held=${held} write=${write} />`
          : html`<${Source} state=${state} set=${set} samples=${samples ?? []} sample=${sample} take=${take} titles=${titles} error=${error} done=${done} parts=${(error ?? latest)?.parts ?? []} lit=${lit[0]} onPath=${onPath(0)}
            tabs=${html`<${Tabs} label="Message or rules" value="message" names=${PANES} onChange=${show} />`} />`}
      </section>
      <section class="pane middle" aria-label="Picture of the conversion">
        ${done ? html`<${Invalid} parts=${done.parts} set=${set} />` : null}
        ${done?.unwritten && !error ? html`<div class="told mild"><p><${Mark} outcome="changed" /><span>The message is converted, but has no wire bytes yet. ${done.unwritten.message}</span></p><${Remedy} error=${done.unwritten} schema=${schema} state=${state} set=${set} /></div>` : null}
        ${held ? html`<div class="told mild" role="alert"><p><${Mark} outcome="changed" /><span>This link brings rules of its own, which change the conversion. Read them under Rules: nothing is sent before you choose.</span></p>
          <p class="choose"><button type="button" class="button" onClick=${() => { agree(state.rules); set({ own: "1" }); }}>Use these rules</button><button type="button" class="button" onClick=${() => set({ rules: "" })}>Convert without them</button></p></div>` : null}
        ${error ? html`<${Failure} error=${error} schema=${schema} state=${state} set=${set} />` : null}
        ${graph ? html`<div class=${stale ? "stale" : ""}>
          <div class="head"><h2 class="sentence">${summary(done.report.summary)}</h2><${Numbers} graph=${whole} filter=${filter} setFilter=${setFilter} opened=${opened.filter((name) => large.includes(name))} close=${(name) => setOpened(opened.filter((one) => one !== name))} /></div>
          ${done.tables.length ? html`<div class="scroll"><${Picture} graph=${graph} titles=${done.names.map((name) => titles[name] ?? name)} hot=${hot} pinned=${pinned} setHot=${setHot} setPinned=${setPinned} open=${(names) => setOpened([...opened, ...names])} /></div>
            <${Inspector} graph=${graph} hot=${hot} pinned=${pinned} tables=${done.tables} change=${schema.rules ? change : null} />`
            : html`<p class="inspector hint">Source and target are the same protocol: nothing changes.</p>`}
        </div>` : error || held ? null : html`<p class="hint pad">${state.in.trim() ? "Converting…" : "Paste a message on the left, or choose a sample."}</p>`}
      </section>
      <section class="pane result" aria-label="Result">
        <${Result} state=${state} set=${set} done=${done} stale=${stale} lit=${lit[last]} onPath=${onPath(last)} titles=${titles} />
      </section>
    </div>
    <div class="extras">
      <${Panel} title="Two profiles side by side" open=${Boolean(state.compare)} onToggle=${(open) => set({ compare: open ? other(schema.profile?.enum, state.profile) : "" })}>
        <${Compare} state=${state} set=${set} done=${done} profiles=${schema.profile?.enum ?? []} />
      <//>
      <${Panel} title="There and back" open=${state.back === "1"} onToggle=${(open) => set({ back: open ? "1" : "" })}>
        <${Back} done=${done} titles=${titles} way=${() => backed(state, done)} />
      <//>
    </div>
  <//>`;
}

const short = (text) => visible(text.length > 40 ? `${text.slice(0, 39)}…` : text);

/** Return the names in a state, which may be a link of another version or of anyone, that have no meaning here, or no such value. */
function misfits(state, protocols, schema) {
  const among = (names) => (value) => names.includes(value), flag = among(["0", "1"]), profile = among(schema.profile.enum), protocol = among(protocols.map(({ name }) => name));
  const own = { from: protocol, to: protocol, profile, compare: profile, form: among(Object.keys(FORMS)), view: among(Object.keys(FORMS)), look: among(["bytes"]), back: flag, own: flag, n: (value) => /^\d+$/.test(value), in: () => true, rules: () => true };
  return Object.keys(state).filter((name) => state[name] !== "" && !(Object.hasOwn(own, name) ? own[name](state[name]) : Object.hasOwn(schema, name) && !OWN.has(name)));
}

const other = (profiles = [], profile) => profiles.find((one) => one.startsWith("rabbitmq") && one !== profile) ?? profiles.find((one) => one !== profile) ?? "";

/** Field paths of each column on the trail of a node or edge. */
function litPaths(graph, id) {
  if (!graph || id === null) return [];
  const start = graph.columns.flat().find((node) => node.id === id) ?? graph.edges.find((edge) => edge.id === id);
  if (!start) return [];
  const { nodes } = trail(graph, start);
  return graph.columns.map((column) => column.filter((node) => nodes.has(node)).map((node) => node.path));
}

/** The node of a column at a path, or the node that contains the path. */
function nearest(graph, column, path) {
  const found = graph.columns[column].filter((node) => path === node.path || path.startsWith(`${node.path}.`) || path.startsWith(`${node.path}[`));
  return found.sort((one, two) => two.path.length - one.path.length)[0]?.id ?? null;
}

const Choice = ({ label, value, onChange, options, id, title }) => html`<label class="choice" title=${title}><span>${label}</span>
  <select id=${id ?? label.toLowerCase()} aria-label=${label} value=${value} onChange=${(event) => onChange(event.target.value)}>
    ${options.map(([name, title]) => html`<option value=${name} selected=${name === value}>${title}</option>`)}
  </select></label>`;

function Panel({ title, open, onToggle, children }) {
  return html`<section class="panel ${open ? "open" : ""}">
    <h2><button type="button" aria-expanded=${open} onClick=${() => onToggle(!open)}><span class="turn" aria-hidden="true">›</span>${title}</button></h2>
    ${open ? html`<div class="inside">${children}</div>` : null}
  </section>`;
}

/** The options of this conversion, and of the way back if it is shown, in the service's OpenAPI document: not those that only other routes have. */
function Options({ schema, state, set, routes = [] }) {
  const [open, setOpen] = useState(false), box = useRef();
  const others = new Set(routes.flatMap((route) => route.options)), optionsOf = (from, to) => routes.find((route) => route.from === from && route.to === to)?.options ?? [];
  const own = [...optionsOf(state.from, state.to), ...(state.back ? optionsOf(state.to, state.from) : [])];
  const names = Object.keys(schema).filter((name) => !OWN.has(name) && (!others.has(name) || own.includes(name) || state[name])), chosen = names.filter((name) => state[name]);
  names.sort((one, other) => (typeOf(schema[one]) === "object") - (typeOf(schema[other]) === "object"));  // that of many names is the rarest
  const button = useRef();
  useEffect(() => {
    const away = (event) => {
      const inside = box.current?.contains(event.key ? document.activeElement : event.target);
      if (event.key === "Escape" && inside) button.current.focus();  // the keyboard goes on where it opened them
      if (event.key === "Escape" || (event.type === "pointerdown" && !inside)) setOpen(false);
    };
    addEventListener("pointerdown", away);
    addEventListener("keydown", away);
    return () => { removeEventListener("pointerdown", away); removeEventListener("keydown", away); };
  }, []);
  return html`<div class="options" ref=${box}>
    <button type="button" class="button" ref=${button} aria-expanded=${open} onClick=${() => setOpen(!open)}>Options${chosen.length ? html` <b>${chosen.length}</b>` : null}</button>
    ${open ? html`<div class="sheet">${names.map((name) => html`<${Option} name=${name} part=${schema[name]} value=${state[name] ?? ""} set=${set} />`)}</div>` : null}
  </div>`;
}

function Option({ name, part, value, set }) {
  const title = name.replaceAll("_", " "), said = part.default === null || part.default === undefined ? "" : String(part.default);
  const words = html`<small>${(part.description ?? "").replaceAll("`", "")}</small>`, list = enumOf(part);
  if (typeOf(part) === "boolean") return html`<label class="option check"><input type="checkbox" checked=${value === "true"} onChange=${(event) => set({ [name]: event.target.checked ? "true" : "" })} /><span>${title}${words}</span></label>`;
  const input = list
    ? html`<select value=${value || said} onChange=${(event) => set({ [name]: event.target.value === said ? "" : event.target.value })}>
        ${said ? null : html`<option value="">default</option>`}${list.map((one) => html`<option value=${one} selected=${one === (value || said)}>${one}</option>`)}</select>`
    : html`<input type="text" inputmode=${typeOf(part) === "integer" ? "numeric" : "text"} value=${value} placeholder=${typeOf(part) === "object" ? "name=value name=value" : said} onInput=${(event) => set({ [name]: event.target.value.trim() })} />`;
  return html`<label class="option"><span>${title}</span>${input}${words}</label>`;
}

/** Scroll a line into the view of its own box. The page stays: on a phone it would leave the field that was chosen. */
function reveal(line) {
  const box = line?.closest(".editor, .listing, .dump");
  if (!box) return;
  const room = box.getBoundingClientRect(), there = line.getBoundingClientRect();
  box.scrollTop += Math.min(0, there.top - room.top) || Math.max(0, there.bottom - room.bottom);
}

const LONGEST_LINK = 2 ** 13;

/** Copy the page's link; a link that mail and chats would cut becomes a file, which the page opens again. */
function Share({ state }) {
  const [said, setSaid] = useState("");
  const share = async () => {
    if (location.href.length > LONGEST_LINK) {
      save("conversion.mqconvert.json", JSON.stringify({ mqconvert: state }), "application/json");
      setSaid("Saved as a file");
    } else
      try { await navigator.clipboard.writeText(location.href); setSaid("Link copied"); } catch { setSaid("Copy the address of this page"); }
    setTimeout(() => setSaid(""), 2500);
  };
  return html`<button type="button" class="button primary" onClick=${share} aria-live="polite">${said || "Copy link"}</button>`;
}

function save(name, content, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Return the state in a file of Share, or null. */
function savedState(text) {
  let saved;
  try { saved = JSON.parse(text).mqconvert; } catch { return null; }
  return saved ? Object.fromEntries(Object.entries(saved).filter(([, one]) => typeof one === "string")) : null;
}

// ---- the source -------------------------------------------------------------------------------------------------------

function Source({ state, set, samples, sample, take, titles, error, done, parts, lit, onPath, tabs }) {
  const [over, setOver] = useState(false), [note, setNote] = useState(null), file = useRef(), latest = useRef();
  const forms = formsOf(state.in), faulty = state.form === "json" && !error?.problem.file ? error?.problem.line : undefined;
  const written = useMemo(() => (done && pretty(done.source) === visibleJson(state.in) ? lines(done.source) : null), [done, state.in]);
  /** Handle new text: recognise its form, read the protocol of JSON, and request that of bytes. */
  const typed = (text, bold = false) => {
    const seen = formsOf(text), form = seen.length && !seen.includes(state.form) ? seen[0] : state.form, next = { in: text, form, n: "0" };
    setNote(null);
    if (form === "json") {
      let protocol;
      try { protocol = JSON.parse(text)?.protocol; } catch { /* not yet */ }
      if (titles[protocol] && protocol !== state.from) Object.assign(next, { from: protocol }, protocol === state.to ? { to: state.from } : {});
    }
    set(next);
    latest.current = text;
    if (form !== "json" && text.trim()) recognize(text, form, bold);
  };
  const recognize = async (text, form, bold) => {
    let protocols, begin, begins;
    try { ({ protocols, begin, broken_off: begins } = await ask("v1/recognize", { wire: toBase64(bytesOf(text, form)) })); } catch { return; }
    if (latest.current !== text) return;  // the answer is about older text
    const [first] = protocols;
    if (begin) return setNote({ text: `This looks like a captured frame: its message${first ? `, ${titles[first]},` : ""} begins at byte ${begin}.`, from: first, begin });
    const begun = begins.includes(state.from) ? state.from : begins[0];
    const framed = isDump(text) ? " From a captured frame, copy the message without the headers before it." : "";
    if (begun) return setNote({ text: `This begins like ${titles[begun]}, but ends within a message.${framed}`, from: begun === state.from ? undefined : begun });
    if (!first || protocols.includes(state.from)) return setNote(first ? { text: `Reads as ${titles[state.from]}.` } : { text: `These bytes are not a message of any protocol here.${framed}` });
    if (bold) { set({ from: first, ...(first === state.to ? { to: state.from } : {}) }); setNote({ text: `Recognized: this looks like ${titles[first]}.` }); }
    else setNote({ text: `This looks like ${titles[first]}.`, from: first });
  };
  /** The source without the headers of a captured frame. */
  const behind = ({ begin }) => begin ? { form: "hex", look: "", in: toHex(bytesOf(state.in, state.form).subarray(begin)) } : {};
  const drop = async (one) => {
    setOver(false);
    if (!one) return;
    if (one.size > LARGEST) return setNote({ text: `${one.name} has ${one.size} bytes; this page takes files of up to ${LARGEST} bytes. Use /v1/convert/batch for archives.` });
    const bytes = new Uint8Array(await one.arrayBuffer()), text = textOf(bytes), saved = text && savedState(text);
    if (saved) return set({ ...DEFAULTS, ...saved });
    typed(text !== null && formsOf(text)[0] === "json" ? text : toHex(bytes), true);
    setNote((old) => old ?? { text: `${one.name}, ${one.size} bytes.` });
  };
  const [wire] = useAnswer(() => (state.look ? wired(state).catch(() => null) : null), [state.look, state.in, state.form, state.from]);
  const change = async (form) => {
    if (form === "bytes") return set({ look: form });
    if (form === state.form) return set({ look: "" });
    try {
      if (form === "json") return set({ form, look: "", n: "0", in: pretty(done?.source ?? await chosenOf(state)) });
      const bytes = await wired(state);
      set({ form, look: "", in: form === "hex" ? toHex(fromBase64(bytes)) : bytes });
    } catch (told) { setNote({ text: told.message, bad: true }); }
  };
  return html`
    <div class="head">${tabs}<${Tabs} label="Form of the source" value=${state.look || state.form} names=${{ ...FORMS, bytes: "bytes" }} onChange=${change} /></div>
    <div class="tools">
      <label class="choice grow"><span>Sample</span><select id="sample" aria-label="Sample" value=${sample < 0 ? "" : String(sample)} onChange=${(event) => take(samples[event.target.value])}>
        ${sample < 0 ? html`<option value="" selected>your own</option>` : null}
        ${samples.map((one, at) => one.message.protocol === state.from ? html`<option value=${String(at)} selected=${at === sample}>${one.title}</option>` : null)}
      </select></label>
      <button type="button" class="button" onClick=${() => file.current.click()}>Open file</button>
      <input type="file" class="away" tabindex="-1" aria-label="Open a file" ref=${file} onChange=${(event) => { drop(event.target.files[0]); event.target.value = ""; }} />
    </div>
    <div class="drop ${over ? "over" : ""}" onDragOver=${(event) => { event.preventDefault(); setOver(true); }} onDragLeave=${() => setOver(false)}
      onDrop=${(event) => { event.preventDefault(); drop(event.dataTransfer.files[0]); }}>
      ${state.look && wire ? html`<${Dump} protocol=${state.from} wire=${wire} lit=${lit} onPath=${onPath} label="Source as bytes" />` : html`<${Editor} id="input" label="Message, as ${FORMS[state.form]}" value=${state.in} onInput=${(text) => typed(text)} tokens=${state.form === "json" ? tokens : null} clean=${state.form === "json" ? visibleJson : undefined} mark=${faulty} lit=${lit && written?.map((one) => within(one, lit))} describedby="source-note"
        onPaste=${(event) => { if (event.target.value === "" || event.target.selectionEnd - event.target.selectionStart === event.target.value.length) { event.preventDefault(); typed(event.clipboardData.getData("text"), true); } }} />`}
    </div>
    <p class="foot" id="source-note" aria-live="polite">
      ${note ? html`<span class=${note.bad ? "bad" : ""}>${note.text}</span>` : html`<span>${told(state, wire)}</span>`}
      ${note?.from ? html` <button type="button" class="link" onClick=${() => { set({ ...behind(note), from: note.from, ...(note.from === state.to ? { to: state.from } : {}) }); setNote(null); }}>Use ${note.begin ? "its message" : titles[note.from]}</button>` : null}
      ${forms.length > 1 ? html` <button type="button" class="link" onClick=${() => set({ form: forms.find((one) => one !== state.form) })}>Read it as ${forms.find((one) => one !== state.form)}</button>` : null}
      ${parts.length > 1 ? html` <label>Message <select value=${state.n} onChange=${(event) => set({ n: event.target.value })}>${parts.map((fault, at) => html`<option value=${String(at)} selected=${String(at) === state.n}>${at + 1}${fault ? ", invalid" : ""}</option>`)}</select> of ${parts.length}</label>` : null}
    </p>`;
}

/** Say what the source pane shows; `wire` are the bytes of a message that was written as JSON. */
function told(state, wire) {
  if (!state.in.trim()) return "Paste hex, a hex dump, base64 or JSON, or drop a file here.";
  if (state.look && wire) { const { length } = fromBase64(wire); return `${length} bytes: point at one to see its field.`; }
  if (state.form === "json") return "A message in its JSON form; bytes are base64.";
  try { const { length } = bytesOf(state.in, state.form); return `${length} ${length === 1 ? "byte" : "bytes"} in ${state.form}.`; } catch (error) { return error.message; }
}

const Tabs = ({ label, value, names, onChange }) => html`<div class="tabs" role="group" aria-label=${label}>
  ${Object.entries(names).map(([name, title]) => html`<button type="button" aria-pressed=${name === value} onClick=${() => onChange(name)}>${title}</button>`)}
</div>`;

/** The options that avoid an error: its remedy, and the caller's value in its field; with inputs to set them. */
function Remedy({ error, schema, state, set }) {
  const { remedy, field } = error.problem;
  const names = [...new Set([remedy?.option, field?.startsWith("@") && field.slice(1)])].filter((name) => schema[name] && !OWN.has(name));
  if (!names.length) return null;
  return html`<div class="remedy">${names.map((name) => html`<${Option} name=${name} part=${schema[name]} value=${state[name] ?? ""} set=${set} />`)}</div>`;
}

/** The invalid ones of several messages, beside the picture of a valid one. */
function Invalid({ parts, set }) {
  const first = parts.findIndex(Boolean), count = parts.filter(Boolean).length;
  if (!count) return null;
  return html`<div class="told mild" role="alert"><p><${Mark} outcome="changed" /><span>${count} of ${parts.length} messages ${count === 1 ? "is" : "are"} invalid. ${parts[first].message}${" "}
    <button type="button" class="link" onClick=${() => set({ n: String(first) })}>Show message ${first + 1}</button></span></p></div>`;
}

function Failure({ error, schema, state, set }) {
  const { offset, code } = error.problem;
  let near = null;
  if (offset !== undefined && state.form !== "json") {
    try {
      const bytes = bytesOf(state.in, state.form), begin = Math.max(0, offset - 8);
      near = [toHex(bytes.subarray(begin, offset)), toHex(bytes.subarray(offset, offset + 1)) || "end", toHex(bytes.subarray(offset + 1, offset + 9))];
    } catch { /* the text says enough */ }
  }
  return html`<div class="told" role="alert"><p><${Mark} outcome="lost" /><span>${error.message}</span></p>
    ${near ? html`<p class="near"><code>${near[0]} <mark>${near[1]}</mark> ${near[2]}</code></p>` : null}
    <${Remedy} error=${error} schema=${schema} state=${state} set=${set} />
    ${code && code !== "unreachable" ? html`<p class="code">error code ${code}</p>` : null}</div>`;
}

// ---- the result -------------------------------------------------------------------------------------------------------

function Result({ state, set, done, stale, lit, onPath, titles }) {
  const [said, setSaid] = useState("");
  const bytes = useMemo(() => (done?.wire ? fromBase64(done.wire) : null), [done]);
  const text = !done ? "" : state.view === "json" ? pretty(done.message) : !bytes ? "" : state.view === "hex" ? toHex(bytes) : done.wire;
  const copy = async () => {
    try { await navigator.clipboard.writeText(text); setSaid("Copied"); } catch { setSaid("Not allowed"); }
    setTimeout(() => setSaid(""), 2000);
  };
  const download = () => {
    const json = state.view === "json";
    save(`${state.to}.${json ? "json" : "bin"}`, json ? `${text}\n` : bytes, json ? "application/json" : "application/octet-stream");
  };
  return html`
    <div class="head"><h2>Result</h2><${Tabs} label="Form of the result" value=${state.view} names=${FORMS} onChange=${(view) => set({ view })} /></div>
    <div class="tools">
      <span class="grow muted">${titles[state.to] ?? state.to}${bytes ? `, ${bytes.length} bytes` : ""}</span>
      <button type="button" class="button" disabled=${!text || stale} onClick=${copy} aria-live="polite">${said || "Copy"}</button>
      <button type="button" class="button" disabled=${!text || stale} onClick=${download}>Download</button>
    </div>
    <div class="out ${stale ? "stale" : ""}" id="output">
      ${!done ? null : state.view === "json" ? html`<${Listing} label="Result as JSON" lines=${lines(done.message)} tokens=${tokens} lit=${lit} onPath=${onPath} />`
        : bytes && state.view === "hex" ? html`<${Dump} protocol=${state.to} wire=${done.wire} lit=${lit} onPath=${onPath} label="Result as hex" />`
        : bytes ? html`<div class="listing wire" tabindex="0" role="region" aria-label="Result as ${state.view}">${text}</div>`
        : html`<p class="hint pad">${done.unwritten?.message}</p>`}
    </div>
    <p class="foot">${done?.unwritten ? html`<span class="bad">No wire bytes</span>` : done ? html`<span class="muted">${done.tables.join(", then ") || "identity"} · tables ${done.report.hash || "none"}</span>` : null}</p>`;
}

render(html`<${Convert} />`, document.getElementById("app"));
