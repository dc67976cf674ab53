// A second conversion to compare: with another profile, or on the way back.
import { Mark, ask, html, useAnswer } from "./lib.js";
import { Listing } from "./editor.js";
import { leaves, lines, numbering, tokens } from "./json.js";

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

const written = (value) => (value === undefined ? "" : typeof value === "object" && value !== null && "value" in value ? `${value.type} ${written(value.value)}` : typeof value === "string" ? value : JSON.stringify(value));
/** Return a value without the names of its types, as text. */
const bare = (value) => JSON.stringify(leaves({ value }));
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
  const [answer, error] = useAnswer(() => done && ask("v1/convert", { ...base, profile: state.compare, message: source, fields: ["message", "report"] }), [done, state.compare]);
  const rest = profiles.filter((name) => name !== state.profile);
  const choice = html`<label class="choice"><span>Compare ${state.profile} with</span><select id="compare" value=${state.compare} onChange=${(event) => set({ compare: event.target.value })}>${rest.map((name) => html`<option value=${name} selected=${name === state.compare}>${name}</option>`)}</select></label>`;
  if (error) return html`${choice}<p class="told" role="alert">${error.message}</p>`;
  if (!answer || !done) return choice;
  const found = differences(flat(done.message), flat(answer.message)), fates = differences(notes(done.report), notes(answer.report)), marked = found.map(([path]) => path);
  return html`${choice}
    ${found.length + fates.length ? html`<div class="scroll"><table class="plain-table"><thead><tr><th>place</th><th>${state.profile}</th><th>${state.compare}</th></tr></thead><tbody>
      ${found.map(([path, one, two]) => html`<tr><td><code>${path}</code></td>${[one, two].map((value) => html`<td>${value === undefined ? html`<span class="muted">unset</span>` : html`<code>${cut(written(value))}</code>`}</td>`)}</tr>`)}
      ${fates.map(([path, one, two]) => html`<tr><td><code>${(one ?? two).field}</code></td>${[one, two].map((fate) => html`<td>${fate ? html`<span class="word ${fate.kind}"><${Mark} outcome=${fate.kind} />${fate.kind}</span> ${fate.note}` : html`<span class="muted">converted</span>`}</td>`)}</tr>`)}
    </tbody></table></div>` : html`<p class="same"><${Mark} outcome="applied" /> Both profiles convert this message in the same way.</p>`}
    <div class="beside">${[[state.profile, done], [state.compare, answer]].map(([name, one]) => html`<div><h3>${name}</h3><${Listing} label="Result under ${name}" lines=${lines(one.message)} tokens=${tokens} marked=${marked} /></div>`)}</div>`;
}

export function Back({ done, state, titles }) {
  // The message that was typed may be shorthand, and leave fields to their defaults.
  const [answers, error] = useAnswer(() => done && Promise.all([
    ask("v1/convert", { from: state.from, to: state.from, message: done.source, fields: ["message"] }),
    ask("v1/convert", { ...done.base, from: state.to, to: state.from, message: done.message, fields: ["message", "report"] }),
  ]), [done, state.from, state.to]);
  if (error) return html`<p class="told" role="alert">${error.message}</p>`;
  if (!answers || !done) return null;
  const [sent, came] = answers.map(({ message }) => flat(message)), paths = [...new Set([...sent.keys(), ...came.keys()])];
  const fate = (path) => (!sent.has(path) ? "accounted" : !came.has(path) ? "lost" : bare(sent.get(path)) === bare(came.get(path)) ? "applied" : "changed");
  const WORDS = { applied: "whole", changed: "changed", lost: "gone", accounted: "added" };
  const listed = paths.map((path) => [path, fate(path)]), whole = listed.filter(([, kind]) => kind === "applied").length;
  return html`<p class="lead"><b>${whole} of ${sent.size}</b> values come back whole from ${titles[state.to]} to ${titles[state.from]}.</p>
    <div class="scroll"><table class="plain-table"><thead><tr><th>field</th><th>sent</th><th>came back</th><th>outcome</th></tr></thead><tbody>
      ${listed.map(([path, kind]) => html`<tr><td><code>${path}</code></td><td><code>${cut(written(sent.get(path)))}</code></td><td><code>${cut(written(came.get(path)))}</code></td><td><span class="word ${kind}"><${Mark} outcome=${kind} />${WORDS[kind]}</span></td></tr>`)}
    </tbody></table></div>`;
}
