"""PyPI's tensorboard reads the event files of a run.

Usage: tensorboard_python_test.py METRICS_TOOL. Ends with status 77 (skipped) where the package is not installed.
"""

import glob
import json
import math
import os
import subprocess
import sys
import tempfile
import time
import unittest

try:
    from tensorboard.backend.event_processing.directory_watcher import DirectoryWatcher
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
    from tensorboard.backend.event_processing.event_file_loader import EventFileLoader
    from tensorboard.backend.event_processing.io_wrapper import IsTensorFlowEventsFile
except ImportError as error:
    print(f"skipped: {error}; to run this test: pip install tensorboard")
    sys.exit(77)

METRICS_TOOL = ""


class TensorboardPythonTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, lines, *arguments):
        text = "".join(f"{' '.join(map(str, line))}\n" for line in lines)
        subprocess.run([METRICS_TOOL, self.folder, *arguments], input=text, text=True, check=True)

    def files(self):
        return sorted(glob.glob(os.path.join(self.folder, "events.out.tfevents.*")))

    def scalars(self):
        """All scalars of the folder as (step, value), by name."""
        accumulator = EventAccumulator(self.folder)
        accumulator.Reload()
        return {tag: [(event.step, event.value) for event in accumulator.Scalars(tag)] for tag in accumulator.Tags()["scalars"]}

    def test_scalars_are_read(self):
        begin = time.time()
        self.write([(0, "loss", 2.5, "eval_success", 0.125), (10**10, "loss", "nan"), (10**10 + 1, "loss", "-inf", "ä", 1e-5, "seconds_learn", 2)])
        scalars = self.scalars()
        self.assertEqual(scalars.keys(), {"train/loss", "eval/eval_success", "train/ä", "time/learn"})
        self.assertEqual(scalars["eval/eval_success"], [(0, 0.125)])
        self.assertEqual([step for step, _ in scalars["train/loss"]], [0, 10**10, 10**10 + 1])
        first, second, third = (value for _, value in scalars["train/loss"])
        self.assertEqual((first, third), (2.5, -math.inf))
        self.assertTrue(math.isnan(second))
        self.assertAlmostEqual(scalars["train/ä"][0][1], 1e-5, places=9)

        accumulator = EventAccumulator(self.folder)
        accumulator.Reload()
        for event in accumulator.Scalars("train/loss"):
            self.assertGreaterEqual(event.wall_time, begin)
            self.assertLessEqual(event.wall_time, time.time())

    def test_the_first_record_is_the_version(self):
        self.write([(1, "loss", 1)])
        (path,) = self.files()
        self.assertTrue(IsTensorFlowEventsFile(path))
        events = list(EventFileLoader(path).Load())
        self.assertEqual(events[0].file_version, "brain.Event:2")
        self.assertEqual([event.step for event in events], [0, 1])
        self.assertEqual(events[1].summary.value[0].tag, "train/loss")

    def test_a_resumed_run_is_one_curve(self):
        self.write([(step, "loss", step) for step in (10, 20, 30, 40)])
        # Within the same second, and of what came after step 20 nothing is to be seen any more.
        self.write([(25, "loss", 25), (35, "loss", 35)], "20")
        self.write([(36, "loss", 36)], "35")
        self.assertEqual(len(self.files()), 3)
        self.assertEqual(self.scalars(), {"train/loss": [(step, float(step)) for step in (10, 20, 25, 35, 36)]})
        with open(os.path.join(self.folder, "metrics.jsonl"), encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        self.assertEqual([(line["step"], line["loss"]) for line in lines], self.scalars()["train/loss"])

    def test_a_record_that_was_cut_short_does_no_harm(self):
        self.write([(1, "loss", 1), (2, "loss", 2)])
        (path,) = self.files()
        with open(path, "rb+") as file:
            file.truncate(os.path.getsize(path) - 5)
        self.assertEqual(self.scalars(), {"train/loss": [(1, 1.0)]})
        self.write([(2, "loss", 2)], "1")
        self.assertEqual(self.scalars(), {"train/loss": [(1, 1.0), (2, 2.0)]})

    def test_a_watched_folder_shows_what_is_added(self):
        watcher = DirectoryWatcher(self.folder, EventFileLoader, IsTensorFlowEventsFile)
        self.write([(1, "loss", 1)])
        self.assertEqual([event.step for event in watcher.Load() if event.HasField("summary")], [1])
        self.write([(2, "loss", 2)])
        self.assertEqual([event.step for event in watcher.Load() if event.HasField("summary")], [2])


if __name__ == "__main__":
    METRICS_TOOL = sys.argv.pop(1)
    unittest.main()
