// A second conversion to compare: with another profile, or on the way back.
import { Mark, ask, html, known, useAnswer, worded } from "./lib.js";
import { Listing } from "./editor.js";
import { WORST, equal, trail } from "./flow.js";
import { at, lines, numbering, shown, tokens } from "./json.js";
import { told } from "./picture.js";
import { visible } from "./visible.js";

const isPairs = (value) => Array.isArray(value) && value.length > 0 && value.every((one) => Array.isArray(one) && one.length === 2);

/** The values of a message by field path; a typed value, list or body counts as one. */
export function flat(message) {
  const found = new Map();
  const walk = (value, path) => {
    const number = numbering();
    if (isPairs(value)) for (const [key, one] of value) found.set(number(`${path}[${JSON.stringify(String(key?.value ?? key))}]`), one);
    else if (value !== null && typeof value === "object" && !Array.isArray(value) && !("type" in value && "value" in value))
      for (const [name, one] of Object.entries(value)) walk(one, path ? `${path}.${name}` : name);
    else found.set(path, value);
  };
  walk(message, "");
  found.delete("protocol");
  return found;
}

const cut = (text) => (text.length > 90 ? `${text.slice(0, 89)}…` : text);

/** Return the paths with different values in two maps, each with both values. */
function differences(one, other) {
  return [...new Set([...one.keys(), ...other.keys()])]
    .filter((path) => JSON.stringify(one.get(path)) !== JSON.stringify(other.get(path)))
    .map((path) => [path, one.get(path), other.get(path)]);
}

/** Return the entries of a report for source fields that did not arrive. */
const notes = (report, number = numbering()) => new Map(["lost", "dropped"].flatMap((kind) => report[kind].map((entry) => [number(`${entry.field} (${entry.leg})`), { kind, field: entry.field, rule: entry.rule, note: entry.note ?? entry.reason }])));

export function Compare({ state, set, done, profiles }) {
  const { base, source } = done ?? {};
  const [found, error] = useAnswer(() => done && Promise.all([ask("v1/convert", { ...base, profile: state.compare, message: source, fields: ["message", "report"] }), known(`v1/schemas/${base.to}`)]), [done, state.compare]);
  const rest = profiles.filter((name) => name !== state.profile);
  const choice = html`<label class="choice"><span>Compare ${state.profile} with</span><select id="compare" value=${state.compare} onChange=${(event) => set({ compare: event.target.value })}>${rest.map((name) => html`<option value=${name} selected=${name === state.compare}>${name}</option>`)}</select></label>`;
  if (error) return html`${choice}<p class="told" role="alert">${error.message}</p>`;
  if (!found || !done) return choice;
  const [answer, schema] = found, value = (message, path) => { const place = at(message, path, schema); return { value: place.value, ...shown(place, schema) }; };
  const places = differences(flat(done.message), flat(answer.message)), fates = differences(notes(done.report), notes(answer.report)), marked = places.map(([path]) => path);
  return html`${choice}
    ${places.length + fates.length ? html`<div class="scroll"><table class="plain-table trips"><thead><tr><th>place</th><th>${state.profile}</th><th>${state.compare}</th></tr></thead><tbody>
      ${places.map(([path]) => html`<tr><td><code>${visible(path)}</code></td>${[[state.profile, done], [state.compare, answer]].map(([name, { message }]) => html`<td data-of=${name}><${Value} node=${value(message, path)} /></td>`)}</tr>`)}
      ${fates.map(([path, one, two]) => html`<tr><td><code>${visible((one ?? two).field)}</code></td>${[one, two].map((fate, at) => html`<td data-of=${[state.profile, state.compare][at]}>${fate ? html`<span class="word ${fate.kind}"><${Mark} outcome=${fate.kind} />${fate.kind}</span> ${visible(fate.note ?? "")}` : html`<span class="muted">converted</span>`}</td>`)}</tr>`)}
    </tbody></table></div>` : html`<p class="same"><${Mark} outcome="applied" /> Both profiles convert this message in the same way.</p>`}
    <div class="beside">${[[state.profile, done], [state.compare, answer]].map(([name, one]) => html`<div><h3>${name}</h3><${Listing} label="Result under ${name}" lines=${lines(one.message)} tokens=${tokens} marked=${marked} /></div>`)}</div>`;
}

/** A field of the source after the way there and back: its outcome, the field that came back, and where it stayed. */
function returned(there, back) {
  const [first] = back.columns, ends = back.columns.at(-1), turn = there.columns.length - 1, sent = there.columns[0].filter((one) => !one.caller);
  const own = new Set(sent.map(({ path }) => path)), claimed = new Set();
  const rows = sent.map((node) => {
    const out = trail(there, node, "forward"), halfway = first.filter((one) => [...out.nodes].some(({ column, path }) => column === turn && path === one.path));
    const home = halfway.map((one) => trail(back, one, "forward"));
    const here = ends.find(({ path }) => path === node.path), made = here && back.edges.filter(({ to }) => to === here).map(({ from }) => from);
    const options = made?.every(({ caller, path }) => caller && path !== "@constant") ? made.map(({ path }) => path.slice(1)) : [];
    const others = home.flatMap(({ nodes }) => [...nodes]).filter((one) => ends.includes(one)), came = here ?? others.find(({ path }) => !own.has(path)), [whole] = others;
    if (came) claimed.add(came);
    if (came && !options.length) return { node, came, kind: came === here && equal(node, came) ? "applied" : "changed", note: came === here ? "" : `as ${came.path}` };
    if (whole && !here) return { node, kind: "changed", note: `part of ${whole.path}` };
    const stayed = worst(home.flatMap(({ edges }) => edges)), found = halfway.length && stayed ? ["back", stayed] : ["there", worst(out.edges)], [way, edge] = found;
    const notes = [edge && `on the way ${way}: ${edge.note ?? edge.row?.note ?? worded(edge.kind)}`, options.length && `the option ${options.join(", ")} sets it`];
    return { node, came, kind: edge && !edge.to ? edge.kind : "lost", note: notes.filter(Boolean).join("; ") };
  });
  return [...rows, ...ends.filter((one) => !claimed.has(one) && !own.has(one.path)).map((came) => ({ came }))];
}

/** Return the edge of a field that says most why it ends: an implied one (`to`) if there is no other. */
const worst = (edges) => WORST.map((kind) => edges.find((edge) => edge.kind === kind && !edge.to)).find(Boolean) ?? edges.find(({ note }) => note);

/** Return the numbers of a summary: fields that are elsewhere, or only came back, do not count. */
function summed(rows) {
  const count = (kind) => rows.filter((row) => row.kind === kind).length, [unchanged, changed, by_rule, lost] = ["applied", "changed", "dropped", "lost"].map(count);
  return { fields: unchanged + changed + by_rule + lost, arrive: unchanged + changed, unchanged, changed, by_rule, lost };
}

const Value = ({ node }) => (node ? html`${node.text ? html`<bdi>${cut(node.text)}</bdi>` : html`<span class="muted">${node.value === undefined ? "unset" : "empty"}</span>`}${node.type ? html` <span class="type">${node.type}</span>` : null}` : null);

/** The way back; `way` makes the conversion of the result to the source's protocol. */
export function Back({ done, titles, way }) {
  const [back, error] = useAnswer(() => (done?.tables.length ? way() : null), [done]);
  if (error) return html`<p class="told" role="alert">${error.message}</p>`;
  if (done && !done.tables.length) return html`<p class="hint">Source and target are the same protocol: nothing changes.</p>`;
  if (!back || !done) return null;
  const rows = returned(done.graph, back.graph), names = [...done.names, ...back.names.slice(1)].map((name) => titles[name] ?? name);
  return html`<p class="lead">${names.join(" → ")}: <b>${told(summed(rows))}</b>.</p>
    <div class="scroll"><table class="plain-table trips"><thead><tr><th scope="col">field</th><th scope="col">sent</th><th scope="col">came back</th><th scope="col">outcome</th></tr></thead><tbody>
      ${rows.map(({ node, came, kind, note }) => html`<tr><td><code>${visible((node ?? came).path)}</code></td><td data-of="sent"><${Value} node=${node} /></td><td data-of="came back"><${Value} node=${came} /></td>
        <td>${kind ? html`<span class="word ${kind}"><${Mark} outcome=${kind} />${worded(kind)}</span>` : html`<span class="muted">added</span>`} ${visible(note ?? "")}</td></tr>`)}
    </tbody></table></div>`;
}
