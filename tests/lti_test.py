"""LTI 1.3 (deploy/lti): a platform with keys of its own launches exercises, lets a teacher choose some, and gets scores; and whatever a
platform must not get away with. Everything is signed by openssl, as in earnest.

Usage: lti_test.py PROGRAM ROOT; exit status 77 if there is no openssl, or a program that keeps no results
"""

import base64
import hashlib
import hmac
import html
import http.server
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

PROGRAM, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])
LTI = ROOT / "deploy" / "lti"
sys.path.insert(0, str(LTI))
sys.dont_write_bytecode = True
import jose  # noqa: E402

CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
LINKING = "https://purl.imsglobal.org/spec/lti-dl/claim/"
GRADES = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
SCORE = "https://purl.imsglobal.org/spec/lti-ags/scope/score"
TEACHER = "http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor"
LEARNER = "http://purl.imsglobal.org/vocab/lis/v2/membership#Learner"
TOOL = "https://conpole.school.example"


class Platform:
    """Its issuer, keys, token endpoint and gradebook."""

    def __init__(self, folder):
        self.key = jose.OwnKey(folder / "platform.pem")
        self.scores, self.tool_key, self.assertions, self.fails = [], None, set(), 1
        platform = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def reply(self, status, value):
                body = json.dumps(value).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                self.reply(200, {"keys": [platform.key.jwk]})

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                if self.path == "/token":
                    return self.reply(*platform.grant(dict(urllib.parse.parse_qsl(body))))
                return self.reply(*platform.grade(self.path, self.headers, json.loads(body)))

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        self.described = {"issuer": "https://lms.example", "client_id": "tool-1", "deployments": ["d1"]}
        self.described |= {"auth": f"{self.address}/auth?x=1", "token": f"{self.address}/token", "jwks": f"{self.address}/jwks"}

    def grant(self, form):
        _, claims = jose.parts_of(form["client_assertion"])
        jose.verify(form["client_assertion"], self.tool_key)
        assert claims["iss"] == claims["sub"] == "tool-1" and claims["aud"] == self.described["token"], claims
        assert claims["exp"] > time.time() and claims["jti"] not in self.assertions, claims
        assert (form["grant_type"], form["scope"]) == ("client_credentials", SCORE), form
        self.assertions.add(claims["jti"])
        return 200, {"access_token": "access", "expires_in": 3600}

    def grade(self, path, headers, score):
        assert headers["Authorization"] == "Bearer access", headers
        assert headers["Content-Type"] == "application/vnd.ims.lis.v1.score+json", headers
        if self.fails:  # the first one: the tool has to ask again
            self.fails -= 1
            return 503, {}
        self.scores.append((path, score))
        return 200, {}

    def claims(self, nonce, **more):
        now = time.time()
        common = {"iss": "https://lms.example", "aud": "tool-1", "sub": "u1", "name": "Ada", "nonce": nonce, "iat": now, "exp": now + 60,
                  CLAIM + "version": "1.3.0", CLAIM + "deployment_id": "d1", CLAIM + "message_type": "LtiResourceLinkRequest",
                  CLAIM + "roles": [LEARNER]}  # fmt: skip
        return {**common, **{name: value for name, value in more.items() if value is not None}}


class Browser:
    """Follows nothing by itself, and keeps cookies."""

    def __init__(self, address):
        self.address, self.cookies = address, {}

    def ask(self, path, form=None):
        class Stay(urllib.request.HTTPRedirectHandler):
            def redirect_request(self, *_):
                return None

        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        data = None if form is None else urllib.parse.urlencode(form).encode()
        request = urllib.request.Request(self.address + path, data=data, headers={"Cookie": cookie})
        try:
            answer = urllib.request.build_opener(Stay).open(request, timeout=60)
        except urllib.error.HTTPError as error:
            answer = error
        with answer:
            for given in answer.headers.get_all("Set-Cookie") or []:
                name, _, value = given.partition(";")[0].partition("=")
                assert "Secure" in given and "HttpOnly" in given and "SameSite=None" in given, given
                self.cookies[name] = value
            return answer.status, answer.headers.get("Location", ""), html.unescape(answer.read().decode())

    def login(self, **more):
        fields = {"iss": "https://lms.example", "login_hint": "h", "target_link_uri": f"{TOOL}/lti/launch", "lti_message_hint": "m"} | more
        status, location, text = self.ask("/lti/login?" + urllib.parse.urlencode(fields))
        if status != 302:
            return text
        asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(location).query))
        expected = {"x": "1", "response_type": "id_token", "response_mode": "form_post", "scope": "openid", "prompt": "none", "login_hint": "h",
                    "client_id": "tool-1", "redirect_uri": f"{TOOL}/lti/launch", "lti_message_hint": "m"}  # fmt: skip
        assert {name: asked.get(name) for name in expected} == expected, asked
        return asked

    def launch(self, asked, token):
        return self.ask("/lti/launch", {"state": asked["state"], "id_token": token})


def started(command, pattern):
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    for line in process.stdout:
        if found := re.search(pattern, line):
            return process, found.group(1)
    return process, None


def classroom(server, operation, **request):
    asked = urllib.request.Request(f"{server}/class/{operation}", json.dumps(request).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(asked, timeout=60) as answer:
        return json.load(answer)


def signed_otherwise(claims, header, sign):
    signed = ".".join(jose.encode(json.dumps(part).encode()) for part in (header, claims))
    return f"{signed}.{jose.encode(sign(signed.encode()))}"


def test_refusals(platform, browser, folder, pupils):
    kid = platform.key.jwk["kid"]
    other = jose.OwnKey(folder / "other.pem")
    other.jwk["kid"] = kid
    unknown = jose.OwnKey(folder / "unknown.pem")
    unknown.jwk["kid"] = "nobody's"
    public = base64.urlsafe_b64decode(platform.key.jwk["n"] + "==")
    now = time.time()

    def damaged(claims):
        head, _, tail = platform.key.sign(claims).split(".")
        return f"{head}.{jose.encode(json.dumps(claims | {'sub': 'u2'}).encode())}.{tail}"

    claimed = lambda **more: lambda nonce: platform.key.sign(platform.claims(nonce, **{CLAIM + "custom": {"set": pupils}} | more))
    unsigned = lambda header, sign: lambda nonce: signed_otherwise(platform.claims(nonce), header, sign)
    cases = [
        ("wrong issuer", claimed(iss="https://other.example"), "from another platform"),
        ("wrong audience", claimed(aud="tool-2"), "for another tool"),
        ("several audiences without azp", claimed(aud=["tool-1", "tool-2"]), "for another tool"),
        ("expired", claimed(exp=now - 120, iat=now - 180), "has expired"),
        ("made in the future", claimed(iat=now + 600, exp=now + 900), "clocks"),
        ("made long ago", claimed(iat=now - 90000), "clocks"),
        ("no times", claimed(exp="soon"), "until when"),
        ("another nonce", lambda nonce: platform.key.sign(platform.claims("n0")), "another login"),
        ("old version", claimed(**{CLAIM + "version": "1.1"}), "not of LTI 1.3"),
        ("another deployment", claimed(**{CLAIM + "deployment_id": "d2"}), "not deployed there"),
        ("nobody", claimed(sub=7), "who it is"),
        ("another kind", claimed(**{CLAIM + "message_type": "Other"}), "kind of launch"),
        ("a pupil chooses", claimed(**{CLAIM + "message_type": "LtiDeepLinkingRequest"}), "only teachers"),
        ("nothing chosen", lambda nonce: platform.key.sign(platform.claims(nonce)), "no exercises were chosen"),
        ("wrong key", lambda nonce: other.sign(platform.claims(nonce)), "signature of the token is wrong"),
        ("changed afterwards", lambda nonce: damaged(platform.claims(nonce)), "signature of the token is wrong"),
        ("unknown key", lambda nonce: unknown.sign(platform.claims(nonce)), "does not have"),
        ("not signed", unsigned({"alg": "none", "kid": kid}, lambda _: b""), "RS256"),
        ("signed with the public key", unsigned({"alg": "HS256", "kid": kid}, lambda text: hmac.digest(public, text, hashlib.sha256)), "RS256"),
        ("no token", lambda nonce: "x.y", "no JSON Web Token"),
        ("odd token", lambda nonce: "e30.e30.ä", "RS256"),
    ]  # fmt: skip
    for name, token, sentence in cases:
        asked = browser.login()
        status, _, text = browser.launch(asked, token(asked["nonce"]))
        assert status == 403 and sentence in text, (name, status, text)

    good = lambda asked: platform.key.sign(platform.claims(asked["nonce"], **{CLAIM + "custom": {"set": pupils}}))
    asked = browser.login()
    assert browser.launch({"state": "x"}, good(asked))[0] == 403
    assert browser.launch(asked, good(asked))[0] == 303
    status, _, text = browser.launch(asked, good(asked))
    assert status == 403 and "used already" in text, text
    # Somebody else's launch, brought into this browser.
    status, _, text = Browser(browser.address).launch(asked := browser.login(), good(asked))
    assert status == 403 and "another browser" in text, text
    # Clocks may differ a little.
    asked = browser.login()
    claims = platform.claims(asked["nonce"], iat=time.time() + 20, exp=time.time() - 20, **{CLAIM + "custom": {"set": pupils}})
    assert browser.launch(asked, platform.key.sign(claims))[0] == 303
    assert "not registered" in browser.login(iss="https://nobody.example")
    assert "target_link_uri" in browser.login(target_link_uri="https://evil.example/")
    assert "says: no" in browser.ask("/lti/launch", {"error": "x", "error_description": "no"})[2]
    assert browser.ask("/lti/launch")[0] == 404 and browser.ask("/lti/other")[0] == 404
    # A weak key is none, whoever has it.
    weak = {**platform.key.jwk, "n": jose.encode(public[:128])}
    try:
        jose.verify(platform.key.sign({}), weak)
    except jose.Refused as refused:
        assert "2048" in str(refused)
    else:
        raise AssertionError("a weak key is taken")


def chosen(platform, browser, fields):
    """A teacher chooses; what the platform gets of it."""
    asked = browser.login()
    kind = {CLAIM + "message_type": "LtiDeepLinkingRequest", CLAIM + "roles": [TEACHER]}
    settings = {"deep_link_return_url": "https://lms.example/return?a=1&b=2", "data": "opaque"}
    token = platform.key.sign(platform.claims(asked["nonce"], sub="t1", **kind, **{LINKING + "deep_linking_settings": settings}))
    status, _, text = browser.launch(asked, token)
    assert status == 200 and "Exercises for this course" in text, (status, text)
    ticket = re.search(r'name="ticket" value="([^"]*)"', text).group(1)
    # What cannot be read is said, and can be mended.
    status, _, text = browser.ask("/lti/choose", {"ticket": ticket, "problems": "2x + = 4", "title": "<b>"})
    assert status == 422 and "found '='" in text and 'value="<b>"' in text, (status, text)
    status, _, text = browser.ask("/lti/choose", {"ticket": ticket, **fields})
    assert status == 200 and 'action="https://lms.example/return?a=1&b=2"' in text, (status, text)
    assert "already" in browser.ask("/lti/choose", {"ticket": ticket, **fields})[2]
    token = re.search(r'name="JWT" value="([^"]*)"', text).group(1)
    jose.verify(token, platform.tool_key)
    header, claims = jose.parts_of(token)
    assert header["kid"] == platform.tool_key["kid"], header
    assert (claims["iss"], claims["aud"], claims[LINKING + "data"]) == ("tool-1", "https://lms.example", "opaque"), claims
    assert (claims[CLAIM + "message_type"], claims[CLAIM + "deployment_id"]) == ("LtiDeepLinkingResponse", "d1"), claims
    (item,) = claims[LINKING + "content_items"]
    return item, re.search(r"#/results/(\w+)", text).group(1)


def launched(platform, browser, **more):
    asked = browser.login()
    status, location, text = browser.launch(asked, platform.key.sign(platform.claims(asked["nonce"], **more)))
    assert status == 303, (status, text)
    return location.removeprefix(f"{TOOL}/#/")


def test_class(platform, browser, server):
    fields = {"title": "Monday", "problems": "2x + 3 = 7\n\n3x = 12", "hints": "on"}
    item, results = chosen(platform, browser, fields)
    assert (item["title"], item["lineItem"]["scoreMaximum"], item["url"]) == ("Monday", 2, f"{TOOL}/lti/launch"), item
    again, same = chosen(platform, browser, {"results": f"{TOOL}/#/results/{results}"})
    assert (again["custom"], same) == (item["custom"], results)
    custom = {CLAIM + "custom": item["custom"]}
    line = {GRADES: {"scope": [SCORE], "lineitem": f"{platform.address}/items/7?type=x"}}
    _, pupils, ada = launched(platform, browser, **custom, **line).split("/")
    assert launched(platform, browser, **custom, **line).endswith(ada)  # the same pupil, whenever
    _, _, other = launched(platform, browser, **custom, sub="u2").split("/")  # of the same name, and not graded
    assert other != ada
    assert launched(platform, browser, **custom, sub="t1", **{CLAIM + "roles": [TEACHER]}) == f"results/{results}"
    assert [pupil["name"] for pupil in classroom(server, "results", results=results)["pupils"]] == ["Ada", "Ada (2)"]

    work = lambda number, exercise, **more: classroom(server, "work", set=pupils, pupil=ada, number=number, exercise=exercise, **more)
    work(1, 1, kind="line", lines=["2x = 10"])
    work(2, 1, kind="line", lines=["x = 2"])
    wait_for_score(platform, 1, "InProgress")
    work(3, 2, kind="hint")
    work(4, 2, kind="line", lines=["x = 4"])
    classroom(server, "work", set=pupils, pupil=other, number=1, exercise=1, kind="line", lines=["x = 2"])
    wait_for_score(platform, 1.5, "Completed")
    path, score = platform.scores[-1]
    assert (path, score["scoreMaximum"], score["userId"], score["gradingProgress"]) == ("/items/7/scores?type=x", 2, "u1", "FullyGraded"), path
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", score["timestamp"]), score
    # Somebody else's work counts from when it is graded, and what did not change is not sent again.
    assert {score["userId"] for _, score in platform.scores} == {"u1"}
    launched(platform, browser, **custom, **line, sub="u2")
    wait_for_score(platform, 1, "InProgress", "u2")
    assert [score["userId"] for _, score in platform.scores] == ["u1", "u1", "u2"] and len(platform.assertions) == 1, platform.scores
    return pupils


def wait_for_score(platform, points, progress, user="u1"):
    for _ in range(1200):
        if any((score["scoreGiven"], score["activityProgress"], score["userId"]) == (points, progress, user) for _, score in platform.scores):
            return
        time.sleep(0.05)
    raise AssertionError(f"no score of {points}: {platform.scores}")


def main():
    if shutil.which("openssl") is None:
        print("openssl is not installed: LTI is not tested")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        platform = Platform(folder)
        (folder / "platforms.json").write_text(json.dumps([platform.described]))
        serve = [PROGRAM, "serve", "--port", "0", "--no-page", "--log", "off", "--data", folder]
        server, address = started(serve, r"(http://[\d.:]+)/")
        if address is None:
            server.wait()
            print("this program keeps no results: LTI is not tested")
            sys.exit(77)
        options = ["--data", folder, "--platforms", folder / "platforms.json", "--address", TOOL, "--server", address]
        tool = None
        try:
            tool, own = started([sys.executable, LTI / "lti.py", *options, "--port", "0", "--seconds", "0.1"], r"(http://[\d.:]+)/lti/")
            browser = Browser(own)
            (platform.tool_key,) = json.loads(browser.ask("/lti/jwks")[2])["keys"]
            assert "d" not in platform.tool_key and (folder / "lti-key.pem").stat().st_mode & 0o77 == 0
            pupils = test_class(platform, browser, address)
            test_refusals(platform, browser, folder, pupils)
            # The key stays the same, so that platforms know it.
            assert jose.OwnKey(folder / "lti-key.pem").jwk == platform.tool_key
        finally:
            for process in (server, tool):
                if process is not None:
                    process.terminate()
                    process.wait()


if __name__ == "__main__":
    main()
