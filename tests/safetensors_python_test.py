"""Model files are exchanged with PyPI's safetensors package, in both directions.

Usage: safetensors_python_test.py MODEL_TOOL. Ends with status 77 (skipped) where the packages are not installed.
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest
import zlib

try:
    import numpy
    import safetensors
    import safetensors.numpy
except ImportError as error:
    print(f"skipped: {error}; to run this test: pip install safetensors numpy")
    sys.exit(77)

MODEL_TOOL = ""
METADATA = {"domain": "equations:max_nodes=100", "note": 'quotes ", a line\nbreak, ä and 漢'}


def crc32(array):
    return zlib.crc32(numpy.ascontiguousarray(array, dtype="<f4").tobytes())


def tensor_spec(dtype, shape, array):
    """A tensor of a type that numpy does not have; `array` must outlive it."""
    if hasattr(safetensors, "TensorSpec"):  # 0.8 and later
        return safetensors.TensorSpec(dtype=dtype, shape=shape, data_ptr=array.ctypes.data, data_len=array.nbytes)
    return {"dtype": dtype, "shape": shape, "data": array.tobytes()}


class SafetensorsPythonTest(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)

    def path(self, name):
        return os.path.join(self._folder.name, name)

    def write(self, name, dtype, head="bilinear"):
        metadata = [part for item in METADATA.items() for part in item]
        subprocess.run([MODEL_TOOL, "write", self.path(name), dtype, "5", "7", "2", head, "1", *metadata], check=True)
        return self.path(name)

    def read(self, path):
        return json.loads(subprocess.run([MODEL_TOOL, "read", path], check=True, capture_output=True).stdout)

    def read_error(self, path):
        result = subprocess.run([MODEL_TOOL, "read", path], capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 1, result)
        self.assertTrue(result.stderr.startswith(path + ": "), result.stderr)
        return result.stderr[len(path) + 2 :].strip()

    def check_equal(self, tensors, ours):
        theirs = {name: {"shape": list(array.shape), "crc32": crc32(array)} for name, array in tensors.items()}
        self.assertEqual(theirs, ours["tensors"])

    def metadata_of(self, path):
        with safetensors.safe_open(path, framework="numpy") as file:
            return file.metadata()

    def test_python_reads_our_files(self):
        for dtype, expected in (("F32", numpy.float32), ("F16", numpy.float16)):
            for head in ("bilinear", "value"):
                path = self.write("ours", dtype, head)
                tensors = safetensors.numpy.load_file(path)
                self.assertEqual({array.dtype.type for array in tensors.values()}, {expected})
                self.check_equal(tensors, self.read(path))
                metadata = self.metadata_of(path)
                self.assertEqual(metadata["conpole.head"], head)
                self.assertEqual({key: metadata[key] for key in METADATA}, METADATA)

    def test_halves_are_those_of_numpy(self):
        floats = safetensors.numpy.load_file(self.write("floats", "F32"))
        halves = safetensors.numpy.load_file(self.write("halves", "F16"))
        for name, array in floats.items():
            numpy.testing.assert_array_equal(array.astype(numpy.float16), halves[name])

    def test_we_read_files_of_python(self):
        path = self.write("ours", "F32")
        tensors = safetensors.numpy.load_file(path)
        metadata = self.metadata_of(path)
        for dtype in (numpy.float32, numpy.float16):
            converted = {name: array.astype(dtype) for name, array in tensors.items()}
            safetensors.numpy.save_file(converted, self.path("theirs"), metadata)
            ours = self.read(self.path("theirs"))
            self.check_equal(converted, ours)
            self.assertEqual(ours["metadata"], METADATA)
            self.assertEqual(ours["architecture"], [5, 7, 2, "bilinear"])

    def test_we_read_bfloat16_and_mixed_files_of_python(self):
        path = self.write("ours", "F32")
        arrays, specs, expected = [], {}, {}
        for i, (name, array) in enumerate(sorted(safetensors.numpy.load_file(path).items())):
            if i % 2 == 0:
                # The upper halves of the floats: rounded towards zero, which does for a test.
                arrays.append(numpy.ascontiguousarray(array.view("<u2").reshape(-1)[1::2]))
                specs[name] = tensor_spec("bfloat16", array.shape, arrays[-1])
                expected[name] = (array.view("<u4") & 0xFFFF0000).view("<f4")
            else:
                arrays.append(array)
                specs[name] = tensor_spec("float32", array.shape, array)
                expected[name] = array
        safetensors.serialize_file(specs, self.path("theirs"), self.metadata_of(path))
        self.check_equal(expected, self.read(self.path("theirs")))

    def test_we_refuse_what_is_no_model(self):
        path = self.write("ours", "F32")
        tensors = safetensors.numpy.load_file(path)
        metadata = self.metadata_of(path)
        theirs = self.path("theirs")

        safetensors.numpy.save_file(tensors, theirs)
        self.assertIn("has no metadata 'conpole.format_version'", self.read_error(theirs))

        name = "mlp.0.bias"
        safetensors.numpy.save_file({**tensors, name: tensors[name].astype(numpy.int64)}, theirs, metadata)
        self.assertIn(f"tensor '{name}' has the dtype 'I64'", self.read_error(theirs))

        safetensors.numpy.save_file({**tensors, name: tensors[name] * numpy.float32("nan")}, theirs, metadata)
        self.assertEqual(f"tensor '{name}' has values that are not finite", self.read_error(theirs))


if __name__ == "__main__":
    MODEL_TOOL = sys.argv.pop(1)
    unittest.main()
