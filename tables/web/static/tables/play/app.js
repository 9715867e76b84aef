// The player's client: the page's entry, its addresses, signing in and what is kept for a while.

import { html, render, useEffect, useMemo, useState } from "../../vendor/preact-htm.js";
import { languageOf, translator } from "../i18n.js";
import { money } from "../money.js";
import { Account } from "./account.js";
import { CroupierClient } from "./croupier-client.js";
import { Register, SignIn } from "./door.js";
import { Hands } from "./hands.js";
import { Limits } from "./limits.js";
import { Lobby } from "./lobby.js";
import { Replay } from "./replay.js";
import { Go, Settings } from "./shell.js";
import { TablePage } from "./table.js";
import { Blank, timeWords } from "./ui.js";
import { Wallet } from "./wallet.js";
import { PLAY_WORDS, whyRefused } from "./words.js";

const TOKEN = "croupier.token"; // of this tab alone: another tab, another sign-in
const PLAYER = "croupier.player";
const SETTINGS = "croupier.settings";
const TOAST_MS = 5000;

const ROUTES = [
  [/^\/play\/?$/, () => ({ page: "tables" })],
  [/^\/play\/(\d+)$/, ([, id]) => ({ page: "table", id: Number(id) })],
  [/^\/play\/wallet$/, () => ({ page: "wallet" })],
  [/^\/play\/limits$/, () => ({ page: "limits" })],
  [/^\/play\/account$/, () => ({ page: "account" })],
  [/^\/play\/register$/, () => ({ page: "register" })],
  [/^\/play\/hands$/, () => ({ page: "hands" })],
  [/^\/play\/hands\/(\d+)$/, ([, id]) => ({ page: "hand", id: Number(id) })],
];

export function routeOf(path) {
  for (const [pattern, found] of ROUTES) {
    const match = pattern.exec(path);
    if (match) return found(match);
  }
  return { page: "nowhere" };
}

function stored(store, key, otherwise) {
  try {
    return JSON.parse(store.getItem(key)) ?? otherwise;
  } catch {
    return otherwise; // private windows may keep nothing
  }
}

function keep(store, key, value) {
  try {
    if (value === null) store.removeItem(key);
    else store.setItem(key, JSON.stringify(value));
  } catch {
    // Then it lasts as long as the page.
  }
}

function Frame({ app, page, children }) {
  const { t } = app;
  const [open, setOpen] = useState(false);
  const link = (to, name, words) => html`<${Go} app=${app} to=${to} aria-current=${page === name ? "page" : null}>${words}</${Go}>`;
  return html`<div class="house">
    <header class="bar">
      <p class="brand" aria-hidden="true"><i></i>Croupier</p>
      <nav aria-label=${t("nav_label")}>${link("/play/", "tables", t("nav_tables"))}${link("/play/hands", "hands", t("nav_hands"))}${link("/play/wallet", "wallet", t("nav_wallet"))}</nav>
      <button type="button" class="who" aria-haspopup="dialog" onClick=${() => setOpen(true)}><span>${app.player.name}</span><i class="gear" role="img" aria-label=${t("settings")}></i></button>
    </header>
    ${children}
    ${open && html`<${Settings} app=${app} onClose=${() => setOpen(false)} />`}
  </div>`;
}

const PAGES = { tables: Lobby, wallet: Wallet, limits: Limits, account: Account, hands: Hands, hand: Replay };

function Client({ config }) {
  const [route, setRoute] = useState(() => routeOf(location.pathname));
  const [player, setPlayer] = useState(() => stored(sessionStorage, PLAYER, null));
  const [wasSignedOut, setSignedOut] = useState(false);
  const [settings, setSettings] = useState(() => ({
    language: languageOf(config, location.search), deck: "four", sound: "off", ...stored(localStorage, SETTINGS, {}),
  }));
  const [toasts, setToasts] = useState([]);
  const client = useMemo(() => new CroupierClient({
    token: stored(sessionStorage, TOKEN, null),
    onSignedOut: () => {
      forget();
      setSignedOut(true);
    },
  }), []);
  const t = useMemo(() => translator(settings.language, PLAY_WORDS), [settings.language]);

  const forget = () => {
    for (const key of [TOKEN, PLAYER]) keep(sessionStorage, key, null);
    setPlayer(null);
  };
  useEffect(() => {
    const moved = () => setRoute(routeOf(location.pathname));
    addEventListener("popstate", moved);
    return () => removeEventListener("popstate", moved);
  }, []);
  useEffect(() => {
    document.documentElement.lang = t.language;
    document.documentElement.classList.toggle("two-colour", settings.deck === "two");
  }, [settings]);

  const app = {
    client, config, player, t, settings,
    amountIn: (exponent) => (minor) => money(minor, exponent ?? 0, t.language),
    go(to) {
      history.pushState(null, "", to);
      setRoute(routeOf(location.pathname));
      scrollTo(0, 0);
    },
    set(more) {
      const next = { ...settings, ...more };
      keep(localStorage, SETTINGS, next);
      setSettings(next);
    },
    signedIn({ token, player: found, last_sign_in }) {
      keep(sessionStorage, TOKEN, token);
      keep(sessionStorage, PLAYER, found);
      setSignedOut(false);
      setPlayer(found);
      if (last_sign_in) app.toast(t("last_sign_in", { time: timeWords(last_sign_in, t) }));
      if (route.page === "register") app.go("/play/");
    },
    signOut() {
      client.signOut().catch(() => {}); // the token is forgotten here in any case
      forget();
      history.pushState(null, "", "/play/");
      setRoute(routeOf("/play/"));
    },
    toast(words, kind = "") {
      const id = Math.random();
      setToasts((all) => [...all.slice(-2), { id, words, kind }]);
      setTimeout(() => setToasts((all) => all.filter((one) => one.id !== id)), TOAST_MS);
    },
    refused(problem) {
      this.toast(t("refused", { why: whyRefused(problem, t) }), "bad");
    },
  };
  const Page = PAGES[route.page];
  const body = !player || !client.token ? route.page === "register" ? html`<${Register} app=${app} />` : html`<${SignIn} app=${app} wasSignedOut=${wasSignedOut} />`
    : route.page === "table" ? html`<${TablePage} key=${route.id} app=${app} id=${route.id} />`
    : html`<${Frame} app=${app} page=${route.page}>${Page ? html`<${Page} key=${route.id} app=${app} id=${route.id} />`
      : html`<main class="page"><${Blank} title=${t("page_not_found")}><${Go} app=${app} to="/play/" class="btn">${t("back_to_tables")}</${Go}></${Blank}></main>`}</${Frame}>`;
  return html`${body}
    <div class="toasts" role="status">${toasts.map(({ id, words, kind }) => html`<p key=${id} class=${`toast ${kind}`}>${words}</p>`)}</div>`;
}

function start() {
  const config = JSON.parse(document.getElementById("config").textContent);
  const root = document.getElementById("play");
  root.replaceChildren();
  render(html`<${Client} config=${config} />`, root);
}

if (typeof document !== "undefined" && document.getElementById("play")) start();
