// A text editor with colours, line numbers and a marked line: a transparent textarea over the coloured text.
import { html, useEffect, useMemo, useRef, useState } from "./lib.js";

export const colour = (found) => found.map(([kind, text]) => (kind ? html`<span class=${kind}>${text}</span>` : text));

/** Texts of more characters or lines are without colours: to lay them out twice would stop the page for seconds. */
const COLOURED = 2 ** 16, LINES = 2000;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** `clean` returns a text with the same meaning, in which every character is seen. `mark` is the number of the wrong line, from 1; `lit` has a flag for each line; `tokens` returns the tokens of a line. */
export function Editor({ id, label, value: given, onInput, onPaste, tokens, mark, lit, numbers = false, rows = 10, describedby, clean = (text) => text }) {
  const marked = useRef(), area = useRef();
  useEffect(() => { marked.current?.scrollIntoView({ block: "nearest" }); }, [mark]);
  const keys = (event) => {
    if (event.key === "Escape") event.target.blur();
  };
  const input = ({ target }) => {
    const text = clean(target.value), caret = clean(target.value.slice(0, target.selectionStart)).length;
    if (text !== target.value) { target.value = text; target.setSelectionRange(caret, caret); }
    onInput(text);
  };
  const value = useMemo(() => clean(given), [given, clean]);
  const all = useMemo(() => (value.length > COLOURED ? [] : value.split("\n")), [value]), plainly = value.length > COLOURED || all.length > LINES;
  const [first, last] = useCaret(area, !plainly && RIGHT_TO_LEFT.test(value));
  return html`<div class="editor ${numbers ? "numbered" : ""} ${plainly ? "plainly" : ""}">
    ${plainly ? null : html`<div class="inked" aria-hidden="true">
      ${all.map((line, at) => html`<div key=${at} class="${at + 1 === mark ? "marked" : lit?.[at] ? "lit" : ""} ${at < first || at > last ? "apart" : ""}" ref=${at + 1 === mark ? marked : null}>${
        tokens ? colour(tokens(line)) : line}${"\u200b"}</div>`)}
    </div>`}
    <textarea id=${id} aria-label=${label} aria-describedby=${describedby} aria-invalid=${mark ? "true" : null} value=${value} rows=${rows} ref=${area}
      spellcheck=${false} autocapitalize="off" autocomplete="off" onInput=${input} onPaste=${onPaste} onKeyDown=${keys} />
  </div>`;
}

/** Return the first and the last line of the selection, where a text is written from right to left: these lines are in the order
 * of the textarea, so that its caret is where the letters are. On all others a key stays before its value. */
function useCaret(area, wanted) {
  const [lines, setLines] = useState(NONE);
  useEffect(() => {
    if (!wanted) return undefined;
    const follow = () => {
      const { value, selectionStart, selectionEnd } = area.current, line = (at) => value.slice(0, at).split("\n").length - 1;
      const found = document.activeElement === area.current ? [line(selectionStart), line(selectionEnd)] : NONE;
      setLines((old) => (String(old) === String(found) ? old : found));
    };
    const events = ["selectionchange", "focusin", "focusout"];
    for (const name of events) document.addEventListener(name, follow);
    return () => { for (const name of events) document.removeEventListener(name, follow); };
  }, [wanted]);
  return wanted ? lines : NONE;
}
const NONE = [Infinity, -1];

const inside = (path, place) => path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`);

/** Return whether a line of JSON is at one of the paths, or contains its complete value. */
export const within = ({ path, whole }, places) => Boolean(path) && places.some((place) => inside(path, place) || (whole && inside(place, path)));

/** Return the style of a line that goes on below under its beginning. */
const hanging = (text) => { const deep = text.search(/\S/) + 2; return { paddingLeft: `calc(14px + ${deep}ch)`, textIndent: `-${deep}ch` }; };

/** JSON as lines. Lines with a path in `lit` are marked, and `onPath` gets the path at the pointer. */
export function Listing({ lines, tokens, lit, marked = [], onPath, label }) {
  return html`<div class="listing" tabindex="0" role="region" aria-label=${label} onMouseLeave=${() => onPath?.(null)}>
    ${lines.map((line) => html`<div style=${hanging(line.text)} class="line ${within(line, lit ?? []) ? "lit" : ""} ${within(line, marked) ? "differs" : ""}"
      onMouseEnter=${onPath && (() => onPath(line.path))}>${colour(tokens(line.text))}</div>`)}
  </div>`;
}
