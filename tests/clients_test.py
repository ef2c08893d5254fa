"""Whether the clients that scripts/api_clients.py writes work: the one in Python against a server, the one in TypeScript where Node
and the page's packages are there.

Usage: clients_test.py PROGRAM ROOT
"""

import importlib.util
import pathlib
import shutil
import subprocess
import sys
import tempfile

PROGRAM, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])
WRITER = ROOT / "scripts" / "api_clients.py"
TSC = ROOT / "web" / "node_modules" / "typescript" / "bin" / "tsc"

SCRIPT = """
import {Conpole, Problem} from './client.mjs';
const client = new Conpole(process.argv[2]);
const solution = await client.solve({problem: '2x+3=7'});
const check = await client.check({problem: '2x+3=7', lines: ['2x=10']});
const skills = await client.skills();
const problem = await client.solve({problem: '2x+=7'}).catch((error) => error);
console.log(JSON.stringify([solution.answer, check.lines[0].correct, skills.skills.length > 5, problem instanceof Problem, problem.status, problem.answer.position]));
"""


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        subprocess.run([sys.executable, WRITER, "--python", folder / "client.py", "--typescript", folder / "client.ts"], check=True)
        server = subprocess.Popen([PROGRAM, "serve", "--port", "0", "--no-page", "--log", "off"], stdout=subprocess.PIPE, text=True)
        try:
            address = server.stdout.readline().rsplit(" ", 1)[1].strip()
            test_python(folder, address)
            test_typescript(folder, address)
            # The description of the server itself gives the same.
            subprocess.run([sys.executable, WRITER, "--document", address + "openapi.json", "--python", folder / "again.py"], check=True)
            assert (folder / "again.py").read_text() == (folder / "client.py").read_text()
        finally:
            server.terminate()
            server.wait()


def test_python(folder, address):
    spec = importlib.util.spec_from_file_location("client", folder / "client.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    client = module.Conpole(address)
    assert client.solve("2x+3=7")["answer"] == "x = 2"
    assert client.check("2x+3=7", ["2x=10"])["lines"][0]["correct"] is False
    assert client.hint("2x+3=7", level=2, language="de")["level"] == 2
    assert client.version()["version"]
    assert client.exercise(skill="brackets", level=1, seed=7)["problem"]
    try:
        client.solve("2x+=7")
    except module.Problem as problem:
        assert (problem.status, problem.answer["field"], problem.answer["position"]) == (422, "problem", 3), problem.answer
    else:
        raise AssertionError("a problem that cannot be read is no error")
    try:
        client.class_set("KEY")
    except module.Problem as problem:
        assert problem.status == 404
    else:
        raise AssertionError("a server without results has classes")


def test_typescript(folder, address):
    node = shutil.which("node")
    if node is None or not TSC.exists():
        print("without Node and npm packages, the client in TypeScript is not tested")
        return
    options = ["--strict", "--noUnusedLocals", "--target", "ES2022", "--module", "ESNext", "--lib", "ES2022,DOM"]
    subprocess.run([node, TSC, "--ignoreConfig", *options, folder / "client.ts"], check=True)
    (folder / "client.js").rename(folder / "client.mjs")
    (folder / "script.mjs").write_text(SCRIPT)
    told = subprocess.run([node, folder / "script.mjs", address], check=True, capture_output=True, text=True).stdout
    assert told.strip() == '["x = 2",false,true,true,422,3]', told


main()
