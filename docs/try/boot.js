// Runs before the scripts of a page: a worker with Python answers the page's requests. No message leaves the browser.
const worker = new Worker(new URL("worker.mjs", location.href), { type: "module" });
const waiting = [], fetched = window.fetch.bind(window);
const note = document.createElement("p");
note.setAttribute("role", "status");
note.textContent = "Python starts in your browser. The first visit loads 15 MB.";
Object.assign(note.style, { position: "fixed", bottom: "16px", right: "16px", padding: "10px 14px", borderRadius: "8px", background: "#1b1d22", color: "#fff", zIndex: 9 });
addEventListener("DOMContentLoaded", () => document.body.append(note));

worker.onmessage = ({ data: { number, status, text } }) => {
  note.remove();
  waiting[number](new Response(text, { status, headers: { "content-type": "application/json" } }));
};

window.fetch = async (request, options) => {
  const asked = new Request(request, options), url = new URL(asked.url);
  const path = url.pathname.replace(new URL("./", location.href).pathname, "/") + url.search;
  if (!/^\/(v1\/|openapi\.json)/.test(path)) return fetched(request, options);
  const body = asked.method === "GET" ? "" : await asked.text();
  return new Promise((answered, left) => {
    asked.signal.addEventListener("abort", () => left(asked.signal.reason));
    worker.postMessage({ number: waiting.push(answered) - 1, method: asked.method, path, body });
  });
};

// Add the suffix of files to links: those of the service have none.
const suffixed = ({ target }) => {
  const link = target.closest?.("a[href]"), found = /^((?:\.\/)?(?:rules|fidelity|docs))(#.*)?$/.exec(link?.getAttribute("href"));
  if (found) link.setAttribute("href", `${found[1]}.html${found[2] ?? ""}`);
};
for (const event of ["pointerdown", "click"]) addEventListener(event, suffixed, true);
