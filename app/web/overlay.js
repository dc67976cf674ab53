// The editor of overlays: CodeMirror in a shadow root, whose style sheets are adopted, as the page's policy asks.
import { acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, startCompletion } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, isolateHistory } from "@codemirror/commands";
import { EditorState, RangeSet, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, GutterMarker, ViewPlugin, gutterLineClass, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { names, slot } from "./completion.js";
import { tomlTokens } from "./json.js";
import { UNSEEN, visible } from "./visible.js";

/** Make the editor in an element, with the element `note` as its description. `onInput` gets each text that the user makes,
 * `profile()` returns the profile of the names. Returns functions: `show` takes a text from elsewhere, `mark` the number of the
 * wrong line or undefined, `focus` the position of the cursor. */
export function overlayEditor(element, { value, label, note, onInput, profile }) {
  let latest = value;
  const typed = EditorView.updateListener.of(({ docChanged, state }) => {
    const text = state.doc.toString();
    if (docChanged && text !== latest) onInput((latest = text));
  });
  const leave = { key: "Escape", run: (view) => { view.contentDOM.blur(); return true; } };
  const view = new EditorView({
    doc: value,
    parent: element.attachShadow({ mode: "open" }),
    extensions: [
      lineNumbers(), history(), closeBrackets(), unseen, EditorView.lineWrapping, colours, wrong, theme, typed,
      autocompletion({ override: [completed(profile)], icons: false, compareCompletions: () => 0 }),
      keymap.of([{ key: "Tab", run: acceptCompletion }, ...closeBracketsKeymap, ...completionKeymap, leave, ...historyKeymap, ...defaultKeymap]),
      EditorState.tabSize.of(2),
      EditorState.languageData.of(() => [{ commentTokens: { line: "#" }, closeBrackets: { brackets: ["[", "{", '"'] } }]),
      EditorView.contentAttributes.of({ "aria-label": label }),
    ],
  });
  view.contentDOM.ariaDescribedByElements = [note];  // an id does not reach out of a shadow root
  return {
    show(text) {
      if (text !== latest) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: (latest = text) }, annotations: isolateHistory.of("full") });
    },
    mark(number) {
      const { doc } = view.state, at = number <= doc.lines ? doc.line(number).from : null;
      if (at !== view.state.field(wrong)) view.dispatch({ effects: at === null ? marked.of(at) : [marked.of(at), EditorView.scrollIntoView(at)] });
    },
    focus(at) { view.focus(); view.dispatch({ selection: { anchor: Math.min(at, view.state.doc.length) } }); },
    destroy: () => view.destroy(),
  };
}

/** Shows the characters that would show nothing, or change the order of a line, by their numbers. */
const unseen = highlightSpecialChars({
  specialChars: UNSEEN,
  render(code, words) {
    const shown = document.createElement("span");
    [shown.textContent, shown.title, shown.className] = [visible(String.fromCodePoint(code)), words, "t-word"];
    return shown;
  },
});

// ---- colours ----------------------------------------------------------------------------------------------------------

const inks = new Map();
const ink = (token) => inks.get(token) ?? inks.set(token, Decoration.mark({ class: token })).get(token);

function coloured({ state, visibleRanges }) {
  const found = [];
  for (const { from, to } of visibleRanges)
    for (let at = from; at <= to;) {
      const line = state.doc.lineAt(at);
      let begin = line.from;
      for (const [token, { length }] of tomlTokens(line.text)) {
        if (token) found.push(ink(token).range(begin, begin + length));
        begin += length;
      }
      at = line.to + 1;
    }
  return Decoration.set(found, true);
}

const colours = ViewPlugin.define((view) => ({
  decorations: coloured(view),
  update({ docChanged, viewportChanged, view }) { if (docChanged || viewportChanged) this.decorations = coloured(view); },
}), { decorations: (plugin) => plugin.decorations });

/** Sets a position in the wrong line, or null. */
const marked = StateEffect.define();
const LINE = Decoration.line({ class: "marked" }), NUMBER = new (class extends GutterMarker { elementClass = "marked"; })();
const wrong = StateField.define({
  create: () => null,
  update: (at, { effects, changes }) => effects.reduce((old, one) => (one.is(marked) ? one.value : old), at === null ? null : changes.mapPos(at)),
  provide(field) {
    const inLine = (mark) => (state) => (state.field(field) === null ? RangeSet.empty : RangeSet.of(mark.range(state.doc.lineAt(state.field(field)).from)));
    return [
      EditorView.decorations.compute([field, "doc"], inLine(LINE)),
      gutterLineClass.compute([field, "doc"], inLine(NUMBER)),
      EditorView.contentAttributes.compute([field], (state) => (state.field(field) === null ? {} : { "aria-invalid": "true" })),
    ];
  },
});

/** Tokens of tomlTokens, whose colours are the page's; style.css has the same. */
const TOKENS = { key: {}, text: {}, number: {}, word: {}, note: { fontStyle: "italic" }, head: { fontWeight: "600" } };
const theme = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", font: "12.5px/20px var(--mono)", fontFeatureSettings: '"calt" 0', fontVariantLigatures: "none" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "inherit", lineHeight: "inherit", overflow: "auto" },
  ".cm-content": { padding: "8px 0", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 14px 0 10px" },
  ".cm-line::selection, .cm-line ::selection": { background: "color-mix(in srgb, var(--accent) 30%, transparent)" },
  ".cm-gutters": { background: "none", border: "0", color: "var(--soft)" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "38px", padding: "0 4px 0 0" },
  ".cm-gutterElement.marked": { color: "var(--lost)", fontWeight: "700" },
  ".cm-line.marked": { background: "color-mix(in srgb, var(--lost) 16%, transparent)" },
  ...Object.fromEntries(Object.entries(TOKENS).map(([name, more]) => [`.t-${name}`, { color: `var(--t-${name})`, ...more }])),
  ".cm-tooltip": { border: "1px solid var(--line-strong)", borderRadius: "8px", background: "var(--raised)", color: "var(--ink)", boxShadow: "0 12px 40px rgb(0 0 0 / .18)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { maxHeight: "220px", maxWidth: "min(520px, 90vw)", padding: "4px", fontFamily: "inherit" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { display: "flex", gap: "16px", padding: "2px 8px", borderRadius: "5px" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { background: "var(--accent-wash)", color: "var(--ink)" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700", color: "var(--accent)" },
  ".cm-completionDetail": { marginLeft: "auto", fontStyle: "normal", color: "var(--soft)", overflow: "hidden", textOverflow: "ellipsis" },
});

// ---- completion -------------------------------------------------------------------------------------------------------

const completed = (profile) => async ({ state, pos }) => {
  const found = slot(state.sliceDoc(0, pos));
  if (!found) return null;
  const options = (await names(found, profile())).map(({ around, ...option }) => (around ? { ...option, apply: column(around) } : option));
  return { from: pos - found.typed.length, options, validFor: /^[^\s"'|{},]*$/ };
};

/** Return a function that writes the name of a column and the text around its value, and completes the value. */
const column = ([before, after]) => (view, { label }, from, to) => {
  const room = (at, sign) => (view.state.sliceDoc(at, at + 1) === sign ? " " : ""), text = room(from - 1, "{") + label + before;
  view.dispatch({ changes: { from, to, insert: text + after + room(to, "}") }, selection: { anchor: from + text.length }, userEvent: "input.complete" });
  if (after) startCompletion(view);
};
