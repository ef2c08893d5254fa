"""Whether openapi.json describes the API that there is: routes, fields and answers, in both directions; and
whether the examples of the documentation (PAGE) work.

Usage: openapi_test.py PROGRAM DOCUMENT PAGE
Starts the program as a server. If openapi-spec-validator is installed (pip install openapi-spec-validator), the document is held
to the specification as well.
"""

import http.client
import json
import os
import re
import subprocess
import sys
import tempfile

PROGRAM, DOCUMENT, PAGE = sys.argv[1:]
failures = []


def expect(condition, message):
    if not condition:
        failures.append(message)


class Server:
    def __enter__(self):
        self.data = tempfile.TemporaryDirectory()
        self.runs = tempfile.TemporaryDirectory()
        os.mkdir(os.path.join(self.runs.name, "sorting"))
        with open(os.path.join(self.runs.name, "sorting", "metrics.jsonl"), "w", encoding="utf-8") as metrics:
            metrics.write('{"step":500,"seconds":2.5,"validation_success":0.5}\n')
        command = [PROGRAM, "serve", "--port", "0", "--no-page", "--log", "off", "--runs", self.runs.name]
        self.process = subprocess.Popen(command + ["--data", self.data.name], stdout=subprocess.PIPE, text=True)
        first = self.process.stdout.readline()
        self.has_classes = first != ""
        if not self.has_classes:
            print("this build keeps no results: /class is not compared")
            self.process.wait()
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            first = self.process.stdout.readline()
        self.port = int(first.rsplit(":", 1)[1].strip().rstrip("/"))
        return self

    def __exit__(self, *_):
        self.process.terminate()
        expect(self.process.wait() == 0, "the server does not end with 0")
        self.data.cleanup()
        self.runs.cleanup()

    def ask(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        headers = {} if body is None else {"Content-Type": "application/json"}
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = connection.getresponse()
        text = response.read().decode()
        connection.close()
        is_json = "json" in response.getheader("Content-Type", "")
        return response.status, json.loads(text) if is_json else text


def references(node):
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "$ref":
                yield value
            else:
                yield from references(value)
    elif isinstance(node, list):
        for value in node:
            yield from references(value)


def resolve(document, node):
    while "$ref" in node:
        target = document
        for part in node["$ref"].lstrip("#/").split("/"):
            target = target[part]
        node = target
    return node


def check_operation(document, server, path, post, keys):
    content = post["requestBody"]["content"]["application/json"]
    schema = resolve(document, content["schema"])
    example = {name: keys.get(value, value) if isinstance(value, str) else value for name, value in content["example"].items()}
    fields = set(schema["properties"])
    expect(set(schema.get("required", [])) <= set(example), f"{path}: the example lacks a field")
    expect(set(example) <= fields, f"{path}: the example has a field that is not described")
    # The answer to the example.
    status, answer = server.ask("POST", path, example)
    expect(status == 200, f"{path}: the example gives {status} {answer}")
    answers = post["responses"]["200"]["content"]
    if "application/json" in answers:
        described = resolve(document, answers["application/json"]["schema"])
        expect(set(described["required"]) <= set(answer), f"{path}: the answer lacks {set(described['required']) - set(answer)}")
    # What was given out is what the next examples speak of.
    if path == "/class/make":
        keys.update({"KEY_FOR_PUPILS": answer["pupils"], "KEY_FOR_RESULTS": answer["results"]})
    if path == "/class/join":
        keys["CODE_OF_PUPIL"] = answer["pupil"]
    # The fields that the server knows: it lists them when there is another.
    status, problem = server.ask("POST", path, {**example, "no_such_field": 1})
    expect(status == 400 and problem.get("field") == "no_such_field", f"{path}: an unknown field gives {status}")
    known = set(filter(None, problem["detail"].split("there are: ")[-1].split(", ")))
    expect(known == fields, f"{path}: the server knows {sorted(known - fields)} more, and not {sorted(fields - known)}")
    for name in schema.get("required", []):
        status, problem = server.ask("POST", path, {key: value for key, value in example.items() if key != name})
        expect(status == 400 and problem["field"] == name, f"{path}: without {name} it gives {status}")


def check_examples(server, page):
    """The requests that a page of the documentation shows."""
    with open(page, encoding="utf-8") as file:
        examples = re.findall(r"curl --json '([^']*)' http://127.0.0.1:8080(/v1/[a-z]+)", file.read())
    expect(len(examples) > 5, f"there are {len(examples)} examples in {page}")
    for body, path in examples:
        status, answer = server.ask("POST", path, json.loads(body))
        is_wrong = "2x+=7" in body
        expect(status == (422 if is_wrong else 200), f"{page}: {path} {body} gives {status} {answer}")


def main():
    with open(DOCUMENT, encoding="utf-8") as file:
        text = file.read()
    document = json.loads(text)
    expect(document["openapi"].startswith("3.1."), "it is not OpenAPI 3.1")
    for reference in references(document):
        resolve(document, {"$ref": reference})
    used = set(references(document))
    for name in document["components"]["schemas"]:
        expect(f"#/components/schemas/{name}" in used, f"the schema {name} is not used")
    with open(os.path.join(os.path.dirname(DOCUMENT), "..", "language", "languages.json"), encoding="utf-8") as file:
        languages = [language["code"] for language in json.load(file)]
    expect(document["components"]["schemas"]["Language"]["enum"] == languages, f"the languages are {languages}")
    with Server() as server:
        status, served = server.ask("GET", "/openapi.yaml")
        expect(status == 200 and served == text, "/openapi.yaml is another document")
        status, served = server.ask("GET", "/openapi.json")
        expect(status == 200 and served == document, "/openapi.json is another document")
        _, problem = server.ask("POST", "/v1/no-such-operation", {})
        operations = set(problem["detail"].split("there are: ")[-1].split(", "))
        paths = document["paths"]
        described = {path[len("/v1/"):] for path in paths if path.startswith("/v1/")}
        expect(described == operations, f"described: {sorted(described)}, there: {sorted(operations)}")
        keys = {}
        for path, methods in paths.items():
            if path.startswith("/class/") and not server.has_classes:
                continue
            if "get" in methods:
                status, _ = server.ask("GET", path)
                expect(status == 200, f"GET {path} gives {status}")
            if "post" in methods:
                check_operation(document, server, path, methods["post"], keys)
            else:
                status, _ = server.ask("POST", path, {})
                expect(status == 405, f"POST {path} gives {status}")
        check_examples(server, PAGE)
    try:
        from openapi_spec_validator import validate

        validate(document)
    except ImportError:
        print("openapi-spec-validator is not installed: the document is compared with the server alone")
    for failure in failures:
        print(failure)
    return 1 if failures else 0


sys.exit(main())
