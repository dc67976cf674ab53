// Parts of every page: Preact with htm, requests to the service, and the state in a link's fragment.
import { Fragment, h, render } from "preact";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import htm from "htm";
import { fromBase64, toBase64 } from "./bytes.js";
import { visible } from "./visible.js";

export const html = htm.bind(h);
export { Fragment, render, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState };

/** An error as a sentence for people; `problem` has the members of the service's answer. */
export class Told extends Error {
  constructor(sentence, problem = {}, wait = 0) {
    super(visible(sentence));
    this.problem = problem;
    this.wait = wait;
  }
}

const LOST_SERVER = "The service does not answer. It may have been stopped; this page tries again every few seconds.";

/** Send a request to the service; return its answer as JSON. Throws Told, whose `wait` is the number of seconds before another try. */
export async function ask(path, body, signal) {
  const post = { method: "POST", headers: { "content-type": "application/json" }, body: body && written(body) };
  let answer, content;
  try {
    answer = await fetch(path, { ...(body === undefined ? {} : post), signal });
    content = await answer.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Told(LOST_SERVER, { code: "unreachable" }, 3);
  }
  if (answer.ok) return content;
  const wait = Number(answer.headers.get("retry-after")) || 1;
  if (answer.status === 429) throw new Told(`The service is busy. This page tries again in ${wait} s.`, content, wait);
  throw new Told(sentence(content), content, answer.status === 503 ? 3 : 0);
}

function written(body) {
  try { return JSON.stringify(body); } catch { throw new Told(TOO_DEEP); }  // its recursion is that of the value
}
export const TOO_DEEP = "This JSON nests too deep.";

/** Return what is in wire bytes, in order: messages, and a Told in place of each invalid one. */
export async function decode(protocol, wire, signal) {
  const { messages, errors = [] } = await ask("v1/decode", { protocol, wire }, signal);
  const found = [...messages];
  for (const { index, message: detail, ...problem } of errors) found.splice(index, 0, new Told(sentence({ detail, ...problem }), { detail, ...problem }));
  return found;
}

/** The file of errors in a request's rules. */
export const OWN_RULES = "rules of the request";

const LONGEST_FIELD = 160;

/** Return a problem of the service as one sentence: the place, then the fault. */
export function sentence({ detail = "The service refused this.", offset, field, rule, hint, file, line, problem }) {
  if (file === OWN_RULES) return sentence({ detail: `Own rules${line ? `, line ${line}` : ""}: ${problem}` });
  const cut = field?.length > LONGEST_FIELD ? `${field.slice(0, LONGEST_FIELD / 2)}…${field.slice(-LONGEST_FIELD / 4)}` : field;
  const where = offset !== undefined ? `Byte ${offset}` : field ? (rule && field.startsWith("@") ? `Option ${field.slice(1)}` : `Field ${cut}`) : rule ? `Rule ${rule}` : "";
  const text = where ? `${where}: ${file ? detail : problem ?? detail}` : detail.charAt(0).toUpperCase() + detail.slice(1);
  const told = /[.?!]$/.test(text) ? text : `${text}.`;
  return hint ? `${told} ${hint}` : told;
}

const answers = new Map();

/** Request something that depends only on the tables, once for each page. */
export function known(path) {
  if (!answers.has(path)) {
    const coming = ask(path);
    answers.set(path, coming);
    coming.catch(() => answers.delete(path));
  }
  return answers.get(path);
}

/** Return every table of a profile with its rows. */
export const allTables = async (profile) => Promise.all((await known(`v1/rules?profile=${profile}`)).map(({ from, to }) => known(`v1/rules/${from}/${to}?profile=${profile}`)));

/** Return [value, error] of the promise that `make` returns, called again when `inputs` change. Retries temporary errors. */
export function useAnswer(make, inputs) {
  const [state, setState] = useState([undefined, undefined]);
  const [round, setRound] = useState(0);
  useEffect(() => {
    let left = false, timer;
    Promise.resolve(make()).then(
      (value) => left || setState([value, undefined]),
      (error) => {
        if (left) return;
        setState(([value]) => [value, error]);
        if (error.wait) timer = setTimeout(() => setRound(round + 1), error.wait * 1000);
      },
    );
    return () => { left = true; clearTimeout(timer); };
  }, [...inputs, round]);
  return state;
}

const PLAIN = 600, INFLATED = 2 ** 23, PIECE = 2 ** 10, NAMES = 100;
const DAMAGED = "This link is damaged or was cut: ask for it again.", TOO_LARGE = "This link holds more than this page reads: ask for a file instead.";
/** Characters of a text of the page: as many as a request may have. */
export const LARGEST_TEXT = 2 ** 20;

/** Return a text compressed for a link: deflate in base64url. */
async function packed(text) {
  const raw = new Uint8Array(await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer());
  return toBase64(raw).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** Return the text of a link, of at most 8 MB. Throws Told for anything else.
 *
 * A stream holds all that comes of a piece before the first of it is read, a thousand times the piece's size: so pieces are small. */
async function unpacked(text) {
  const { readable, writable } = new DecompressionStream("deflate-raw"), writer = writable.getWriter(), reader = readable.getReader();
  const parts = [];
  let size = 0;
  const write = async (raw) => {
    for (let at = 0; at < raw.length; at += PIECE) await writer.write(raw.subarray(at, at + PIECE));
    await writer.close();
  };
  try {
    const writing = write(fromBase64(text.replace(/-/g, "+").replace(/_/g, "/")));
    writing.catch(() => {});  // the reader throws, too
    for (let part; !(part = await reader.read()).done;) {
      size += part.value.length;
      if (size > INFLATED) throw new Told(TOO_LARGE);
      parts.push(part.value);
    }
    await writing;
    return new TextDecoder("utf-8", { fatal: true }).decode(await new Blob(parts).arrayBuffer());
  } catch (error) {
    reader.cancel().catch(() => {});
    throw error instanceof Told ? error : new Told(DAMAGED);
  }
}

/** Return the texts of a link by name. Throws Told for more than the page can show. */
function textsOf(text) {
  if (text.split("&", NAMES + 1).length > NAMES) throw new Told(TOO_LARGE);
  const texts = [...new URLSearchParams(text)];
  if (texts.some(([, one]) => one.length > LARGEST_TEXT)) throw new Told(TOO_LARGE);
  return Object.fromEntries(texts);
}

/** State in the link's fragment: texts by name, compressed if they are long. Empty and default values are left out.
 * Returns the state, its setter (of changes, or of a function that gives them for the latest state), how many links have been read (0 until the first is), and the Told of a link that cannot be read,
 * in whose place stand the defaults. */
export function useFragment(defaults) {
  const short = () => !location.hash.startsWith("#z=");
  const readable = (text) => { try { return { state: { ...defaults, ...textsOf(text) }, fault: null }; } catch (fault) { return { state: { ...defaults }, fault }; } };
  const [first] = useState(() => readable(short() ? location.hash.slice(1) : ""));
  const [state, setState] = useState(first.state), [fault, setFault] = useState(first.fault);
  const [read, setRead] = useState(Number(short()));
  const seen = useRef(short() ? location.hash : null), latest = useRef(0), links = useRef(0), reading = useRef(!short());
  useEffect(() => {
    const follow = async () => {
      if (location.hash === seen.current) return;
      const turn = ++links.current;
      seen.current = location.hash;
      reading.current = true;
      const found = short() ? readable(location.hash.slice(1)) : await unpacked(location.hash.slice(3)).then(readable, (fault) => ({ state: { ...defaults }, fault }));
      if (turn !== links.current) return;
      reading.current = false;
      setState(found.state);
      setFault(found.fault);
      setRead((count) => count + 1);
    };
    if (!short()) follow();
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  const set = useCallback((more) => setState((old) => {
    const state = { ...old, ...(typeof more === "function" ? more(old) : more) };
    const told = Object.entries(state).filter(([name, value]) => value !== "" && value !== defaults[name]);
    const text = String(new URLSearchParams(told)), turn = ++latest.current;
    const write = (made) => {
      if (turn !== latest.current || reading.current || location.hash !== seen.current) return;  // another link was opened, and is not read yet
      history.replaceState(null, "", made || location.pathname + location.search);
      seen.current = location.hash;
    };
    if (text.length > PLAIN) packed(text).then((made) => write(`#z=${made}`));
    else write(text && `#${text}`);
    return state;
  }), []);
  return [state, set, read, fault];
}

/** Return a link to Convert with this state. */
export const convertLink = (state) => `./#${new URLSearchParams(Object.entries(state).filter(([, value]) => value))}`;

export const OUTCOMES = {
  applied: "arrives with the same value",
  changed: "arrives as another value or type",
  dropped: "left out on purpose, by a rule",
  lost: "nothing takes it, or the target cannot hold it",
  accounted: "goes with the delivery",
};
const WORDED = { applied: "unchanged", accounted: "elsewhere" };
/** Return the word for an outcome, as the first line says it; "applied" and "accounted" are words of reports. */
export const worded = (outcome) => WORDED[outcome] ?? outcome;
export const GLYPHS = { applied: "→", changed: "≈", dropped: "−", lost: "×", accounted: "◦", refused: "!", depends: "±" };

export const Mark = ({ outcome }) => html`<span class="mark ${outcome}" aria-hidden="true">${GLYPHS[outcome]}</span>`;
