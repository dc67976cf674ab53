// Wire bytes as a hex dump with offsets and text, in which each byte belongs to a field.
import { ask, html, useAnswer, useMemo } from "./lib.js";
import { fromBase64 } from "./bytes.js";
import { within } from "./editor.js";
import { useWidth } from "./picture.js";

const MOST = 2 ** 12, WIDE = 580;

/** Show wire bytes in base64. `lit` are the paths whose bytes are marked; `onPath` gets the field of the byte at the pointer. */
export function Dump({ protocol, wire, lit, onPath, label }) {
  const [spans] = useAnswer(() => ask("v1/decode", { protocol, wire, spans: true }).then((answer) => answer.spans, () => ({})), [protocol, wire]);
  const bytes = useMemo(() => fromBase64(wire), [wire]), owners = useMemo(() => owned(bytes.length, spans ?? {}), [bytes, spans]);
  const places = lit ?? [];
  const [box, width] = useWidth(), across = width < WIDE ? 8 : 16;
  const rows = Array.from({ length: Math.ceil(Math.min(bytes.length, MOST) / across) }, (_, at) => at * across);
  return html`<div class="listing dump" ref=${box} style=${{ "--digits": `${3 * across}ch` }} tabindex="0" role="region" aria-label=${label} onMouseLeave=${() => onPath?.(null)}>
    ${rows.map((from) => {
      const parts = joined(owners, from, Math.min(from + across, bytes.length));
      const part = (text) => ([begin, end, path]) => html`<span class=${path && within({ path }, places) ? "lit" : ""} data-path=${path} onMouseEnter=${() => onPath?.(path)}>${text(bytes.subarray(begin, end))}</span>`;
      return html`<div class="line" key=${from}><span class="offset">${from.toString(16).padStart(4, "0")}</span><span class="digits">${parts.map(part(digits))}</span><span class="letters">${parts.map(part(letters))}</span></div>`;
    })}
    ${bytes.length > MOST ? html`<div class="line offset">and ${bytes.length - MOST} more bytes</div>` : null}
  </div>`;
}

/** Return the innermost field of each byte, or null. */
function owned(size, spans) {
  const owners = new Array(Math.min(size, MOST)).fill(null);
  for (const [path, [begin, end]] of Object.entries(spans).sort(([, one], [, two]) => two[1] - two[0] - (one[1] - one[0])))
    owners.fill(path, begin, end);
  return owners;
}

/** Return the runs of one field between two offsets: [begin, end, path]. */
function joined(owners, from, to) {
  const runs = [];
  for (let at = from; at < to; at++) {
    if (at > from && owners[at] === owners[at - 1]) runs.at(-1)[1] = at + 1;
    else runs.push([at, at + 1, owners[at]]);
  }
  return runs;
}

const digits = (bytes) => Array.from(bytes, (byte) => `${byte.toString(16).padStart(2, "0")} `).join("");
const letters = (bytes) => Array.from(bytes, (byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : "·")).join("");
