// A text editor with colours, line numbers and a marked line: a transparent textarea over the coloured text.
import { html, useEffect, useRef } from "./lib.js";

export const colour = (found) => found.map(([kind, text]) => (kind ? html`<span class=${kind}>${text}</span>` : text));

/** `mark` is the number of the wrong line, from 1; `lit` has a flag for each line; `tokens` returns the tokens of a line. */
export function Editor({ id, label, value, onInput, onPaste, tokens, mark, lit, numbers = false, rows = 10, describedby }) {
  const marked = useRef();
  useEffect(() => { marked.current?.scrollIntoView({ block: "nearest" }); }, [mark]);
  const keys = (event) => {
    if (event.key === "Escape") event.target.blur();
  };
  return html`<div class="editor ${numbers ? "numbered" : ""}">
    <div class="inked" aria-hidden="true">
      ${value.split("\n").map((line, at) => html`<div key=${at} class=${at + 1 === mark ? "marked" : lit?.[at] ? "lit" : ""} ref=${at + 1 === mark ? marked : null}>${
        tokens ? colour(tokens(line)) : line}${"\u200b"}</div>`)}
    </div>
    <textarea id=${id} aria-label=${label} aria-describedby=${describedby} aria-invalid=${mark ? "true" : null} value=${value} rows=${rows}
      spellcheck=${false} autocapitalize="off" autocomplete="off" onInput=${(event) => onInput(event.target.value)} onPaste=${onPaste} onKeyDown=${keys} />
  </div>`;
}

const inside = (path, place) => path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`);

/** Return whether a line of JSON is at one of the paths, or contains its complete value. */
export const within = ({ path, whole }, places) => Boolean(path) && places.some((place) => inside(path, place) || (whole && inside(place, path)));

/** JSON as lines. Lines with a path in `lit` are marked, and `onPath` gets the path at the pointer. */
export function Listing({ lines, tokens, lit, marked = [], onPath, label }) {
  return html`<div class="listing" tabindex="0" role="region" aria-label=${label} onMouseLeave=${() => onPath?.(null)}>
    ${lines.map((line) => html`<div class="line ${within(line, lit ?? []) ? "lit" : ""} ${within(line, marked) ? "differs" : ""}"
      onMouseEnter=${onPath && (() => onPath(line.path))}>${colour(tokens(line.text))}</div>`)}
  </div>`;
}
