#!/usr/bin/env python3
"""LTI 1.3 for a server that keeps results: learning platforms (Moodle, Canvas, ...) launch exercise sets of conpole, teachers choose them
from there (deep linking), and scores go back into the platform's gradebook.

    conpole serve --data DIR ...                 keeps sets, pupils and their work, as ever
    lti.py --data DIR --address https://conpole.school.example --platforms platforms.json

It answers below /lti/, and asks the server on the same machine; a proxy in front of both has the certificate. In DIR it keeps its key
(lti-key.pem) and who works on what (lti.sqlite). platforms.json is a list with what a platform shows whoever registers a tool:

    [{"issuer": "https://lms.example", "client_id": "...", "auth": "https://...", "token": "https://...", "jwks": "https://...",
      "deployments": ["1"]}]                     without deployments: all of them

/docs/server.md says what to enter in the platform. It needs Python alone, and the program openssl.
"""

import argparse
import contextlib
import hmac
import html
import http.cookies
import http.server
import json
import os
import pathlib
import secrets
import sqlite3
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

from jose import OwnKey, Refused, parts_of, verify

CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
LINKING = "https://purl.imsglobal.org/spec/lti-dl/claim/"
GRADES = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
SCORE = "https://purl.imsglobal.org/spec/lti-ags/scope/score"
ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
SKEW = 60  # seconds that clocks may differ
PATIENCE = 600  # seconds from the login to the launch, and for a teacher to choose
OLDEST = 3600  # seconds since a token was made
WATCHED = 7 * 86400  # seconds after a launch in which work on it is looked for
MOST_BYTES = 256 << 10
CODE_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"

TABLES = """
CREATE TABLE IF NOT EXISTS login (state TEXT PRIMARY KEY, nonce TEXT, issuer TEXT, client TEXT, until REAL);
CREATE TABLE IF NOT EXISTS choice (ticket TEXT PRIMARY KEY, claims TEXT, until REAL);
CREATE TABLE IF NOT EXISTS made (pupils TEXT PRIMARY KEY, results TEXT);
CREATE TABLE IF NOT EXISTS work (pupils TEXT, issuer TEXT, client TEXT, user TEXT, code TEXT, lineitem TEXT, seen REAL, sent TEXT,
                                 PRIMARY KEY (pupils, issuer, user));
"""

FORM = """<h1>Exercises for this course</h1>{trouble}
<form method="post" action="choose"><input type="hidden" name="ticket" value="{ticket}">
<p><label>Link to the results of a set that was made with "Collect results"<br><input name="results" size="60" value="{results}"></label></p>
<p>or a new set:</p><p><label>Title<br><input name="title" size="60" value="{title}"></label></p>
<p><label>Problems, one per line<br><textarea name="problems" rows="10" cols="60">{problems}</textarea></label></p>
<p><label><input type="checkbox" name="hints"{hints}> Pupils may ask for hints and solutions</label></p>
<button>Take these</button></form>"""
RETURN = """<h1>{title}</h1><p>The set has {count} exercises.</p>{link}
<form method="post" action="{address}"><input type="hidden" name="JWT" value="{token}"><button>Back to the course</button></form>"""


def fetch(address, body=None, headers=None):
    """The JSON behind an address; None for an empty answer."""
    request = urllib.request.Request(address, data=body, headers=headers or {})
    with urllib.request.urlopen(request, timeout=10) as response:
        text = response.read(MOST_BYTES)
    return json.loads(text) if text.strip() else None


def checked_platforms(path):
    needed, known = {"issuer", "client_id", "auth", "token", "jwks"}, {"deployments"}
    platforms = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    for platform in platforms:
        if not needed <= platform.keys() <= needed | known:
            raise SystemExit(f"{path}: a platform has {', '.join(sorted(needed))}, and maybe deployments; not: {', '.join(platform)}")
        for name in ("auth", "token", "jwks"):
            parts = urllib.parse.urlsplit(platform[name])
            if parts.scheme != "https" and parts.hostname not in ("localhost", "127.0.0.1"):
                raise SystemExit(f"{path}: '{name}' must be an https address")
    return {(platform["issuer"], platform["client_id"]): platform for platform in platforms}


class Store:
    """What is kept between requests. One connection, of which one thread at a time makes use."""

    def __init__(self, path):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        self.lock = threading.Lock()
        self.base = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self.base.executescript("PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON;" + TABLES)

    def ask(self, text, *values):
        with self.lock:
            return self.base.execute(text, values).fetchall()

    def take(self, table, key, value):
        """The row, which is there once: whoever asks again gets none, and neither does who comes too late."""
        self.ask(f"DELETE FROM {table} WHERE until < ?", time.time())
        rows = self.ask(f"DELETE FROM {table} WHERE {key} = ? RETURNING *", value)
        return rows[0] if rows else None


class Platform:
    """A platform as this side sees it: its keys, and where scores go."""

    def __init__(self, described, own_key):
        self.__dict__.update(described)
        self.allowed = described.get("deployments")
        self.own_key = own_key
        self.lock = threading.Lock()
        self.keys, self.asked = {}, 0.0
        self.access, self.access_until = "", 0.0

    def key(self, kid):
        """Asks the platform when it signs with a key that is not known yet; not more than every ten seconds."""
        with self.lock:
            if kid not in self.keys and time.monotonic() - self.asked > 10:
                try:
                    self.keys = {key.get("kid"): key for key in fetch(self.jwks)["keys"]}
                except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
                    raise Refused(f"the platform's keys cannot be fetched: {error}") from None
                self.asked = time.monotonic() if kid not in self.keys else 0.0
            if kid not in self.keys:
                raise Refused("the token is signed with a key that the platform does not have")
            return self.keys[kid]

    def check(self, token, nonce):
        """The claims of a launch, all of them verified (LTI 1.3, Security Framework 5.1.3)."""
        header, claims = parts_of(token)
        verify(token, self.key(header.get("kid")))
        now, audience = time.time(), claims.get("aud")
        audience = audience if isinstance(audience, list) else [audience]
        if claims.get("iss") != self.issuer:
            raise Refused("the token is from another platform")
        if self.client_id not in audience or (len(audience) > 1 and claims.get("azp") != self.client_id):
            raise Refused("the token is for another tool")
        times = [claims.get("exp"), claims.get("iat")]
        if not all(isinstance(at, (int, float)) and not isinstance(at, bool) for at in times):
            raise Refused("the token does not say until when it holds")
        if times[0] < now - SKEW:
            raise Refused("the token has expired")
        if not now - OLDEST - SKEW < times[1] < now + SKEW:
            raise Refused("the token was not made just now: the clocks of platform and tool differ")
        if not isinstance(claims.get("nonce"), str) or not hmac.compare_digest(claims["nonce"].encode(), nonce.encode()):
            raise Refused("the token belongs to another login")
        if claims.get(CLAIM + "version") != "1.3.0":
            raise Refused("the token is not of LTI 1.3")
        if self.allowed is not None and claims.get(CLAIM + "deployment_id") not in self.allowed:
            raise Refused("the tool is not deployed there: 'deployments' does not have it")
        if not isinstance(claims.get("sub"), str):
            raise Refused("the platform does not say who it is")
        return claims

    def assertion(self):
        now = int(time.time())
        return self.own_key.sign(
            {"iss": self.client_id, "sub": self.client_id, "aud": self.token, "iat": now, "exp": now + 300, "jti": secrets.token_urlsafe(16)}
        )

    def send_score(self, lineitem, score):
        if time.time() > self.access_until:
            form = {"grant_type": "client_credentials", "client_assertion_type": ASSERTION, "client_assertion": self.assertion(), "scope": SCORE}
            answer = fetch(self.token, urllib.parse.urlencode(form).encode("ascii"))
            self.access, self.access_until = answer["access_token"], time.time() + float(answer.get("expires_in", 60)) - SKEW
        parts = urllib.parse.urlsplit(lineitem)
        address = parts._replace(path=parts.path + "/scores").geturl()
        headers = {"Authorization": f"Bearer {self.access}", "Content-Type": "application/vnd.ims.lis.v1.score+json"}
        try:
            fetch(address, json.dumps(score).encode("utf-8"), headers)
        except urllib.error.HTTPError as error:
            if error.code in (401, 403):
                self.access_until = 0.0
            raise


class Tool:
    def __init__(self, options):
        self.address = options.address.rstrip("/")
        self.server = options.server.rstrip("/")
        self.authorization = {"Authorization": f"Bearer {os.environ['CONPOLE_SERVE_TOKEN']}"} if os.environ.get("CONPOLE_SERVE_TOKEN") else {}
        self.key = OwnKey(pathlib.Path(options.data, "lti-key.pem"))
        self.store = Store(pathlib.Path(options.data, "lti.sqlite"))
        self.platforms = {name: Platform(described, self.key) for name, described in checked_platforms(options.platforms).items()}

    def classroom(self, operation, request):
        headers = {"Content-Type": "application/json", **self.authorization}
        try:
            return fetch(f"{self.server}/class/{operation}", json.dumps(request).encode("utf-8"), headers)
        except urllib.error.HTTPError as error:
            detail = json.loads(error.read(MOST_BYTES) or b"{}").get("detail", str(error))
            raise ClassRefused(error.code, detail) from None

    def platform(self, issuer, client):
        found = [one for (name, own), one in self.platforms.items() if name == issuer and client in (own, None)]
        if len(found) != 1:
            raise Refused("this platform is not registered here" if not found else "the platform must say for which tool it asks: client_id")
        return found[0]

    # 1. The platform says who is to come, and is asked for a token.
    def login(self, fields):
        platform = self.platform(fields.get("iss"), fields.get("client_id"))
        if not fields.get("login_hint") or not fields.get("target_link_uri", "").startswith(self.address + "/"):
            raise Refused("the login must have 'login_hint', and a 'target_link_uri' of this tool")
        state, nonce = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        self.store.ask("INSERT INTO login VALUES (?, ?, ?, ?, ?)", state, nonce, platform.issuer, platform.client_id, time.time() + PATIENCE)
        asked = {"scope": "openid", "response_type": "id_token", "response_mode": "form_post", "prompt": "none", "client_id": platform.client_id,
                 "redirect_uri": f"{self.address}/lti/launch", "login_hint": fields["login_hint"], "state": state, "nonce": nonce}  # fmt: skip
        if "lti_message_hint" in fields:
            asked["lti_message_hint"] = fields["lti_message_hint"]
        joint = "&" if "?" in platform.auth else "?"
        # The launch must come from the browser that began: also in a frame of the platform, hence all these attributes.
        cookie = f"lti-{state}=1; Path=/lti/; Max-Age={PATIENCE}; HttpOnly; Secure; SameSite=None; Partitioned"
        return 302, {"Location": f"{platform.auth}{joint}{urllib.parse.urlencode(asked)}", "Set-Cookie": cookie}, ""

    # 2. The token comes: a pupil goes to the set, a teacher to the results, or to choose a set.
    def launch(self, fields, cookies):
        if "error" in fields:
            raise Refused(f"the platform says: {fields.get('error_description', fields['error'])}")
        state = fields.get("state", "")
        row = self.store.take("login", "state", state)
        if row is None:
            raise Refused("this launch was used already, or took too long: open the exercises anew")
        if f"lti-{state}" not in cookies:
            raise Refused("the launch began in another browser, or this one refuses cookies here: open the exercises in a window of their own")
        _, nonce, issuer, client, _ = row
        platform = self.platform(issuer, client)
        claims = platform.check(fields.get("id_token", ""), nonce)
        kind = claims.get(CLAIM + "message_type")
        teaches = any(str(role).endswith(("#Instructor", "#Administrator", "#ContentDeveloper")) for role in claims.get(CLAIM + "roles") or [])
        if kind == "LtiDeepLinkingRequest":
            if not teaches:
                raise Refused("only teachers choose exercises")
            ticket = secrets.token_urlsafe(32)
            kept = json.dumps({**claims, "aud": client})
            self.store.ask("INSERT INTO choice VALUES (?, ?, ?)", ticket, kept, time.time() + PATIENCE * 6)
            return 200, {}, self.form(ticket, {"hints": "on"})
        if kind != "LtiResourceLinkRequest":
            raise Refused("this kind of launch is not known here")
        pupils = (claims.get(CLAIM + "custom") or {}).get("set")
        if not isinstance(pupils, str):
            raise Refused("no exercises were chosen for this link: choose them in the platform (deep linking)")
        made = self.store.ask("SELECT results FROM made WHERE pupils = ?", pupils)
        if teaches and made:
            return 303, {"Location": f"{self.address}/#/results/{made[0][0]}"}, ""
        return 303, {"Location": f"{self.address}/#/class/{pupils}/{self.join(pupils, platform, claims)}"}, ""

    def join(self, pupils, platform, claims):
        """The code of the pupil in this set: the same at every launch."""
        grades = claims.get(GRADES) or {}
        lineitem = grades.get("lineitem", "") if SCORE in grades.get("scope", []) else ""
        who = (pupils, platform.issuer, claims["sub"])
        code = "".join(secrets.choice(CODE_LETTERS) for _ in range(26))
        self.store.ask("INSERT OR IGNORE INTO work VALUES (?, ?, ?, ?, ?, ?, ?, '')",
                       pupils, platform.issuer, platform.client_id, claims["sub"], code, lineitem, time.time())  # fmt: skip
        self.store.ask("UPDATE work SET lineitem = ?, seen = ? WHERE pupils = ? AND issuer = ? AND user = ?", lineitem, time.time(), *who)
        ((code,),) = self.store.ask("SELECT code FROM work WHERE pupils = ? AND issuer = ? AND user = ?", *who)
        try:
            self.classroom("pupil", {"set": pupils, "pupil": code})
            return code
        except ClassRefused as refused:
            if refused.status != 404:
                raise
        name = "".join(sign if sign.isprintable() else " " for sign in str(claims.get("name") or claims.get("given_name") or "Pupil"))
        name = name.encode("utf-8")[:50].decode("utf-8", "ignore").strip() or "Pupil"
        for number in range(1, 100):
            try:
                self.classroom("join", {"set": pupils, "pupil": code, "name": name if number == 1 else f"{name} ({number})"})
                return code
            except ClassRefused as refused:
                if refused.status != 409:
                    raise
        raise Refused("the class is full")

    # 3. What a teacher chose goes back to the platform.
    def form(self, ticket, fields, trouble=""):
        shown = {name: html.escape(fields.get(name, "")) for name in ("results", "title", "problems")}
        said = f'<p role="alert">{html.escape(trouble)}</p>' if trouble else ""
        return document(FORM.format(ticket=html.escape(ticket), trouble=said, hints=" checked" if "hints" in fields else "", **shown))

    def choose(self, fields):
        ticket = fields.get("ticket", "")
        row = self.store.take("choice", "ticket", ticket)
        if row is None:
            raise Refused("the choice was made already, or took too long: begin anew in the platform")
        claims = json.loads(row[1])
        try:
            if fields.get("results"):
                results = fields["results"].rstrip("/").rpartition("/")[2]
                pupils = self.classroom("results", {"results": results})["pupils_key"]
            else:
                items = [{"problem": line.strip()} for line in fields.get("problems", "").splitlines() if line.strip()]
                keys = self.classroom("make", {"title": fields.get("title", ""), "hints": "hints" in fields, "items": items})
                pupils, results = keys["pupils"], keys["results"]
        except ClassRefused as refused:
            self.store.ask("INSERT INTO choice VALUES (?, ?, ?)", *row)
            return 422, {}, self.form(ticket, fields, str(refused))
        self.store.ask("INSERT OR REPLACE INTO made VALUES (?, ?)", pupils, results)
        made = self.classroom("set", {"set": pupils})
        count, title = len(made["exercises"]), made["title"] or "Exercises"
        now, settings = int(time.time()), claims.get(LINKING + "deep_linking_settings") or {}
        item = {"type": "ltiResourceLink", "title": title, "url": f"{self.address}/lti/launch", "custom": {"set": pupils},
                "lineItem": {"scoreMaximum": count, "label": title}}  # fmt: skip
        platform = self.platform(claims["iss"], claims["aud"])
        answer = {"iss": platform.client_id, "aud": claims["iss"], "iat": now, "exp": now + PATIENCE, "nonce": secrets.token_urlsafe(16),
                  CLAIM + "deployment_id": claims.get(CLAIM + "deployment_id"), CLAIM + "message_type": "LtiDeepLinkingResponse",
                  CLAIM + "version": "1.3.0", LINKING + "content_items": [item]}  # fmt: skip
        if "data" in settings:
            answer[LINKING + "data"] = settings["data"]
        address = str(settings.get("deep_link_return_url", ""))
        if not address.startswith(("https://", "http://")):
            raise Refused("the platform does not say where to send the choice")
        link = f'<p>Results: <a href="{self.address}/#/results/{results}" target="_blank" rel="noopener">those of this set</a></p>'
        shown = {"title": html.escape(title), "count": count, "link": link, "address": html.escape(address), "token": self.key.sign(answer)}
        return 200, {}, document(RETURN.format(**shown))

    # 4. Now and then: scores that changed go to the platform. What fails is tried again.
    def send_scores(self):
        rows = self.store.ask("SELECT * FROM work WHERE lineitem <> '' AND seen > ?", time.time() - WATCHED)
        for pupils, issuer, client, user, code, lineitem, _, sent in rows:
            try:
                platform = self.platform(issuer, client)
                work = self.classroom("pupil", {"set": pupils, "pupil": code})["work"]
                count = len(self.classroom("set", {"set": pupils})["exercises"]) if work else 0
                score = score_of(work, count)
                if not work or json.dumps(score) == sent:
                    continue
                moment = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())
                platform.send_score(lineitem, {**score, "userId": user, "timestamp": moment, "gradingProgress": "FullyGraded"})
                self.store.ask("UPDATE work SET sent = ? WHERE code = ?", json.dumps(score), code)
            except (OSError, sqlite3.Error, Refused, ValueError, KeyError, TypeError) as error:
                print(f"a score was not taken, and is sent again later: {error}", file=sys.stderr, flush=True)


def score_of(work, count):
    """As in packages for platforms: 1 for an exercise that was solved alone, a half with hints, nothing after a look at the solution."""
    points = sum(0 if one["solutions"] else 0.5 if one["hints"] else 1 for one in work if one["solved"])
    is_over = sum(one["solved"] for one in work) == count
    return {"scoreGiven": points, "scoreMaximum": count, "activityProgress": "Completed" if is_over else "InProgress"}


class ClassRefused(Refused):
    def __init__(self, status, detail):
        super().__init__(detail)
        self.status = status


class Handler(http.server.BaseHTTPRequestHandler):
    timeout = 20
    tool = None  # set by main

    def do_GET(self):
        self.answer(urllib.parse.urlsplit(self.path).query)

    def do_POST(self):
        try:
            size = int(self.headers.get("Content-Length", ""))
        except ValueError:
            size = -1
        if not 0 <= size <= MOST_BYTES:
            self.close_connection = True
            return self.reply(413 if size > 0 else 411, {}, page("The request has no length, or is too long."))
        return self.answer(self.rfile.read(size).decode("utf-8", "replace"))

    def answer(self, form):
        path = urllib.parse.urlsplit(self.path).path
        fields = dict(urllib.parse.parse_qsl(form, keep_blank_values=True, max_num_fields=100))
        is_post = self.command == "POST"
        try:
            if path == "/lti/jwks" and not is_post:
                return self.reply(200, {"Content-Type": "application/json"}, json.dumps({"keys": [self.tool.key.jwk]}))
            if path == "/lti/login":
                return self.reply(*self.tool.login(fields))
            if path == "/lti/launch" and is_post:
                cookies = http.cookies.SimpleCookie()
                with contextlib.suppress(http.cookies.CookieError):
                    cookies.load(self.headers.get("Cookie", ""))
                return self.reply(*self.tool.launch(fields, cookies))
            if path == "/lti/choose" and is_post:
                return self.reply(*self.tool.choose(fields))
            return self.reply(404, {}, page("There is nothing at this path."))
        except Refused as refused:
            return self.reply(403, {}, page(f"The exercises cannot be opened: {refused}"))
        except (OSError, sqlite3.Error) as error:
            return self.reply(503, {}, page(f"The server of the exercises cannot be reached: {error}"))

    def reply(self, status, headers, text):
        body = text.encode("utf-8")
        self.send_response(status)
        sent = {"Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
                "Referrer-Policy": "no-referrer", "Content-Security-Policy": "default-src 'none'", "Content-Length": str(len(body)), **headers}  # fmt: skip
        for name, value in sent.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, text, *values):
        pass  # Addresses of pupils are nobody's business.


def document(inside):
    return f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>conpole</title><main>{inside}</main></html>\n'


def page(sentence):
    return document(f'<p role="alert">{html.escape(sentence)}</p>')


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0], formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True, help="the folder that conpole serve has, too")
    parser.add_argument("--platforms", required=True, help="the file with the platforms")
    parser.add_argument("--address", required=True, help="what browsers see, without a path: https://conpole.school.example")
    parser.add_argument("--server", default="http://127.0.0.1:8080", help="conpole serve --data, from here")
    parser.add_argument("--port", type=int, default=8081, help="0 for any that is free")
    parser.add_argument("--seconds", type=float, default=15, help="between two looks for new work")
    options = parser.parse_args()
    Handler.tool = Tool(options)
    with http.server.ThreadingHTTPServer(("127.0.0.1", options.port), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        print(f"LTI at http://127.0.0.1:{server.server_port}/lti/", flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            while True:
                time.sleep(options.seconds)
                Handler.tool.send_scores()


if __name__ == "__main__":
    main()
