// How a page follows a match: a stream of what changes; where none is to be had, by asking again and again.
//
// The page keeps the name of the view it shows. A stream that comes back goes on from there, and so does a page
// that slept for an hour: it is told what changed since, or all of it.

const ASK_MS = 1000, RETRY_MS = 15000, SILENT_MS = 40000;

// What the steps of a change make of a view; the view itself stays as it is.
export function changed(view, steps) {
  return steps.reduce((whole, [kind, path, ...rest]) => at(whole, path, kind, rest), view);
}
function at(whole, path, kind, rest) {
  if (!path.length) {
    if (kind === "=") return rest[0];
    const copy = [...whole];
    copy.splice(rest[0], rest[1], ...rest[2]);
    return copy;
  }
  const [head, ...tail] = path, copy = Array.isArray(whole) ? [...whole] : { ...whole };
  if (kind === "-" && !tail.length) delete copy[head];
  else copy[head] = at(whole?.[head], tail, kind, rest);
  return copy;
}

// show(view) for each new view; state("live" | "full" | "asking" | "lost", status) for how it is followed; ended() at
// the end; renewed() where another match has come in its place.
export function follow({ show, state, ended, renewed }) {
  let stream = null, name = "", view = null, over = false, asking = 0, retry = 0, silent = 0, last = "";

  function got(fresh, id) {
    const word = (one) => one.split("-")[0];
    if (name && id && word(id) !== word(name)) return renewed(); // another match, or the box was started anew
    view = fresh;
    name = id || name;
    show(view);
  }
  function is(now, status = 0) {
    const before = last;
    last = now;
    state(now, status);
    if ((before === "lost" && now !== "lost") || (before === "full" && now === "asking")) open();
  }
  function close() {
    stream?.close();
    stream = null;
    clearTimeout(silent);
  }
  function stop() {
    over = true;
    close();
    clearTimeout(asking);
    clearTimeout(retry);
    ended();
  }
  function alive() {
    clearTimeout(silent);
    silent = setTimeout(open, SILENT_MS);
  }
  async function ask() {
    clearTimeout(asking);
    if (over || document.hidden || stream?.readyState === EventSource.OPEN) return;
    const answer = await fetch("/api/view", { cache: "no-store", headers: name ? { "If-None-Match": `"${name}"` } : {} }).catch(() => null);
    if (stream?.readyState === EventSource.OPEN) return; // the stream was quicker
    if (answer?.status === 200) got(await answer.json(), (answer.headers.get("ETag") ?? "").replace(/^W\/|"/g, ""));
    if (answer?.headers.get("X-Ended")) return stop();
    is(answer?.status === 200 || answer?.status === 304 ? (answer.headers.get("X-Screens") === "full" ? "full" : "asking") : "lost", answer?.status ?? 0);
    asking = setTimeout(ask, ASK_MS);
  }
  function open() {
    close();
    clearTimeout(retry);
    if (over || document.hidden) return;
    stream = new EventSource(`/api/events${name ? `?after=${encodeURIComponent(name)}` : ""}`);
    alive();
    stream.onopen = () => { last = "live"; state("live", 200); clearTimeout(asking); alive(); };
    stream.onmessage = (message) => { alive(); got(JSON.parse(message.data), message.lastEventId); };
    stream.addEventListener("change", (message) => {
      alive();
      const { from, steps } = JSON.parse(message.data);
      if (from === name && view) got(changed(view, steps), message.lastEventId);
      else { name = ""; open(); } // something was missed: all of it, please
    });
    stream.addEventListener("ping", alive);
    stream.addEventListener("ended", stop);
    stream.onerror = () => {
      close();
      clearTimeout(retry);
      retry = setTimeout(open, RETRY_MS * (0.7 + 0.6 * Math.random()));
      ask();
    };
  }
  const wake = () => { if (document.hidden) { close(); clearTimeout(asking); } else open(); };
  document.addEventListener("visibilitychange", wake);
  addEventListener("online", wake);
  open();
}
