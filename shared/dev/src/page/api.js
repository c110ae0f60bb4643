// Talks to this process, and to nothing else.

/** Reads something. */
export async function read(path, query = {}) {
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined && value !== "" && value !== null));
  return answer(await fetch(`/api/${path}${search.size ? `?${search}` : ""}`, { headers: { accept: "application/json" } }));
}

/** Writes something, or asks for something. */
export async function send(path, body) {
  return answer(await fetch(`/api/${path}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }));
}

async function answer(response) {
  const text = await response.text();
  let body;
  try { body = JSON.parse(text); } catch { body = undefined; }
  if (!response.ok) throw new Error(body?.error ?? (text.trim() || `the request failed (${response.status})`));
  return body;
}

/** Calls `changed` with what has changed and with the state. A hidden page does not listen. */
export function listen(changed, connected) {
  let source;
  const open = () => {
    if (source || document.hidden) return;
    source = new EventSource("/api/stream");
    source.addEventListener("changed", (event) => changed(JSON.parse(event.data)));
    source.addEventListener("open", () => connected(true));
    source.addEventListener("error", () => connected(false));
  };
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) { source?.close(); source = undefined; } else open();
  });
  open();
}
