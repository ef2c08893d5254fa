#!/usr/bin/env python3
"""The scripts in experiments/: what is planned, run, kept and drawn, with a program that only says what conpole would."""
import html
import importlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.path.abspath(sys.argv.pop(1))
CONPOLE = os.path.abspath(sys.argv.pop(1))
sys.path.insert(0, os.path.join(SOURCE, "experiments"))
sys.dont_write_bytecode = True

# What stands for conpole: it trains in no time, and keeps a checkpoint unless it comes to its end.
STANDS_FOR_CONPOLE = r'''#!/usr/bin/env python3
import json, os, sys, time
command, rest = sys.argv[1], sys.argv[2:]
option = lambda name, usual="": rest[rest.index(name) + 1] if name in rest else usual
if command == "train" and "--help-all" in rest:
    print("  --batch NUMBER\n  --steps NUMBER")
elif command == "generate":
    sys.exit(0 if rest[0].startswith(("sorting", "equations")) else "there is no domain " + rest[0])
elif command == "train":
    out, steps = option("--out"), int(option("--steps", "0"))
    os.makedirs(out, exist_ok=True)
    if steps == 13:
        sys.exit("it does not want to")
    if steps == 1000000:
        open(out + "/checkpoint-1", "w").close()
        time.sleep(60)
    for name in ("best.safetensors", "last.safetensors"):
        open(out + "/" + name, "w").close()
    with open(out + "/metrics.jsonl", "w") as file:
        for step, good, chosen in ((100, 0.5, 0.4), (200, 0.75, 0.9), (300, 0.7, 0.8)):
            print(json.dumps({"step": step, "seconds": 1, "eval_success": good, "validation_success": chosen}), file=file)
    open(out + "/checkpoint-300", "w").close()
    print(json.dumps({"event": "end", "done": True, "step": steps, "seconds": 1.5}))
elif command == "walk":
    print("far | a\nnear | b\nat | c\n-- solved after 3 steps" if option("--seed") == "0" else "far | a\naway | b\n-- not solved after 2 steps")
elif command == "eval":
    problems = json.load(open(option("--problems"))) if "--problems" in rest else [""] * 1000
    print(json.dumps({"problems": len(problems), "solved": len(problems), "verified": len(problems), "wrong": 0, "mean_length": 8.5,
                      "length_max": 9, "expanded": 70, "seconds": 0.5, "asked": rest}))
else:
    sys.exit(1)
'''


class ExperimentsTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        self.program = self.path("conpole")
        with open(self.program, "w", encoding="utf-8") as file:
            file.write(STANDS_FOR_CONPOLE)
        os.chmod(self.program, 0o755)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def run_script(self, script, *arguments, status=0, out="out"):
        command = [sys.executable, os.path.join(SOURCE, "experiments", script), "--program", self.program, "--out", self.path(out)]
        done = subprocess.run([*command, *arguments], capture_output=True, text=True, check=False, timeout=120)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def expect_refused(self, script, reason, *arguments, out="out"):
        self.assertIn(reason, self.run_script(script, *arguments, status=2, out=out).stderr)

    # Table 2.

    def record_of_run(self, agent="conpole", variant="", domain="sorting", seed=1, solved=900, **more):
        record = {"version": 1, "agent": agent, "variant": variant, "domain": domain, "source": "", "seed": seed, "device": "cpu",
                  "steps": 300, "done": True, "seconds": 1.5, "settings": {"batch": "8"},
                  "test": {"problems": 200, "solved": 140, "wrong": 0}, "fresh": {"problems": 1000, "solved": solved, "wrong": 0},
                  "evaluations": [[100, 0.5, 0.4], [200, 0.75, 0.8], [300, 0.7, 0.9]], **more}
        self.write(f"data/{agent}{variant}{domain}{seed}.json", json.dumps(record))

    def test_table2_tells_mean_range_and_interval_beside_the_paper(self):
        self.record_of_run()
        self.record_of_run(seed=2, solved=1000)
        self.record_of_run("drrn", "as-published", "ternary-addition", done=False, evaluations=[[100, 0.25, 0.2]])
        table = self.run_script("table2.py", "--from", self.path("data")).stdout
        self.assertEqual(table, self.read("out/table2.md"))
        # Wilson's interval of 1900 of 2000; the best evaluation counts, as in the paper; not all steps were done.
        for part in ("| 95.0 (94.0 to 95.9)", "| 75.0, mean 75.0", "| range over runs", "| 90.0 to 100.0", "DRRN as published", "0k *",
                     "| 100.0 ", "| 40.0 "):
            self.assertIn(part, table)

    def test_table2_refuses_what_is_not_a_record(self):
        self.expect_refused("table2.py", "cannot be read", "--from", self.path("data"))
        for text in ("", "[]", "{}", '{"version": 1}', "not JSON"):
            self.write("data/bad.json", text)
            self.expect_refused("table2.py", "data/bad.json", "--from", self.path("data"))
        os.remove(self.path("data/bad.json"))
        self.expect_refused("table2.py", "has no records", "--from", self.path("data"))
        self.record_of_run(solved=1001)
        self.expect_refused("table2.py", "more is solved than there is", "--from", self.path("data"))

    def test_table2_refuses_plans_that_cannot_be(self):
        for reason, *options in (("no 'alphazero'", "--agents", "alphazero"), ("no 'perfect'", "--variants", "perfect"),
                                 ("chess", "--domains", "chess"), ("--seeds", "--seeds", "one"), ("--steps", "--steps", "none"),
                                 ("--set must be NAME=VALUE", "--set", "batch"), ("no such setting", "--set", "bach=1"),
                                 ("no such setting", "--set", "steps=1"), ("--jobs", "--jobs", "0"), ("templates", "--preset", "paper")):
            self.expect_refused("table2.py", reason, *options)
        self.assertFalse(os.path.exists(self.path("out")))

    def test_table2_trains_tests_and_does_nothing_twice(self):
        options = ("--domains", "sorting:max_length=4", "--steps", "400", "--jobs", "3", "--set", "batch=8")
        first = self.run_script("table2.py", *options)
        self.assertIn("12 runs, 0 of them done", first.stderr)
        record = json.loads(self.read("out/data/cvi-repaired-sorting-1.json"))
        self.assertEqual(record["evaluations"], [[100, 0.5, 0.4], [200, 0.75, 0.9], [300, 0.7, 0.8]])
        self.assertEqual(record["test"], {"problems": 200, "solved": 150, "wrong": 0}, "of the model that validation chose")
        self.assertEqual(record["fresh"]["problems"], 1000)
        self.assertEqual((record["steps"], record["done"], record["source"]), (400, True, "sorting:max_length=4"))
        self.assertFalse(os.path.exists(self.path("out/runs/cvi-repaired-sorting-1/checkpoint-300")), "it takes room for nothing")
        when = os.path.getmtime(self.path("out/data/conpole-sorting-1.json"))
        again = self.run_script("table2.py", *options)
        self.assertIn("12 runs, 12 of them done", again.stderr)
        self.assertEqual(again.stdout, first.stdout)
        self.assertEqual(os.path.getmtime(self.path("out/data/conpole-sorting-1.json")), when)
        self.expect_refused("table2.py", "other settings", *options[:-1], "batch=9")
        # More steps are another run, and --plan runs nothing.
        more = ("--domains", "sorting:max_length=4", "--steps", "sorting=600", "--set", "batch=8", "--agents", "conpole")
        plan = self.run_script("table2.py", *more, "--plan")
        self.assertRegex(plan.stdout, r"^conpole-sorting-1 +600 steps +\d+ s\n$")
        self.run_script("table2.py", *more)
        self.assertEqual(json.loads(self.read("out/data/conpole-sorting-1.json"))["steps"], 600)

    def test_table2_plans_without_a_folder(self):
        command = [sys.executable, os.path.join(SOURCE, "experiments", "table2.py"), "--program", self.program, "--plan"]
        plan = subprocess.run([*command, "--domains", "sorting"], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual((plan.returncode, len(plan.stdout.splitlines())), (0, 12), plan.stderr)
        self.assertEqual(os.listdir(self.folder), ["conpole"])

    def test_table2_ends_quietly_when_nobody_reads(self):
        reader, writer = os.pipe()
        os.close(reader)
        command = [sys.executable, os.path.join(SOURCE, "experiments", "table2.py"), "--program", self.program, "--plan"]
        try:
            done = subprocess.run([*command, "--domains", "sorting"], stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
        finally:
            os.close(writer)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1), done.stderr)

    def test_table2_tests_with_as_many_steps_as_it_trains_with(self):
        self.run_script("table2.py", "--domains", "sorting", "--steps", "400", "--agents", "cvi,bc")
        for name, steps in (("cvi-as-published", "30"), ("cvi-repaired", "30"), ("bc-as-published", "29"), ("bc-repaired", "30")):
            asked = json.loads(self.read(f"out/logs/{name}-sorting-1.eval"))["asked"]
            self.assertEqual(asked[asked.index("--max-steps") + 1], steps, name)

    def test_table2_says_which_runs_failed(self):
        done = self.run_script("table2.py", "--domains", "sorting", "--agents", "conpole", "--steps", "13", status=1)
        self.assertIn("conpole-sorting-1: it does not want to", done.stderr)

    def test_table2_stops_in_time(self):
        done = self.run_script("table2.py", "--domains", "sorting", "--agents", "conpole", "--steps", "1000000", "--seconds", "1")
        self.assertIn("not done yet; the same command goes on", done.stderr)
        self.assertTrue(os.path.exists(self.path("out/runs/conpole-sorting-1/checkpoint-1")), "it goes on from there")

    def test_ranks_take_runs_in_turn(self):
        options = ("--domains", "sorting", "--agents", "conpole,cvi", "--steps", "400")
        for rank in ("0", "1"):
            os.environ.update({"RANK": rank, "WORLD_SIZE": "2"})
            try:
                self.run_script("table2.py", *options)
            finally:
                del os.environ["RANK"], os.environ["WORLD_SIZE"]
            self.assertEqual(len(os.listdir(self.path("out/data"))), 2 if rank == "0" else 3)

    # Cubes.

    def record_of_cubes(self, width=64, moves=285, **more):
        record = {"version": 1, "model": "small", "model_id": "0", "network": "324-8-8, 1 blocks", "weights": 1000, "agent": "walks",
                  "trained_on": 2e9, "trained_seconds": 60, "search": "beam", "width": width, "step_weight": 0, "device": "cuda", "cubes": 10,
                  "cubes_id": "0", "solved": 10, "verified": 10, "moves": moves, "states": 20_000, "seconds": 5, "longest": 30, **more}
        self.write(f"data/small{width}.json", json.dumps(record))

    def test_cube_tells_moves_and_states_beside_what_others_published(self):
        self.record_of_cubes()
        self.record_of_cubes(1024, 240, states=160_000)
        table = self.run_script("cube.py", "--from", self.path("data")).stdout
        for part in ("| 28.50 ", "| 2.0k ", "| 1,024 ", "| 16k ", "| 0.50 GPU ", "10 of 10", "2.0e9 states, 60 s", "39.4"):
            self.assertIn(part, table)
        self.write("data/bad.json", "{}")
        self.expect_refused("cube.py", "data/bad.json", "--from", self.path("data"))
        os.remove(self.path("data/bad.json"))
        self.record_of_cubes(16, solved=11)
        self.expect_refused("cube.py", "more is solved than there is", "--from", self.path("data"))

    def test_cube_solves_what_has_no_record(self):
        self.expect_refused("cube.py", "--cubes is needed")
        self.write("cubes.txt", "R U F'\nF2 R\n\nD L2\n")
        run = ("--cubes", self.path("cubes.txt"), "--search", "beam,bwas")
        self.expect_refused("cube.py", "no 'levin'", *run[:3], "levin")
        self.expect_refused("cube.py", "--widths", *run, "--widths", "0")
        self.run_script("cube.py", *run, "--widths", "4,16")
        record = json.loads(self.read("out/data/shipped-bwas-16.json"))
        self.assertEqual([record[name] for name in ("cubes", "solved", "verified", "longest", "step_weight", "network")],
                         [3, 3, 3, 9, 1, "324-1664-640, 4 blocks"])
        self.assertEqual(record["weights"], 4896012)
        narrow = self.read("out/data/shipped-beam-4.json")
        os.remove(self.path("out/data/shipped-beam-16.json"))
        self.assertIn("beam 16", self.run_script("cube.py", *run, "--widths", "4,16").stderr)
        self.assertEqual(self.read("out/data/shipped-beam-4.json"), narrow)
        self.expect_refused("cube.py", "is of another weight", *run, "--widths", "4", "--weight", "0.5")
        self.write("cubes.txt", "R U\n")
        self.expect_refused("cube.py", "is of other cubes", *run, "--widths", "4")

    def test_the_program_measures_cubes(self):
        self.write("cubes.json", '["R U F\' L2", "F2 R U\'"]')
        self.program = CONPOLE
        self.run_script("cube.py", "--cubes", self.path("cubes.json"), "--widths", "16", "--search", "beam,bwas", "--max-expanded", "1000")
        for search in ("beam", "bwas"):
            record = json.loads(self.read(f"out/data/shipped-{search}-16.json"))
            self.assertEqual((record["solved"], record["verified"]), (2, 2))
            self.assertTrue(0 < record["moves"] <= 2 * record["longest"])

    # Puzzles.

    def test_puzzles_are_learned_and_solved_once(self):
        run = ("--puzzles", "eight-puzzle", "--tests", "3", "--gallery", os.path.join(SOURCE, "gallery"))
        first = self.run_script("puzzles.py", *run)
        self.assertIn("learning for 10 s", first.stderr)
        self.assertIn("| 3 of 3 ", first.stdout)
        self.assertEqual(json.loads(self.read("out/eight-puzzle.states.json")), ["near", "away", "away"], "none is solved already")
        self.write("page.md", "before\n<!-- puzzles: begin, written by experiments/puzzles.py -->\nold\n<!-- puzzles: end -->\nafter\n")
        second = self.run_script("puzzles.py", *run, "--into", self.path("page.md"))
        self.assertEqual(second.stderr, "", "nothing is learned again")
        self.assertIn(first.stdout, self.read("page.md"))
        self.assertNotIn("old", self.read("page.md"))
        self.write("other.md", "no place\n")
        self.expect_refused("puzzles.py", "has no place for the table", *run, "--into", self.path("other.md"))
        self.expect_refused("puzzles.py", "no 'nine-puzzle'", "--puzzles", "nine-puzzle")

    def test_the_program_gives_random_states(self):
        sys.path.insert(0, os.path.join(SOURCE, "experiments"))
        puzzles = importlib.import_module("puzzles")
        os.makedirs(self.path("out"))
        args = type("Arguments", (), {"gallery": os.path.join(SOURCE, "gallery"), "out": self.path("out"), "tests": 2, "scale": 1})
        with open(puzzles.Puzzle(args, CONPOLE, "lights-out-7x7").random_states(), encoding="utf-8") as file:
            states = json.load(file)
        self.assertEqual([len(state) for state in states], [55, 55])
        self.assertNotEqual(*states)

    # Table 3.

    def record_of_vectors(self, representation="conpole", variant="", seed=1, right=4, score=(1, 0.5, 1.5), gain=(1, 0.5, 1.5), **more):
        tests = [{"labels": "policy", "candidates": "all", "measure": "length", "problems": 12, "score": score,
                  "gains": {"chance": gain}}]
        record = {"version": 1, "domain": "sorting", "representation": representation, "variant": variant, "seed": seed, "steps": 300,
                  "queries": "0:12", "references": "100:130", **more,
                  "layers": [{"layer": "vector", "sections": {"exercises": 4, "right": right, "shared": 0.5}, "neighbours": tests}]}
        self.write(f"data/{representation}{variant}{seed}.json", json.dumps(record))

    def test_table3_tells_mean_range_and_interval_beside_the_paper(self):
        self.record_of_vectors()
        self.record_of_vectors("untrained", seed=1, right=2, gain=(-1, -2, -0.5))
        self.record_of_vectors("untrained", seed=2, right=4, score=(2, 1, 3), gain=(-1, -2, -0.5))
        self.record_of_vectors("cvi", "repaired", gain=(0, -1, 1))
        table = self.run_script("table3.py", "--from", self.path("data")).stdout
        self.assertEqual(table, self.read("out/table3.md"))
        # Wilson's interval of 4 of 4.
        for part in ("| 0.510 to 1.000 ", "| 0.905 ", "untrained network (2 runs)", "| 0.500 to 1.000 ", "| 1.00 (0.50 to 1.50) + ",
                     "| 1.50 (1.00 to 2.00) - ", "| 1.00 (0.50 to 1.50)   ", "CVI repaired"):
            self.assertIn(part, table)
        rows = json.loads(self.read("out/table3.json"))["rows"]
        self.assertEqual([row["representation"] for row in rows], ["conpole", "cvi", "untrained"])
        self.assertEqual((rows[2]["runs"], rows[2]["sections"]["mean"], rows[2]["neighbours"][0]["range"]), (2, 0.75, [1, 2]))

    def test_table3_refuses_what_is_not_a_record(self):
        self.expect_refused("table3.py", "cannot be read", "--from", self.path("data"))
        for text in ("", "[]", "{}", '{"version": 1}', '{"version": 2}', "not JSON"):
            self.write("data/bad.json", text)
            self.expect_refused("table3.py", "data/bad.json", "--from", self.path("data"))
        os.remove(self.path("data/bad.json"))
        self.expect_refused("table3.py", "has no records", "--from", self.path("data"))
        self.record_of_vectors()
        self.record_of_vectors(seed=2, queries="0:13")
        self.expect_refused("table3.py", "were not measured on the same problems", "--from", self.path("data"))
        self.record_of_vectors(right=5, seed=2)
        self.expect_refused("table3.py", "more is right than there is", "--from", self.path("data"))

    # Learning curves.

    def plot(self, *arguments, status=0):
        done = subprocess.run([CONPOLE, "plot", *arguments], capture_output=True, text=True, check=False, timeout=120, cwd=self.folder)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout if status == 0 else done.stderr

    def draw(self, *arguments):
        """The texts of the picture."""
        if not shutil.which("gnuplot"):
            self.skipTest("gnuplot is not installed")
        self.plot(*arguments, "--out", "plot.svg")
        return [html.unescape(text) for text in re.findall("<text>(.*?)</text>", self.read("plot.svg"), re.S)]

    def run_with(self, name="run", values=('"eval_success":0,"loss":3.5', '"loss":2', '"eval_success":0.6,"loss":null', '"eval_success":1')):
        lines = (f'{{"step":{250000 * i},"seconds":{25 * i}{"," if more else ""}{more}}}\n' for i, more in enumerate(values))
        self.write(f"{name}/metrics.jsonl", "".join(lines) + '{"step":cut sho')
        return name

    def test_plot_draws_what_was_asked_for(self):
        shares = self.draw(self.run_with())
        self.assertTrue({"100%", "20%", "0%", "500k", "eval success", "environment steps", "run"} <= {*shares}, shares)
        losses = self.draw("run", "--metric", "loss", "--x", "seconds", "--title", "A title")
        self.assertTrue({"loss", "seconds", "A title"} <= {*losses} and "%" not in "".join(losses), losses)
        self.assertEqual(self.plot("run", "--size", "640x480", "--metric", "loss"), "loss.png: loss of 1 run\n")
        with open(self.path("loss.png"), "rb") as file:
            self.assertEqual((file.read(4), file.read(20)[12:]), (b"\x89PNG", b"\0\0\x02\x80\0\0\x01\xe0"))

    def test_plot_names_runs_by_folder_path_or_label(self):
        for name in ("a/same", "b/same", "lr=0.1", "two"):
            self.run_with(name)
        texts = self.draw("a/same", "b/same/", self.run_with("one") + "/", "two=A label", "lr=0.1", "lr=0.1=x=y")
        self.assertTrue({"a/same", "b/same/", "one", "A label", "lr=0.1", "x=y"} <= {*texts} and "two" not in texts, texts)

    def test_plot_takes_no_text_for_a_command(self):
        self.run_with()
        for label in ("`touch touched`", "'; system('touch touched'); #", "'\nsystem('touch touched')\n#", "' . system('touch touched') . '",
                      "\\", '"', "$run0", "@x", "%s %n", "\udcff", "x" * 3000, "end_of_data", "'it' <b>&{_^@"):
            texts = self.draw(f"run={label}", "--title", label)
            self.assertFalse(os.path.exists(self.path("touched")), label)
        self.assertIn("'it' <b>&{_^@", texts)

    def test_plot_draws_strange_curves(self):
        for values in (("0.5",), ("1", "1", "null"), ("-3", "1e300"), ("-1.7e308", "3", "1.7e308"), ("0.25",) * 5000):
            self.draw(self.run_with("strange", [f'"eval_success":{value}' for value in values]), "--x", "seconds")
            self.draw("strange")
        self.write("strange/metrics.jsonl", '{"step":18446744073709551615,"seconds":1e300,"eval_success":0.5}\n')
        self.draw("strange")
        self.draw("strange", "--x", "seconds")

    def test_plot_refuses_what_it_cannot_draw(self):
        run = self.run_with()
        for reason, arguments in (("there is no folder 'none'", ["none=label"]), ("cannot be read", ["."]), ("RUN", []),
                                  ("--out must end", [run, "--out", "plot.pdf"]), ("--out must end", [run, "--out", ".png"]),
                                  ("no metric 'reward'; it has: eval_success, loss", [run, "--metric", "reward"]),
                                  ("has no lines yet", [self.run_with("empty", [])]), ("it has: none", [self.run_with("bare", [""])]),
                                  ("that can be drawn", [self.run_with("null", ['"eval_success":null'])]),
                                  ("line 2: ", [self.run_with("bad", ["", "x"])]), ("--x", [run, "--x", "hours"]),
                                  *(("WIDTHxHEIGHT", [run, f"--size={size}"])
                                    for size in ("640", "x480", "640x480x2", "-640x480", "10x10", "640x99999999999"))):
            self.assertIn(reason, self.plot(*arguments, status=2))
        if shutil.which("gnuplot"):
            self.assertIn("none/plot.png: cannot be written", self.plot(run, "--out", "none/plot.png", status=2))

    # The pages that people read say what the records say that are kept beside them.

    def test_pages_are_what_the_data_says(self):
        for name, page in (("table2", "agents"), ("table3", "vectors"), ("cube", "cube")):
            table = self.run_script(f"{name}.py", "--from", os.path.join(SOURCE, "docs/data", name)).stdout
            with open(os.path.join(SOURCE, f"docs/experiments/{page}.md"), encoding="utf-8") as file:
                text = file.read()
            begin, end = f"<!-- {name}: begin, written by experiments/{name}.py -->\n", f"<!-- {name}: end -->\n"
            self.assertEqual(text.split(begin)[1].split(end)[0], table, f"renew it: experiments/{name}.py --from docs/data/{name} --out DIR "
                             f"--into docs/experiments/{page}.md")

    def test_the_program_calls_the_scripts(self):
        data = ["--from", os.path.join(SOURCE, "docs/data/table2")]
        called = subprocess.run([CONPOLE, "reproduce", "table2", *data, "--out", self.path("called")], capture_output=True, text=True)
        self.assertEqual((called.returncode, called.stdout), (0, self.run_script("table2.py", *data).stdout))
        help_text = subprocess.run([CONPOLE, "reproduce", "puzzles", "--help"], capture_output=True, text=True).stdout
        self.assertIn("--into PAGE", help_text)


if __name__ == "__main__":
    unittest.main()
