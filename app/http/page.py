"""The page at `/`: one form over `/v1/convert`, without anything from elsewhere."""

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>mqconvert</title>
<style>
* { box-sizing: border-box }
pre:empty { display: none }
body { font: 16px/1.4 sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
textarea { width: 100%; height: 6rem; font-family: monospace }
pre { background: #f4f4f4; padding: 1rem; overflow: auto; white-space: pre-wrap }
</style>
<h1>mqconvert</h1>
<p>Convert one message and see what becomes of every field. <a href="/docs">The whole interface</a>.</p>
<form>
<label>From <select id="source"></select></label>
<label>to <select id="target"></select></label>
<label>address <input id="address"></label>
<p><label>Wire bytes in base64, or the JSON form<textarea id="given">MAYAAXQAaGk=</textarea></label></p>
<button>Convert</button>
</form>
<pre id="answer"></pre>
<script>
const at = id => document.getElementById(id);
fetch("/v1/protocols").then(answer => answer.json()).then(protocols => {
  for (const list of ["source", "target"])
    for (const protocol of protocols) at(list).add(new Option(protocol.title, protocol.name));
  at("source").value = "mqtt-5.0";
});
document.querySelector("form").onsubmit = async event => {
  event.preventDefault();
  const given = at("given").value.trim();
  const body = { from: at("source").value, to: at("target").value };
  if (at("address").value) body.address = at("address").value;
  try { body[given.startsWith("{") ? "message" : "wire"] = given.startsWith("{") ? JSON.parse(given) : given; }
  catch (error) { at("answer").textContent = error; return; }
  const answer = await fetch("/v1/convert",
    { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  at("answer").textContent = JSON.stringify(await answer.json(), null, 2);
};
</script>
"""
