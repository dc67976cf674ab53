// Fidelity: every pair of protocols as a cell, and the fields of the chosen one.
import { GLYPH, SAID, WORDS, count, forecasts, pathOf } from "./forecast.js";
import { convertLink, html, known, render, useAnswer, useEffect, useFragment, useState, worded } from "./lib.js";
import { Shell } from "./shell.js";

const DEFAULTS = { profile: "documented", payload: "body", from: "", to: "", side: "there", show: "survives" };
const PAYLOADS = [["body", "the body"], ["envelope", "the whole message"]];
const Glyph = ({ word }) => html`<span class="mark ${word}" aria-hidden="true">${GLYPH[word]}</span>`;

function Fidelity() {
  const [state, set, , unread] = useFragment(DEFAULTS);
  const [protocols, failed] = useAnswer(() => known("v1/protocols"), []);
  const [openapi] = useAnswer(() => known("openapi.json"), []);
  const [ways, missing] = useWays(state.profile, state.payload);
  const profiles = openapi?.components.schemas.ConvertRequest.properties.profile.enum ?? [state.profile];
  const titles = Object.fromEntries((protocols ?? []).map(({ name, title }) => [name, title]));
  const error = failed ?? missing;
  return html`<${Shell} page="Fidelity" fault=${unread?.message}>
    <div class="intro"><h1>What survives between protocols</h1>
      <p>Small messages with one field each go through the tables that convert yours. A cell counts the fields of the source (row) that reach the target (column).</p></div>
    <div class="controls">
      <div class="tabs" role="group" aria-label="Direction">${[["there", "There"], ["whole", "There and back"]].map(([side, title]) => html`<button type="button" aria-pressed=${state.side === side} onClick=${() => set({ side })}>${title}</button>`)}</div>
      <div class="shows" role="group" aria-label="Outcome that the cells show">${WORDS.map((word) => html`<button type="button" class="chip ${word}" aria-pressed=${state.show === word} title=${SAID[word]} onClick=${() => set({ show: word })}><${Glyph} word=${word} />${worded(word)}</button>`)}</div>
      <label class="choice push"><span>Payload</span><select id="payload" title="Of NSQ, PHPMQ, RocketMQ and Pulsar" onChange=${(event) => set({ payload: event.target.value })}>${PAYLOADS.map(([name, title]) => html`<option value=${name} selected=${name === state.payload}>${title}</option>`)}</select></label>
      <label class="choice"><span>Profile</span><select id="profile" value=${state.profile} onChange=${(event) => set({ profile: event.target.value })}>${profiles.map((name) => html`<option value=${name} selected=${name === state.profile}>${name}</option>`)}</select></label>
    </div>
    ${error ? html`<p class="told" role="alert">${error.message}</p>` : null}
    <div class="split ${state.from ? "open" : ""}">
      <section class="map" aria-label="Matrix">${protocols ? html`<${Matrix} protocols=${protocols} ways=${ways} state=${state} set=${set} />` : null}</section>
      ${state.from && state.to ? html`<section class="detail" aria-label="Fields of the chosen pair"><${Detail} state=${state} set=${set} way=${ways.get(`${state.from} ${state.to}`)} titles=${titles} /></section>` : null}
    </div>
  <//>`;
}

function useWays(profile, payload) {
  const [ways, setWays] = useState(new Map()), [error, setError] = useState(), [round, setRound] = useState(0);
  useEffect(() => {
    const stop = new AbortController(), found = new Map();
    let again;
    setWays(found);
    setError(undefined);
    forecasts({ profile, payload }, ({ from, to }, digest) => { found.set(`${from} ${to}`, digest); if (!stop.signal.aborted) setWays(new Map(found)); }, stop.signal)
      .catch((failed) => { setError(failed); if (failed.wait) again = setTimeout(() => setRound(round + 1), failed.wait * 1000); });
    return () => { stop.abort(); clearTimeout(again); };
  }, [profile, payload, round]);
  return [ways, error];
}

function Matrix({ protocols, ways, state, set }) {
  const walk = (event, row, column) => {
    const steps = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] }[event.key];
    if (!steps) return;
    event.preventDefault();
    let [y, x] = [row + steps[0], column + steps[1]];
    if (y === x) { y += steps[0]; x += steps[1]; }
    document.getElementById(`cell-${y}-${x}`)?.focus();
  };
  return html`<table class="matrix"><caption class="away">Share of fields that ${state.show === "survives" ? "survive" : `are “${worded(state.show)}”`}, from the row to the column</caption>
    <thead><tr><td class="corner"><span>from ↓ to →</span></td>${protocols.map(({ title }) => html`<th scope="col">${title}</th>`)}</tr></thead>
    <tbody>${protocols.map((source, row) => html`<tr><th scope="row">${source.title}</th>
      ${protocols.map((target, column) => html`<td>${row === column ? html`<span class="cell same">same</span>` : html`<${Cell} way=${ways.get(`${source.name} ${target.name}`)} state=${state}
        id="cell-${row}-${column}" label="${source.title} to ${target.title}" chosen=${state.from === source.name && state.to === target.name}
        first=${row === 0 && column === 1} onClick=${() => set({ from: source.name, to: target.name })} onKeyDown=${(event) => walk(event, row, column)} />`}</td>`)}
    </tr>`)}</tbody></table>`;
}

function Cell({ way, state, label, chosen, first, ...rest }) {
  if (!way) return html`<button type="button" class="cell waiting" ...${rest} aria-label="${label}: not known yet"></button>`;
  const counts = count(way, state.side), all = way.fields.size, one = counts[state.show], share = all ? one / all : 0;
  return html`<button type="button" ...${rest} class="cell ${state.show}" aria-pressed=${chosen} tabindex=${chosen || (first && !state.from) ? 0 : -1} style=${{ "--share": `${Math.round(share * 100)}%` }}
    aria-label="${label}: ${one} of ${all} fields: ${worded(state.show)}" title="${label}: ${one} of ${all} fields ${worded(state.show)}">
    <span class="figure">${Math.round(share * 100)}<small>%</small></span><${Bar} counts=${counts} all=${all} /></button>`;
}

const Bar = ({ counts, all }) => html`<span class="bar" aria-hidden="true">${WORDS.map((word) => counts[word] ? html`<i class=${word} style=${{ width: `${(counts[word] / all) * 100}%` }}></i>` : null)}</span>`;

function Detail({ state, set, way, titles }) {
  const [full, error] = useAnswer(() => known(pathOf(state.from, state.to, state)), [state.from, state.to, state.profile, state.payload]);
  const [only, setOnly] = useState("");
  useEffect(() => setOnly(""), [state.from, state.to]);
  if (!way) return html`<p class="hint pad">The forecast is being made…</p>`;
  const lines = Map.groupBy(full?.from === state.from && full?.to === state.to ? full.lines : [], ({ field }) => field.split("[")[0]);
  const counts = count(way, state.side), listed = [...way.fields].filter(([, one]) => !only || one[state.side] === only);
  return html`
    <div class="title"><h2>${titles[state.from]} <span class="muted">→</span> ${titles[state.to]}${state.side === "whole" ? html` <span class="muted">→</span> ${titles[state.from]}` : ""}</h2>
      <button type="button" class="icon" aria-label="Close" onClick=${() => set({ from: "", to: "" })}>×</button></div>
    <div class="tall"><${Bar} counts=${counts} all=${way.fields.size} /></div>
    <div class="shows" role="group" aria-label="Fields to list">${WORDS.filter((word) => counts[word]).map((word) => html`<button type="button" class="chip ${word}" aria-pressed=${only === word} onClick=${() => setOnly(only === word ? "" : word)}><${Glyph} word=${word} /><b>${counts[word]}</b>${worded(word)}</button>`)}</div>
    <p class="links"><a href=${convertLink({ from: state.from, to: state.to, profile: state.profile, payload: state.payload === "body" ? "" : state.payload })}>Convert a sample</a> <a href="rules#from=${state.from}&to=${state.to}">Rules from ${titles[state.from]} to ${titles[state.to]}</a></p>
    ${error ? html`<p class="told" role="alert">${error.message}</p>` : null}
    <ul class="fields">${listed.map(([place, one]) => html`<li class=${one[state.side]}>
      <span class="word ${one.there}"><${Glyph} word=${one.there} />${worded(one.there)}</span>
      <div><p><code>${place}</code>${one.to.length ? html` <span class="muted">→</span> ${one.to.slice(0, 3).map((to, at) => html`${at ? ", " : ""}<code>${to}</code>`)}` : null}</p>
        ${state.side === "whole" ? html`<p class="back">there and back: <span class="word ${one.whole}"><${Glyph} word=${one.whole} />${worded(one.whole)}</span></p>` : null}
        <${Cases} lines=${lines.get(place) ?? []} side=${state.side} /></div></li>`)}</ul>`;
}

/** What decides where values of a field fare differently; the reason alone where all fare the same. */
function Cases({ lines, side }) {
  const [first] = lines;
  if (lines.length < 2) return first && reason(first) ? html`<p class="why">${reason(first)}</p>` : null;
  const told = lines.map((line) => html`<${Case} line=${line} word=${side === "whole" ? line.outcome : line.there} />`);
  return html`<ul class="cases">${told.slice(0, SHOWN)}</ul>
    ${told.length > SHOWN ? html`<details class="why"><summary>and ${told.length - SHOWN} more</summary><ul class="cases">${told.slice(SHOWN)}</ul></details>` : null}`;
}

const SHOWN = 3;

function Case({ line, word }) {
  const { field, values } = line, why = reason(line);
  const key = field.includes("[") && !field.endsWith("[*]") ? html`<code>${field.slice(field.indexOf("["))}</code> ` : null;
  return html`<li class=${word}><${Glyph} word=${word} /><span><b>${worded(word)}</b> ${key}${values}${why ? html` <span class="muted">(${why})</span>` : null}</span></li>`;
}

/** Say why, the other field where the value comes back, and which option avoids it. */
const reason = ({ why, back_to, remedy }) => [why, back_to && `back: as ${back_to}`, remedy && `try the option ${remedy.option}${remedy.value ? `=${remedy.value}` : ""}`].filter(Boolean).join("; ");

render(html`<${Fidelity} />`, document.getElementById("app"));
