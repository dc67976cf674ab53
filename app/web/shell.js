// The frame of every page: name, the four pages, and the theme.
import { html, useState } from "./lib.js";

/** Return the address of a page of the documentation, which `make site` puts beside these pages; null on a service. */
export const documentation = (page = "index.html") => { const link = document.querySelector("link[rel=help]"); return link && new URL(page, link.href).href; };

const PAGES = [["./", "Convert"], ["rules", "Rules"], ["fidelity", "Fidelity"], ["docs", "API"]];
const THEMES = { "": "System theme", light: "Light theme", dark: "Dark theme" };
const ICONS = {
  "": html`<circle cx="8" cy="8" r="6"/><path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor"/>`,
  light: html`<circle cx="8" cy="8" r="3"/><path d="M8 1v1.6M8 13.4V15M1 8h1.6M13.4 8H15M3 3l1.2 1.2M11.8 11.8 13 13M13 3l-1.2 1.2M4.2 11.8 3 13"/>`,
  dark: html`<path d="M13.5 9.8A6 6 0 0 1 6.2 2.5a6 6 0 1 0 7.3 7.3z"/>`,
};

/** `fault` is a sentence about the page's link. */
export function Shell({ page, fault, children }) {
  const [closed, close] = useState("");
  return html`
    <a class="skip" href="#main" onClick=${(event) => { event.preventDefault(); document.querySelector("main").focus(); }}>Skip to the page</a>
    <header class="shell">
      <a class="brand" href="./"><img src="web/icon.svg" alt="" width="26" height="26" />mqconvert</a>
      <nav aria-label="Pages">
        ${PAGES.map(([path, title]) => html`<a href=${path} aria-current=${title === page ? "page" : null}>${title}</a>`)}
        ${documentation() ? html`<a href=${documentation()}>Docs</a>` : null}
      </nav>
      <${Theme} />
    </header>
    <main id="main" tabindex="-1" class=${page.toLowerCase()}>
      ${fault && fault !== closed ? html`<div class="told mild notice" role="alert"><p><span>${fault}</span> <button type="button" class="link" onClick=${() => close(fault)}>Close</button></p></div>` : null}
      ${children}</main>`;
}

function Theme() {
  const [theme, setTheme] = useState(document.documentElement.dataset.theme ?? "");
  const next = () => {
    const names = Object.keys(THEMES), chosen = names[(names.indexOf(theme) + 1) % names.length];
    if (chosen) document.documentElement.dataset.theme = chosen;
    else delete document.documentElement.dataset.theme;
    try { chosen ? localStorage.setItem("theme", chosen) : localStorage.removeItem("theme"); } catch { /* not kept */ }
    setTheme(chosen);
  };
  return html`<button class="icon theme" type="button" onClick=${next} title=${THEMES[theme]} aria-label="${THEMES[theme]}; change it">
    <svg viewBox="0 0 16 16" width="18" height="18" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round">${ICONS[theme]}</svg>
  </button>`;
}
