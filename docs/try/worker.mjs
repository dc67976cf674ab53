// The service in the browser: Python compiled to WebAssembly, which calls the service's own code for each request.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const SERVICE = `
import warnings
from urllib.parse import unquote

warnings.filterwarnings("ignore", "As the c extension couldn't be imported")  # google_crc32c, which is pure Python here
from mqconvert.app.http.service import create_app
from mqconvert.app.http.settings import Settings

app = create_app(Settings(allow_rules=True, workers=1))

async def answer(method, path, text):
    """Call the service as a server does (ASGI 3.0). Return the status and the body."""
    path, _, query = path.partition("?")
    body, sent = text.encode(), []
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    scope = {"type": "http", "http_version": "1.1", "scheme": "http", "method": method, "path": unquote(path),
             "raw_path": path.encode(), "query_string": query.encode(), "root_path": "", "headers": headers}
    async def receive():
        return {"type": "http.request", "body": body}
    async def send(event):
        sent.append(event)
    await app(scope, receive, send)
    return sent[0]["status"], b"".join(event.get("body", b"") for event in sent).decode()

answer
`;

async function started() {
  const [python, wheels] = await Promise.all([loadPyodide(), fetch("wheels.json").then((answer) => answer.json())]);
  await python.loadPackage(wheels.map((name) => new URL(`wheels/${name}`, location.href).href), { messageCallback() {} });
  return python.runPythonAsync(SERVICE);
}

const service = started();

onmessage = async ({ data: { number, method, path, body } }) => {
  try {
    const made = await (await service)(method, path, body);
    const [status, text] = made.toJs();
    made.destroy();
    postMessage({ number, status, text });
  } catch (error) {
    postMessage({ number, status: 500, text: JSON.stringify({ detail: String(error), code: "internal" }) });
  }
};
