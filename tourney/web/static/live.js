// Keeps the page up to date while its event is played: the server says which page has changed, and the page is fetched
// again. Only what differs is replaced, so that what the reader has opened or scrolled stays. Without it the page is
// complete, and does not change.
"use strict";

(() => {
  const script = document.currentScript;
  const topic = "/" + script.dataset.topic;
  const root = new URL("../", script.src);
  const AGAIN_MS = 5000; // a browser does not come back by itself from an answer that is no stream
  let source = null;
  let again = 0;
  let fetching = false;
  let wanted = false;

  function say(isLive) {
    document.documentElement.dataset.live = isLive ? "yes" : "no";
    let mark = document.getElementById("not-live");
    if (isLive) {
      mark?.remove();
    } else if (!mark) {
      mark = document.createElement("strong");
      mark.id = "not-live";
      mark.textContent = "Not live: the connection is lost, this is what was there before.";
      document.querySelector("[role=status]")?.append(mark); // read out as all that is said of the page's state
    }
  }

  async function refresh() {
    if (fetching) {
      wanted = true;
      return;
    }
    fetching = true;
    wanted = false;
    try {
      const answer = await fetch(location.pathname + location.search, { cache: "no-cache" });
      if (answer.ok) {
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        document.title = page.title;
        for (const part of ["header", "main", "footer"]) {
          const old = document.querySelector("body > " + part);
          const now = page.querySelector("body > " + part);
          if (old && now) {
            change(old, now);
          }
        }
        document.dispatchEvent(new Event("tourney:refreshed"));
      }
    } catch {
      // the stream says that the connection is lost
    } finally {
      fetching = false;
    }
    if (wanted) {
      refresh();
    }
  }

  // A table with other columns is another one.
  const columns = (each) => (each.nodeName === "TABLE" ? each.rows[0]?.cells.length : 0);

  // Makes an element equal to another one, part by part; what a script of the page has taken over it leaves alone.
  function change(old, now) {
    if (old.isEqualNode(now) || old.hasAttribute("data-keep")) {
      return;
    }
    for (const name of old.getAttributeNames()) {
      if (!now.hasAttribute(name) && !(name === "open" && old.nodeName === "DETAILS")) {
        old.removeAttribute(name);
      }
    }
    for (const name of now.getAttributeNames()) {
      if (old.getAttribute(name) !== now.getAttribute(name)) {
        old.setAttribute(name, now.getAttribute(name));
      }
    }
    // What is known by its id, and is there no more, goes first: what follows it keeps its place.
    const ids = new Set([...now.children].map((each) => each.id));
    [...old.children].filter((each) => each.id && !ids.has(each.id) && !each.hasAttribute("data-keep")).forEach((each) => each.remove());
    const isKept = (each) => each.nodeType === 1 && each.hasAttribute("data-keep");
    const hasKept = [...old.children].some(isKept);
    const before = [...old.childNodes].filter((each) => !isKept(each));
    const after = [...now.childNodes].filter((each) => !(hasKept && isKept(each)));
    after.forEach((node, place) => {
      const there = before[place];
      if (!there) {
        old.append(document.importNode(node, true));
      } else if (there.nodeType === 1 && there.nodeName === node.nodeName && there.id === node.id && columns(there) === columns(node)) {
        change(there, node);
      } else if (!there.isEqualNode(node)) {
        there.replaceWith(document.importNode(node, true));
      }
    });
    before.slice(after.length).forEach((node) => node.remove());
  }

  function listen() {
    clearTimeout(again);
    source = new EventSource(new URL(script.dataset.events + "?topics=" + topic, root));
    source.addEventListener("hello", () => {
      say(true);
      refresh();
    });
    source.addEventListener("topic", refresh);
    source.addEventListener("bye", () => say(false));
    source.addEventListener("error", () => {
      say(false);
      if (source && source.readyState === EventSource.CLOSED) {
        close();
        again = setTimeout(listen, AGAIN_MS);
      }
    });
  }

  function close() {
    clearTimeout(again);
    source?.close();
    source = null;
  }

  // A tab that nobody looks at asks for nothing, unless its page says that it stays.
  function follow() {
    if (source && script.dataset.hidden === "stays") {
      return;
    }
    close();
    if (!document.hidden || script.dataset.hidden === "stays") {
      listen();
    }
  }

  document.addEventListener("visibilitychange", follow);
  addEventListener("pagehide", close);
  addEventListener("pageshow", (event) => event.persisted && follow());
  follow();
})();
