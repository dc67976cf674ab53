// Wire bytes as text in hex or base64, and the detection of the form of a text.

export const toBase64 = (bytes) => {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
};
export const fromBase64 = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
export const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(" ");

const bare = (text) => text.replace(/0x|\\x|[\s,:]/gi, "");
const HEX = /^(?:[0-9a-f]{2})+$/i;
const BASE64 = /^(?:[A-Za-z0-9+/_-]{4})*(?:[A-Za-z0-9+/_-]{2}(?:==)?|[A-Za-z0-9+/_-]{3}=?)?$/;

/** The possible forms of a text, the likeliest first. */
export function formsOf(text) {
  if (/^\s*[{[]/.test(text)) return ["json"];
  const forms = [];
  if (HEX.test(bare(text))) forms.push("hex");
  const packed = text.replace(/\s/g, "");
  if (packed && BASE64.test(packed)) forms.push("base64");
  return forms;
}

/** Return the bytes of a text in hex or base64. Throws an Error with a sentence for other text. */
export function bytesOf(text, form) {
  if (form === "hex") {
    const digits = bare(text), wrong = /[^0-9a-f]/i.exec(digits);
    if (wrong) throw new Error(`“${wrong[0]}” is not a hex digit (0 to 9, a to f).`);
    if (digits.length % 2) throw new Error("Hex has two digits a byte; the last byte has one.");
    return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  }
  const packed = text.replace(/\s/g, "").replace(/-/g, "+").replace(/_/g, "/").replace(/=+$/, "");
  const wrong = /[^A-Za-z0-9+/]/.exec(packed);
  if (wrong) throw new Error(`“${wrong[0]}” is not a base64 character (letters, digits, + and /).`);
  if (packed.length % 4 === 1) throw new Error("This base64 ends in the middle of a byte.");
  return fromBase64(packed + "=".repeat((4 - (packed.length % 4)) % 4));
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Return bytes as text if they are printable UTF-8, else null. */
export function textOf(bytes) {
  try {
    const text = utf8.decode(bytes);
    return /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$/.test(text) ? text : null;
  } catch { return null; }
}
