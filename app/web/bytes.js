// Wire bytes as text in hex or base64, and the detection of the form of a text.

export const toBase64 = (bytes) => {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
};
export const fromBase64 = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
export const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(" ");

// Hex is digits with or without separators, a C array, or the b'...' of Python; app/texts.py reads the same forms.
// A text may be a million characters of anything, in a link by someone else: no expression may start again at each of them.
const COMMENTS = /\/\*[^]*?(?:\*\/|$)|\/\/.*/g;
const bare = (text) => (/\{([^{}]*)\}/.exec(text.replace(COMMENTS, ""))?.[1] ?? text)
  .replace(/(?:0x|\\x)([0-9a-f])(?![0-9a-f])/gi, "0$1").replace(/0x|\\x|\\?[\s,;:"'-]/gi, "");
const CODE = /^\s*b(['"])([^]*)\1\s*$/;
const ESCAPE = /\\x([0-9a-f]{2})|\\([0-7]{1,3})|\\([abfnrtv\\'"])|([\x00-\x09\x0b-\x5b\x5d-\x7f])/iy;
const NAMED = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 };
const DUMP = /^\s*(?:(?:0x)?[0-9a-f]{4,16}(?::\s|[ \t]{2})|0{7} [0-9a-f]{2})/i, TCPDUMP = /^[ \t]*0x0000:\s/im;
const BEGIN = /^\s*(?:0x)?0{4,16}(?::|\s)/i;
const DUMPED = /^\s*(?:0x)?([0-9a-f]{4,16})(?::|\s|$)[ \t]*(.*)/i;
const PAIRS = /((?:[0-9a-f]{2})+)(?: |$)( *)/iy;
const WIDEST = 64, MOST = 2 ** 20;
const WORDS = /\S[ \t]+\S/;  // a sentence, of letters that base64 has, too
const isHex = (digits) => digits.length > 0 && digits.length % 2 === 0 && !/[^0-9a-f]/i.test(digits);

/** Return the length of a text without the = at its end. */
function unpadded(text) {
  let { length } = text;
  while (text[length - 1] === "=") length--;
  return length;
}

/** Return whether a text without blanks is base64 with all of its padding or none. */
function isBase64(text) {
  const length = unpadded(text), padding = text.length - length;
  return !/[^A-Za-z0-9+/_-]/.test(text.slice(0, length)) && length % 4 !== 1 && (padding === 0 || padding === (4 - (length % 4)) % 4);
}

/** The possible forms of a text, the likeliest first. */
export function formsOf(text) {
  if (/^\s*[{[](?!\s*0x|\]\w)/i.test(text)) return ["json"];
  const forms = [];
  if (isDump(text)) return ["hex"];  // its digits and blanks could be base64, too
  if (CODE.test(text) || isHex(bare(text))) forms.push("hex");
  const packed = text.replace(/\s/g, "");
  if (packed && !WORDS.test(text) && isBase64(packed)) forms.push("base64");
  return forms;
}

export const isDump = (text) => DUMP.test(text) || TCPDUMP.test(text);

/** Return the bytes of a text in base64 or hex, which may be the lines of a hex dump. Throws an Error with a sentence for other text. */
export function bytesOf(text, form) {
  if (form === "hexdump" || (form === "hex" && isDump(text))) return dumped(text);
  const code = form === "hex" && CODE.exec(text);
  if (code) return literal(code[2]);
  if (form === "hex") {
    const digits = bare(text), wrong = /[^0-9a-f]/i.exec(digits);
    if (wrong) throw new Error(`“${wrong[0]}” is not a hex digit (0 to 9, a to f).`);
    if (digits.length % 2) throw new Error("Hex has two digits a byte; the last byte has one.");
    return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  }
  const given = text.replace(/\s/g, "").replace(/-/g, "+").replace(/_/g, "/"), packed = given.slice(0, unpadded(given));
  const wrong = /[^A-Za-z0-9+/]/.exec(packed);
  if (wrong) throw new Error(`“${wrong[0]}” is not a base64 character (letters, digits, + and /).`);
  if (packed.length % 4 === 1) throw new Error("This base64 ends in the middle of a byte.");
  return fromBase64(packed + "=".repeat((4 - (packed.length % 4)) % 4));
}

/** Return the bytes between the quotes of a Python literal. */
function literal(text) {
  const made = [];
  for (let at = 0; at < text.length; at = ESCAPE.lastIndex) {
    ESCAPE.lastIndex = at;
    const found = ESCAPE.exec(text);
    const byte = !found ? 256 : found[1] ? parseInt(found[1], 16) : found[2] ? parseInt(found[2], 8) : NAMED[found[3]] ?? (found[3] ?? found[4]).charCodeAt(0);
    if (byte > 255) throw new Error(`“${text.slice(at, at + 8)}” is not in bytes of Python.`);
    made.push(byte);
  }
  return Uint8Array.from(made);
}

/** Return the bytes of a dump with offsets in hex, or in octal as od prints them. */
function dumped(text) {
  try { return dumpedWith(text, 16); } catch (error) {
    try { return dumpedWith(text, 8); } catch { throw error; }
  }
}

// A line of numbers of several bytes, without a colon and a text, as hexdump and od -x print them.
const SWAPPED = /^\s*0{6,8}\s+[0-9a-f]{4,}(?: +[0-9a-f]{4,})+\s*$/i;

/** Return the bytes of a dump, whose lines are OFFSET HEX TEXT. The next offset says how many bytes a line has; * repeats a line.
 *  Lines before the offset 0 are those of tcpdump about the packet. */
function dumpedWith(text, base) {
  const lines = text.split(/\r?\n/), begin = Math.max(lines.findIndex((line) => BEGIN.test(line)), 0), offsets = lines.slice(begin).filter((line) => line.trim()).slice(0, 2).map((line) => parseInt(DUMPED.exec(line)?.[1], base));
  const step = offsets[1] - offsets[0], width = step > 0 && step <= WIDEST ? step : 0, made = [];
  let first = null, last = [], repeated = false;
  lines.forEach((line, index) => {
    if (!line.trim() || index < begin) return;
    if (line.trim() === "*" && last.length) return void (repeated = true);
    const found = DUMPED.exec(line);
    if (!found) throw new Error(`Line ${index + 1} does not begin with an offset.`);
    if (first === null && SWAPPED.test(line)) throw new Error("Numbers of several bytes, which hexdump and od -x swap: print bytes, with hexdump -C or od -t x1.");
    const due = parseInt(found[1], base) - (first ??= parseInt(found[1], base));
    while (repeated && due < MOST && made.length < due) made.push(...last);
    repeated = false;
    if (due !== made.length) throw new Error(`Line ${index + 1} has another offset than the ${made.length} bytes before it.`);
    const digits = pairs(found[2], width || WIDEST);
    if (digits === null) throw new Error(`Line ${index + 1} has something else than pairs of hex digits.`);
    last = (digits.match(/../g) ?? []).map((pair) => parseInt(pair, 16));
    made.push(...last);
  });
  return Uint8Array.from(made);
}

/** Return the digits of a line without its text on the right, which begins behind a gap; null for anything else. */
function pairs(text, width) {
  let digits = "", at = 0;
  while (digits.length < 2 * width) {
    PAIRS.lastIndex = at;
    const found = PAIRS.exec(text);
    if (!found) return at >= text.length ? digits : null;
    digits += found[1];
    at = PAIRS.lastIndex;
    if (found[2].length > 1 || (found[2] && (digits.length !== 16 || !/^[0-9a-f]{2}(?: |$)/i.test(text.slice(at))))) return digits;
  }
  return digits;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Return bytes as text if they are printable UTF-8, else null. */
export function textOf(bytes) {
  const text = utf8Of(bytes);
  return text !== null && /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$/.test(text) ? text : null;
}

/** Return bytes as text, with any control characters, if they are UTF-8, else null. */
export function utf8Of(bytes) {
  try { return utf8.decode(bytes); } catch { return null; }
}
