// Small pieces every page of the client uses.

import { html, useEffect, useLayoutEffect, useRef, useState } from "../../vendor/preact-htm.js";
import { whyRefused } from "./words.js";

let named = 0;

/** A dialog of the browser's own: it keeps the focus inside, and Escape closes it. */
export function Dialog({ title, onClose, children, t }) {
  const ref = useRef(null);
  const [id] = useState(() => `dialog-${(named += 1)}`);
  useEffect(() => {
    const { current } = ref;
    current.showModal();
    return () => current.close();
  }, []);
  const beside = (event) => event.target === ref.current && onClose();
  return html`<dialog ref=${ref} class="sheet" aria-labelledby=${id} onClick=${beside}
    onCancel=${(event) => { event.preventDefault(); onClose(); }}>
    <div class="sheet-in">
      <header><h2 id=${id}>${title}</h2><button type="button" class="icon" aria-label=${t("close")} onClick=${onClose}><i class="cross" aria-hidden="true"></i></button></header>
      ${children}
    </div>
  </dialog>`;
}

export const Loading = ({ t }) => html`<div class="blank" role="status"><p>${t("loading")}</p></div>`;

export function Failed({ problem, again, t }) {
  return html`<div class="blank" role="alert"><h2>${t("could_not_load")}</h2><p>${whyRefused(problem, t)}</p>
    ${again && html`<button type="button" class="btn" onClick=${again}>${t("try_again")}</button>`}</div>`;
}

export function Blank({ title, words, children }) {
  return html`<div class="blank"><h2>${title}</h2><p>${words}</p>${children}</div>`;
}

/** {value, problem, reload}: asked for now, and again every `every_ms` while the page is looked at. */
export function useAnswer(ask, deps, every_ms = 0) {
  const [answer, setAnswer] = useState({ value: null, problem: null });
  const asking = useRef(0);
  const load = async () => {
    const mine = (asking.current += 1);
    try {
      const value = await ask();
      if (mine === asking.current) setAnswer({ value, problem: null });
    } catch (problem) {
      if (mine === asking.current) setAnswer(({ value }) => ({ value, problem }));
    }
  };
  useEffect(() => {
    load();
    const timer = every_ms ? setInterval(() => !document.hidden && load(), every_ms) : null;
    return () => {
      asking.current += 1;
      clearInterval(timer);
    };
  }, deps);
  return { ...answer, reload: load };
}

/** Lists that come page by page: {lines, next, problem, more}. */
export function usePages(ask, name) {
  const [pages, setPages] = useState({ lines: null, next: null, problem: null });
  const more = async (cursor) => {
    try {
      const page = await ask(cursor);
      setPages(({ lines }) => ({ lines: [...(cursor ? lines : []), ...page[name]], next: page.next, problem: null }));
    } catch (problem) {
      setPages((one) => ({ ...one, problem }));
    }
  };
  useEffect(() => void more(null), []);
  return { ...pages, more: () => more(pages.next), again: () => more(null) };
}

export function useKeys(handler, deps) {
  // Before it is painted: a key that is pressed as soon as there is something to see is heard.
  useLayoutEffect(() => {
    const heard = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
      handler(event);
    };
    addEventListener("keydown", heard);
    return () => removeEventListener("keydown", heard);
  }, deps);
}

/**
 * {busy, why, send}: a form that asks the house. send(ask) is the form's handler; ask gets its fields
 * and the form. A refusal stands in `why` until the next try.
 */
export function useSending(t) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState(null);
  const send = (ask) => async (event) => {
    event.preventDefault();
    const form = event.currentTarget;
    setBusy(true);
    setProblem(null);
    try {
      await ask(form.elements, form);
    } catch (refusal) {
      setProblem(refusal);
    }
    setBusy(false);
  };
  return { busy, why: problem && whyRefused(problem, t), send };
}

/**
 * Keeps the focus near the action bar: what a key has just pressed may be gone, or locked, when the
 * answer comes. key: what changes the bar.
 */
export function useFocusKept(root, key) {
  const isNear = useRef(false);
  useEffect(() => {
    const note = ({ target }) => void (isNear.current = Boolean(target.closest?.(".act, .own.picking")));
    root.current?.addEventListener("focusin", note);
    return () => root.current?.removeEventListener("focusin", note);
  }, []);
  useEffect(() => {
    const { activeElement } = document;
    const isLost = !activeElement || activeElement === document.body || activeElement.matches(":disabled");
    if (isNear.current && isLost) root.current?.querySelector(".act")?.focus({ preventScroll: true });
  }, key);
}

export const isTyping = ({ target }) => target instanceof Element && target.matches("input:not([type=range]), select, textarea");

/** Times as the reader's own clock shows them. */
export function timeWords(at, t) {
  const time = new Date(at);
  const today = time.toDateString() === new Date().toDateString();
  const options = today ? { hour: "2-digit", minute: "2-digit", second: "2-digit" } : { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" };
  return new Intl.DateTimeFormat(t.language === "pl" ? "pl" : "en-GB", options).format(time);
}

/** A signed amount with its verdict's colour and mark; never colour alone. */
export function Net({ minor, amount, t }) {
  const kind = minor > 0 ? "pay" : minor < 0 ? "take" : "push";
  return html`<b class=${`net mark ${kind}`}>${minor > 0 ? "+" : ""}${amount(minor)}</b>`;
}
