// API: Swagger UI over the service's own document.
import { html, render, useEffect } from "./lib.js";
import { Shell } from "./shell.js";

function Docs() {
  useEffect(() => {
    globalThis.SwaggerUIBundle({
      url: "openapi.json", dom_id: "#swagger", deepLinking: true, docExpansion: "list", defaultModelsExpandDepth: 0,
      displayRequestDuration: true, tryItOutEnabled: true, validatorUrl: null, syntaxHighlight: { activated: true },
    });
    // Swagger UI's dark colours depend on a class of the root element.
    const root = document.documentElement, system = matchMedia("(prefers-color-scheme: dark)");
    const follow = () => root.classList.toggle("dark-mode", (root.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark");
    const watch = new MutationObserver(follow);
    watch.observe(root, { attributeFilter: ["data-theme"] });
    system.addEventListener("change", follow);
    follow();
  }, []);
  return html`<${Shell} page="API"><div id="swagger"></div><//>`;
}

render(html`<${Docs} />`, document.getElementById("app"));
