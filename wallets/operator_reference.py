"""An operator's wallet to write one's own by, and to try the house against: standard library alone.

    python -m wallets.operator_reference --port 9100 --secret whsec_... --player ann:EUR:100000

It keeps its books in SQLite, one transaction a request. What it must never do is in
docs/operator_wallet.md; `manage.py wallet_contract` checks it from outside.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import hmac
import json
import sqlite3
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from typing import Any

BODY_MOST, AMOUNT_MOST, TEXT_MOST = 10_000, 2**53 - 1, 100
WINDOW_S = 300
VERBS = ("debit", "credit", "rollback")

BOOKS = """
CREATE TABLE IF NOT EXISTS balance (
    player TEXT, currency TEXT, minor INTEGER NOT NULL CHECK (minor >= 0),
    PRIMARY KEY (player, currency));
CREATE TABLE IF NOT EXISTS done (
    id TEXT PRIMARY KEY, verb TEXT NOT NULL, facts TEXT NOT NULL, answer TEXT NOT NULL,
    is_rolled_back INTEGER NOT NULL DEFAULT 0);
"""

Json = dict[str, Any]


class Wallet:
    """The books. Every request is one transaction, and every id is one movement at most."""

    def __init__(self, database: str = ":memory:") -> None:
        self.books = sqlite3.connect(database, check_same_thread=False, isolation_level=None)
        self.books.executescript(BOOKS)
        self.lock = Lock()

    def open_player(self, player: str, currency: str, minor: int) -> None:
        with self.lock:
            self.books.execute(
                "INSERT OR IGNORE INTO balance VALUES (?, ?, ?)", (player, currency, minor)
            )

    def ask(self, verb: str, facts: Json) -> Json:
        """Carry a request out, or answer it as it was answered before."""
        with self.lock:
            self.books.execute("BEGIN IMMEDIATE")
            try:
                answer = self._ask(verb, facts)
                self.books.execute("COMMIT")
            except BaseException:
                self.books.execute("ROLLBACK")
                raise
            return answer

    def _ask(self, verb: str, facts: Json) -> Json:
        player, currency = facts["player"], facts["currency"]
        if verb == "balance":
            return (
                self._refused("unknown_player", facts)
                if self._held(facts) is None
                else ({"status": "ok", "balance_minor": self._held(facts)})
            )
        told = json.dumps([player, currency, facts["amount_minor"]])
        row = self.books.execute(
            "SELECT verb, facts, answer, is_rolled_back FROM done WHERE id = ?",
            (facts["transaction"],),
        ).fetchone()
        if verb == "rollback":
            return self._rolled_back(facts, told, row)
        if row is not None:
            if row[0] != verb or row[1] != told:
                return self._refused("transaction_reused", facts)
            if row[3]:
                return self._refused("rolled_back", facts)
            known: Json = json.loads(row[2])
            return known
        if self._held(facts) is None:
            answer = self._refused("unknown_player", facts)
            if verb == "credit":
                # For good: the house offers the money under another id, this one must not count.
                self._keep(verb, facts, told, answer)
            return answer
        if verb == "debit" and (self._held(facts) or 0) < facts["amount_minor"]:
            # Not written down: a refused debit may be asked again, and then it may be good.
            return self._refused("insufficient_funds", facts)
        self._move(facts, -facts["amount_minor"] if verb == "debit" else facts["amount_minor"])
        answer = {"status": "ok", "balance_minor": self._held(facts)}
        self._keep(verb, facts, told, answer)
        return answer

    def _keep(self, verb: str, facts: Json, told: str, answer: Json) -> None:
        self.books.execute(
            "INSERT INTO done (id, verb, facts, answer) VALUES (?, ?, ?, ?)",
            (facts["transaction"], verb, told, json.dumps(answer)),
        )

    def _rolled_back(self, facts: Json, told: str, row: Any) -> Json:
        """Undo a debit once. One that has not come yet never counts any more."""
        if row is None:
            self.books.execute(
                "INSERT INTO done (id, verb, facts, answer, is_rolled_back)"
                " VALUES (?, 'debit', ?, '{}', 1)",
                (facts["transaction"], told),
            )
        elif row[0] != "debit" or row[1] != told:
            return self._refused("transaction_reused", facts)
        elif not row[3]:
            self._move(facts, facts["amount_minor"])
            self.books.execute(
                "UPDATE done SET is_rolled_back = 1 WHERE id = ?", (facts["transaction"],)
            )
        return {"status": "ok", "balance_minor": self._held(facts)}

    def _held(self, facts: Json) -> int | None:
        row = self.books.execute(
            "SELECT minor FROM balance WHERE player = ? AND currency = ?",
            (facts["player"], facts["currency"]),
        ).fetchone()
        return None if row is None else int(row[0])

    def _move(self, facts: Json, minor: int) -> None:
        self.books.execute(
            "UPDATE balance SET minor = minor + ? WHERE player = ? AND currency = ?",
            (minor, facts["player"], facts["currency"]),
        )

    def _refused(self, reason: str, facts: Json) -> Json:
        return {"status": "refused", "reason": reason, "balance_minor": self._held(facts)}


def is_signed(secret: str, headers: Any, body: bytes, now_s: int) -> bool:
    """Whether a body is from who knows the secret, and of these minutes."""
    message, stamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not stamp.isascii() or not stamp.isdigit() or len(stamp) > 12:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    due = hmac.new(key, f"{message}.{stamp}.".encode() + body, hashlib.sha256).digest()
    signature = "v1," + base64.b64encode(due).decode()
    given = headers.get("webhook-signature", "").split()
    is_known = any(hmac.compare_digest(signature.encode(), one.encode()) for one in given)
    return is_known and abs(now_s - int(stamp)) <= WINDOW_S


def facts_of(verb: str, body: bytes) -> Json | None:
    """A request's fields; None if they are not what the verb takes."""
    try:
        facts = json.loads(body)
    except (ValueError, RecursionError):
        return None
    names = {"player", "currency"} | ({"transaction", "amount_minor"} if verb in VERBS else set())
    if not isinstance(facts, dict) or set(facts) != names:
        return None
    texts = [value for name, value in facts.items() if name != "amount_minor"]
    if any(not isinstance(text, str) or not 0 < len(text) <= TEXT_MOST for text in texts):
        return None
    amount = facts.get("amount_minor", 1)
    return facts if type(amount) is int and 0 < amount <= AMOUNT_MOST else None


class Handler(BaseHTTPRequestHandler):
    """POST /debit, /credit, /rollback, /balance."""

    wallet: Wallet
    secret: str

    def do_POST(self) -> None:
        length = self.headers.get("content-length", "")
        if not length.isdigit() or int(length) > BODY_MOST:
            self.answer(413, {"problem": "no length, or too long"})
            return
        body = self.rfile.read(int(length))
        verb = self.path.rpartition("/")[2]
        if not is_signed(self.secret, self.headers, body, int(time.time())):
            self.answer(401, {"problem": "not signed"})
        elif verb not in (*VERBS, "balance"):
            self.answer(404, {"problem": "no such verb"})
        elif (facts := facts_of(verb, body)) is None:
            self.answer(400, {"problem": "not understood"})
        else:
            answer = self.wallet.ask(verb, facts)
            self.answer(200 if answer["status"] == "ok" else 409, answer)

    def answer(self, status: int, told: Json) -> None:
        body = json.dumps(told).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: Any) -> None:
        """Requests are not told one by one."""


def server(wallet: Wallet, secret: str, port: int = 0) -> ThreadingHTTPServer:
    """A server of this machine alone, not serving yet. port 0: any free one."""
    handler = type("Handler", (Handler,), {"wallet": wallet, "secret": secret})
    return ThreadingHTTPServer(("127.0.0.1", port), handler)


def main() -> None:
    parser = argparse.ArgumentParser(description="A reference wallet, for trying things out.")
    parser.add_argument("--port", type=int, default=9100)
    parser.add_argument("--secret", required=True, help="whsec_ and the base 64 of 32 bytes")
    parser.add_argument("--database", default=":memory:")
    parser.add_argument("--player", action="append", default=[], help="reference:CURRENCY:minor")
    told = parser.parse_args()
    wallet = Wallet(told.database)
    for text in told.player:
        player, currency, minor = text.split(":")
        wallet.open_player(player, currency, int(minor))
    serving = server(wallet, told.secret, told.port)
    sys.stdout.write(f"wallet on http://127.0.0.1:{serving.server_address[1]}\n")
    sys.stdout.flush()
    serving.serve_forever()


if __name__ == "__main__":
    main()
