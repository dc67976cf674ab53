// Characters that show nothing, or that change the order of the letters after them, as their escapes in JSON.

/** Controls but tab and line ends, the marks, embeddings, overrides and isolates of bidirectional text, invisible characters, and
 * those that end lines outside of JSON. Joiners (U+200C, U+200D) stay: letters and emoji need them. */
export const UNSEEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]/g;
const escaped = (found) => Array.from({ length: found.length }, (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, "0")}`).join("");

/** Return a text with escapes for characters that people would not see. */
export const visible = (text) => text.replace(UNSEEN, escaped);

const PAIR = new RegExp(`\\\\[^]|${UNSEEN.source}`, "g");

/** Return a text in JSON, whose value stays the same, with these escapes: a character behind a backslash has none. */
export const visibleJson = (text) => text.replace(PAIR, (found) => (found[0] === "\\" ? found : escaped(found)));
