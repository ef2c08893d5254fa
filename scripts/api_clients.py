#!/usr/bin/env python3
"""Writes thin clients of the server's API from its description: one file each, which needs nothing else.

    python3 scripts/api_clients.py --python conpole_client.py --typescript conpole_client.ts
    python3 scripts/api_clients.py --document http://127.0.0.1:8080/openapi.json --python conpole_client.py

The description is src/http/openapi.json, or what --document names: a file, or an address of a running server.
"""

import argparse
import json
import pathlib
import re
import textwrap
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent


def read_document(source):
    if re.match(r"https?://", source):
        with urllib.request.urlopen(source, timeout=60) as response:
            return json.load(response)
    return json.loads(pathlib.Path(source).read_text(encoding="utf-8"))


class Operation:
    """An operation that takes JSON. What can be had by GET alone (probes, this description) is no operation."""

    def __init__(self, document, path, described):
        self.path = path
        self.camel = described["operationId"]
        self.snake = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", self.camel).lower()
        self.summary = described["summary"]
        self.request = self.schema_of(described["requestBody"]["content"])
        answers = described["responses"]["200"]["content"]
        self.is_json = "application/json" in answers
        self.answer = self.schema_of(answers) if self.is_json else None
        self.fields = []
        schema = document["components"]["schemas"][self.request]
        required = schema.get("required", [])
        for name, field in sorted(schema["properties"].items(), key=lambda entry: entry[0] not in required):
            reference = field.get("$ref")
            shape = resolved(document, field)
            text = field.get("description") or shape.get("description", "")
            self.fields.append((name, name in required, field if reference is None else shape, text))

    @staticmethod
    def schema_of(content):
        return content["application/json"]["schema"]["$ref"].rsplit("/", 1)[1]


def resolved(document, schema):
    while "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    return schema


def operations_of(document):
    for path, methods in document["paths"].items():
        if "post" in methods:
            yield Operation(document, path, methods["post"])


def python_type(document, schema):
    schema = resolved(document, schema)
    kinds = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "object": "dict[str, Any]"}
    if schema.get("type") == "array":
        return f"list[{python_type(document, schema.get('items', {}))}]"
    return kinds.get(schema.get("type"), "Any")


def typescript_type(document, schema):
    schema = resolved(document, schema)
    if "enum" in schema:
        return " | ".join(f"'{value}'" for value in schema["enum"])
    kinds = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "object": "Record<string, unknown>"}
    if schema.get("type") == "array":
        items = typescript_type(document, schema.get("items", {}))
        return f"({items})[]" if "|" in items else f"{items}[]"
    return kinds.get(schema.get("type"), "unknown")


PYTHON_HEAD = '''"""A client of conpole serve, version {version}. Written by scripts/api_clients.py from the description of the API.

    client = Conpole("http://127.0.0.1:8080")
    print(client.solve("2x + 3 = 7")["answer"])
"""

import json
import urllib.error
import urllib.request
from typing import Any, Optional


class Problem(Exception):
    """What the server says is wrong (RFC 9457): status, detail, and perhaps field, position and more in `answer`."""

    def __init__(self, status: int, answer: dict[str, Any], retry_after: Optional[int]):
        super().__init__(answer.get("detail") or answer.get("title") or f"status {{status}}")
        self.status = status
        self.answer = answer
        self.retry_after = retry_after  # seconds after which it is worth asking again


class Conpole:
    def __init__(self, address: str = "http://127.0.0.1:8080", token: Optional[str] = None, timeout: float = 60):
        self._address = address.rstrip("/")
        self._headers = {{"Content-Type": "application/json"}}
        if token is not None:
            self._headers["Authorization"] = f"Bearer {{token}}"
        self._timeout = timeout

    def _ask(self, path: str, request: dict[str, Any], is_json: bool = True) -> Any:
        body = json.dumps({{name: value for name, value in request.items() if value is not None}}).encode()
        asked = urllib.request.Request(self._address + path, body, self._headers, method="POST")
        try:
            with urllib.request.urlopen(asked, timeout=self._timeout) as response:
                text = response.read().decode()
        except urllib.error.HTTPError as error:
            text = error.read().decode(errors="replace")
            try:
                answer = json.loads(text)
            except ValueError:
                answer = {{"detail": text}}
            wait = error.headers.get("Retry-After", "")
            raise Problem(error.code, answer, int(wait) if wait.isdigit() else None) from None
        return json.loads(text) if is_json else text
'''


def write_python(document):
    text = PYTHON_HEAD.format(version=document["info"]["version"])
    for operation in operations_of(document):
        parameters, described = ["self"], []
        is_open = True
        for name, is_required, schema, words in operation.fields:
            kind = python_type(document, schema)
            if not is_required and is_open:
                parameters.append("*")
                is_open = False
            parameters.append(f"{name}: {kind}" if is_required else f"{name}: Optional[{kind}] = None")
            if words:
                described.append(f"{name}: {words}")
        result = "dict[str, Any]" if operation.is_json else "str"
        text += f"\n    def {operation.snake}(\n"
        text += "".join(f"        {parameter},\n" for parameter in parameters) + f"    ) -> {result}:\n"
        summary = operation.summary.rstrip(".")
        text += f'        """{summary}.'
        for line in described:
            text += "\n\n" + textwrap.fill(line, 110, initial_indent=" " * 8, subsequent_indent=" " * 12)
        text += ('"""' if not described else '\n        """') + "\n"
        fields = ", ".join(f'"{name}": {name}' for name, *_ in operation.fields)
        text += f'        return self._ask("{operation.path}", {{{fields}}}{"" if operation.is_json else ", is_json=False"})\n'
    return text


TYPESCRIPT_HEAD = """// A client of conpole serve, version {version}. Written by scripts/api_clients.py from the description of the API.
//
//   const client = new Conpole('http://127.0.0.1:8080');
//   console.log((await client.solve({{problem: '2x + 3 = 7'}})).answer);

/** What the server says is wrong (RFC 9457). */
export class Problem extends Error {{
  constructor(
    readonly status: number,
    readonly answer: Record<string, unknown>,
    /** Seconds after which it is worth asking again. */
    readonly retryAfter: number | null,
  ) {{
    super(String(answer.detail ?? answer.title ?? `status ${{status}}`));
    this.name = 'Problem';
  }}
}}

export interface CallOptions {{
  signal?: AbortSignal;
}}
"""

TYPESCRIPT_CLASS = """
export class Conpole {
  private readonly address: string;
  private readonly headers: Record<string, string>;

  constructor(address = '', token?: string) {
    this.address = address.replace(/\\/+$/, '');
    this.headers = {'Content-Type': 'application/json', ...(token === undefined ? {} : {Authorization: `Bearer ${token}`})};
  }

  private async ask(path: string, request: object, options: CallOptions): Promise<Response> {
    const {signal = null} = options;
    const response = await fetch(this.address + path, {method: 'POST', headers: this.headers, body: JSON.stringify(request), signal});
    if (response.ok) return response;
    const answer: unknown = await response.json().catch(() => null);
    const wait = Number(response.headers.get('Retry-After') ?? NaN);
    throw new Problem(response.status, (answer ?? {}) as Record<string, unknown>, Number.isFinite(wait) ? wait : null);
  }
"""


def write_typescript(document):
    text = TYPESCRIPT_HEAD.format(version=document["info"]["version"])
    methods = TYPESCRIPT_CLASS
    for operation in operations_of(document):
        text += f"\nexport interface {operation.request} {{\n"
        for name, is_required, schema, words in operation.fields:
            if words:
                text += f"  /** {words} */\n"
            text += f"  {name}{'' if is_required else '?'}: {typescript_type(document, schema)};\n"
        text += "}\n"
        result = "string"
        if operation.is_json:
            result = operation.answer
            answer = document["components"]["schemas"][operation.answer]
            required = answer.get("required", [])
            known = answer.get("properties", {})
            text += f"\nexport interface {result} {{\n"
            for name in [*required, *(field for field in known if field not in required)]:
                kind = typescript_type(document, known.get(name, {}))
                # What the description leaves open is any JSON.
                text += f"  {name}{'' if name in required else '?'}: {'any' if kind == 'unknown' else kind};\n"
            text += "  [more: string]: any;\n}\n"
        optional = "" if any(is_required for _, is_required, *_ in operation.fields) else " = {}"
        methods += f"\n  /** {operation.summary.rstrip('.')}. */\n"
        methods += f"  async {operation.camel}(request: {operation.request}{optional}, options: CallOptions = {{}}): Promise<{result}> {{\n"
        methods += f"    return (await this.ask('{operation.path}', request, options)).{'json' if operation.is_json else 'text'}();\n  }}\n"
    return text + methods + "}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--document", default=str(HERE.parent / "src" / "http" / "openapi.json"))
    parser.add_argument("--python", metavar="FILE", type=pathlib.Path)
    parser.add_argument("--typescript", metavar="FILE", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.python is None and arguments.typescript is None:
        parser.error("nothing to write: --python FILE or --typescript FILE")
    document = read_document(arguments.document)
    for path, write in ((arguments.python, write_python), (arguments.typescript, write_typescript)):
        if path is not None:
            path.write_text(write(document), encoding="utf-8")


if __name__ == "__main__":
    main()
