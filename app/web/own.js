// The user's own rules: an overlay in TOML beside the message.
import { OWN_RULES, html, useAnswer, useLayoutEffect, useRef } from "./lib.js";
import { Editor } from "./editor.js";
import { tomlTokens } from "./json.js";
import { documentation } from "./shell.js";

/** Return a value in TOML. */
function toml(value) {
  if (Array.isArray(value)) return `[${value.map(toml).join(", ")}]`;
  if (value !== null && typeof value === "object") return `{ ${Object.entries(value).map(([name, one]) => `${JSON.stringify(name)} = ${toml(one)}`).join(", ")} }`;
  return JSON.stringify(value);
}

/** Return an overlay with a row that replaces one of a table, with all of its columns to be changed. */
export function withRow(overlay, table, row) {
  const columns = Object.entries(row).filter(([name]) => !["id", "file", "line", "cite", "note"].includes(name));
  const line = `  { replace = ${toml(row.id)}, ${columns.map(([name, value]) => `${name} = ${toml(value)}`).join(", ")} },`;
  const made = row.to || row.set || row.via || row.error || row.lost ? [line] : ["  # Without `to`, the field is dropped.", line];
  const lines = (overlay.trim() ? overlay : 'title = "Mine"\n').replace(/\n$/, "").split("\n"), head = lines.findIndex((one) => one.trim() === `["${table}"]`);
  const rows = head < 0 ? -1 : lines.findIndex((one, at) => at > head && /^rules = \[\s*$/.test(one));
  if (rows > 0) lines.splice(rows + 1, 0, ...made);
  else if (head < 0) lines.push("", `["${table}"]`, "rules = [", ...made, "]");
  else lines.splice(head + 1, 0, "rules = [", ...made, "]");
  return `${lines.join("\n")}\n`;
}

const LABEL = "Overlay in TOML", NOTE = "own-note", PLAIN = "own-rules";

/** Show the editor and take the keyboard there: the button that changed a rule may be a screen away, and goes with its field. */
export const goToRules = () => requestAnimationFrame(() => {
  document.querySelector(".source").scrollIntoView({ block: "nearest" });
  (document.getElementById(PLAIN) ?? document.querySelector(".overlay").shadowRoot.querySelector("[contenteditable]")).focus({ preventScroll: true });
});

/** The editor with completion. The plain one serves until it is loaded, and if it cannot be loaded. */
function Overlay({ value, onInput, line, error, profile }) {
  const host = useRef(), editor = useRef(), latest = useRef();
  latest.current = { onInput, profile };
  const [loaded, failed] = useAnswer(async () => {
    const { overlayEditor } = await import("./overlay.js"), plain = document.getElementById(PLAIN);
    return { overlayEditor, at: plain && plain === document.activeElement ? plain.selectionStart : null };
  }, []);
  useLayoutEffect(() => {
    if (!loaded) return undefined;
    const { overlayEditor, at } = loaded, note = document.getElementById(NOTE);
    editor.current = overlayEditor(host.current, { value, label: LABEL, note, onInput: (text) => latest.current.onInput(text), profile: () => latest.current.profile });
    if (at !== null) editor.current.focus(at);
    return () => editor.current.destroy();
  }, [loaded]);
  useLayoutEffect(() => editor.current?.show(value), [loaded, value]);  // before the next key, or its text would be lost
  useLayoutEffect(() => editor.current?.mark(line), [loaded, error]);
  if (loaded) return html`<div class="overlay" ref=${host}></div><p class="hint">Ctrl+Space lists the names that fit: rows, places, words.</p>`;
  return html`<${Editor} id=${PLAIN} label=${LABEL} value=${value} onInput=${onInput} tokens=${tomlTokens} mark=${line} numbers rows=${10} describedby=${NOTE} />
    ${failed ? html`<p class="hint">The editor that completes names could not be loaded. This plain one takes the same rules.</p>` : null}`;
}

export function OwnRules({ state, set, error, done, held, write }) {
  const own = error?.problem.file === OWN_RULES, line = own ? error.problem.line : undefined;
  const applied = done?.report.applied.find((entry) => entry.leg === 1 && !entry.from.startsWith("@"))?.rule;
  const example = [`["${done?.tables[0] ?? `${state.from} -> ${state.to}`}"]`, "# This removes a row. The page Rules lists the ids of rows.", `remove = ["${applied ?? "ROW"}"]`, "rules = [", "]"];
  const start = () => write(["title = \"Mine\"", "", ...example.map((each) => (applied || each.startsWith("#") ? each : `# ${each}`)), ""].join("\n"));  // no row is known before a result
  const refused = error?.problem.code === "rules_refused", guide = documentation("tutorial-overlay.html");
  return html`<div class="own">
    <p class="lead">${guide ? html`<a href=${guide}>An overlay</a>` : "An overlay"} in TOML: its rows add rules, replace them or remove them. It applies to this conversion and is part of the page’s link.
      ${state.rules ? html` <button type="button" class="link" onClick=${() => set({ rules: "" })}>Clear</button>` : html` <button type="button" class="link" onClick=${start}>Begin with an example</button>`}</p>
    <${Overlay} value=${state.rules} onInput=${write} line=${line} error=${error} profile=${state.profile} />
    <p class="foot" id="own-note" aria-live="polite">${refused ? html`<span class="bad">This service takes no rules with a request. Start it with <code>MQCONVERT_ALLOW_RULES=on</code>, as <code>make serve</code> does.</span>`
      : own ? html`<span class="bad">${error.message}</span>` : held ? html`<span>These rules wait for your choice.</span>` : state.rules.trim() && !error ? html`<span>These rules are in force.</span>` : null}</p>
  </div>`;
}
