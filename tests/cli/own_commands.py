#!/usr/bin/env python3
"""What jithash does beyond coreutils: info, tune, dump, help, the progress bar, completion.

usage: own_commands.py JITHASH
"""

import errno
import fcntl
import json
import os
import platform
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest
from pathlib import Path

JITHASH = os.path.abspath(sys.argv.pop(1))
SOURCE = Path(__file__).resolve().parents[2]
REPORT_KEYS = {
    "version", "cpu", "features", "disagreements", "notes", "detection_us", "code_memory", "algorithms",
}
ALGORITHM_KEYS = {
    "kernel", "origin", "code_bytes", "generation_us", "publish_us", "self_test_us", "passed_over",
}


def run(*arguments, **environment):
    return subprocess.run([JITHASH, *arguments], capture_output=True, env={**os.environ, **environment})


def info(**environment):
    done = run("info", "--json", **environment)
    assert done.returncode == 0 and not done.stderr, done
    return json.loads(done.stdout)


def generated_kernels(*arguments):
    """Names of the kernels that this build can dump."""
    return run("dump", "--list", *arguments).stdout.decode().split()


def own_kernels():
    """Those of this machine's architecture, which `info` and `tune` have rows of."""
    return generated_kernels("--arch", {"x86_64": "x86", "aarch64": "a64"}.get(platform.machine(), "a32"))


def long_options(command):
    return set(re.findall(r"(?m)^  (?:-\w,)?(--[a-z-]+)", run(command, "--help").stdout.decode()))


def on_terminal(*arguments, columns=80, both=False, **environment):
    """Exit code, standard output (unless `both`), and what a terminal at standard error got."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen([JITHASH, *arguments], stdout=theirs if both else subprocess.PIPE,
                               stderr=theirs, env={**os.environ, "TERM": "xterm", **environment})
    os.close(theirs)
    seen = b""
    try:
        while chunk := os.read(ours, 65536):
            seen += chunk
    except OSError:  # Linux says so when the other side is closed
        pass
    os.close(ours)
    output, _ = process.communicate()
    return process.returncode, output, seen


class Info(unittest.TestCase):
    def test_keys(self):
        report = info()
        self.assertEqual(set(report), REPORT_KEYS)
        self.assertEqual(set(report["code_memory"]), {"mode", "reason", "refused_step", "refused_errno", "sealed"})
        self.assertEqual(list(report["algorithms"]), ["sha1", "sha256", "sha512"])
        for name, algorithm in report["algorithms"].items():
            self.assertEqual(set(algorithm), ALGORITHM_KEYS)
            self.assertTrue(algorithm["kernel"].startswith(name + "/"))
            self.assertIn(algorithm["origin"], ("jit", "portable"))
            self.assertEqual(algorithm["origin"] == "jit", algorithm["code_bytes"] > 0)
            for row in algorithm["passed_over"]:
                self.assertEqual(set(row), {"kernel", "reason"})
                self.assertTrue(row["reason"])

    def test_anything_in_the_environment_makes_json(self):
        done = subprocess.run([JITHASH, "info", "--json"], capture_output=True,
                              env={b"JITHASH_KERNEL": b'"\\\x01\xff\xc3\xa9\t'})
        self.assertTrue(any("no such kernel" in note for note in json.loads(done.stdout)["notes"]))

    def test_remedies(self):
        if not own_kernels():
            self.assertIn(b"this build has no generators", run("info").stdout)
            return
        self.assertIn(b"Unset JITHASH_JIT:", run("info", JITHASH_JIT="off").stdout)
        self.assertIn(b"Unset JITHASH_CODE_MEMORY:", run("info", JITHASH_CODE_MEMORY="off").stdout)
        # A shortage rather than a denial: the mode stays.
        scarce = subprocess.run(["sh", "-c", 'ulimit -f 0; exec "$@"', "sh", JITHASH, "info", "--json"],
                                capture_output=True, env={**os.environ, "JITHASH_CODE_MEMORY": "memfd"})
        memory = json.loads(scarce.stdout)["code_memory"]
        self.assertEqual((memory["mode"], memory["refused_step"]), ("memfd", "RLIMIT_FSIZE"))
        self.assertEqual(memory["refused_errno"], errno.EFBIG)
        self.assertIn(b"Unset JITHASH_KERNEL:", run("info", JITHASH_KERNEL="sha256/portable").stdout)
        for environment in ({"JITHASH_JIT": "off"}, {"JITHASH_CODE_MEMORY": "off"}):
            self.assertNotIn("jit", {a["origin"] for a in info(**environment)["algorithms"].values()})

    def test_names_every_kernel_and_what_runs(self):
        text = run("info").stdout.decode()
        for kernel in own_kernels():
            self.assertRegex(text, rf"(?m)^  [* ] {kernel} ")
        for algorithm in info()["algorithms"].values():
            self.assertRegex(text, rf"(?m)^  \* {algorithm['kernel']} +runs: ")


class Tune(unittest.TestCase):
    def test_table(self):
        done = run("tune")
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        text = done.stdout.decode()
        for kernel in own_kernels() + ["sha1/portable", "sha256/portable", "sha512/portable"]:
            self.assertRegex(text, rf"(?m)^  [* ] {kernel} +(\d+\.\d{{3}}( +\d+\.\d{{3}}){{4}}|\D.*)$")
        self.assertEqual(len(re.findall(r"(?m)^  \* ", text)), 3)


class Dump(unittest.TestCase):
    def setUp(self):
        self.kernels = generated_kernels()
        if not self.kernels:
            self.skipTest("this build generates nothing")
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.file = os.path.join(self.folder.name, "[a,b]")

    def test_every_kernel_twice_the_same(self):
        for kernel in self.kernels:
            piped = run("dump", kernel, "-o", "-")
            self.assertEqual((piped.returncode, piped.stderr), (0, b""))
            self.assertGreater(len(piped.stdout), 100)
            self.assertEqual(run("dump", "-o", self.file, kernel).returncode, 0)
            self.assertEqual(Path(self.file).read_bytes(), piped.stdout)

    def test_list(self):
        by_architecture = [generated_kernels("--arch", name) for name in ("x86", "a64", "a32")]
        self.assertEqual(sum(by_architecture, []), self.kernels)
        self.assertTrue(set(own_kernels()) <= set(self.kernels))

    def test_size_is_the_reported_one(self):
        for algorithm in info()["algorithms"].values():
            if algorithm["origin"] == "jit":
                self.assertEqual(len(run("dump", algorithm["kernel"]).stdout), algorithm["code_bytes"])

    def test_refuses_terminals(self):
        code, _, seen = on_terminal("dump", self.kernels[0], both=True)
        self.assertEqual(code, 2)
        self.assertIn(b"machine code is not for terminals", seen)

    def test_leaves_nothing_half_written(self):
        no_space = ["sh", "-c", 'ulimit -f 0; trap "" XFSZ; exec "$@"', "sh"]
        dump = [JITHASH, "dump", self.kernels[0], "-o", self.file]
        limited = subprocess.run([*no_space, *dump], capture_output=True)
        self.assertEqual(limited.returncode, 1)
        self.assertIn(b"File too large", limited.stderr)
        self.assertEqual(os.listdir(self.folder.name), [])
        link = self.file + " link"
        os.symlink(self.file, link)
        for name in (self.file, link):
            Path(self.file).write_bytes(b"old")
            limited = subprocess.run([*no_space, JITHASH, "dump", self.kernels[0], "-o", name], capture_output=True)
            self.assertEqual((limited.returncode, Path(self.file).read_bytes()), (1, b"old"))
        full = run("dump", self.kernels[0], "-o", "/dev/full")
        self.assertEqual(full.returncode, 1)
        self.assertEqual(full.stderr, b"jithash: /dev/full: No space left on device\n")
        self.assertTrue(os.path.exists("/dev/full"))

    def test_files_are_written_where_they_are(self):
        code = run("dump", self.kernels[0]).stdout
        other, link, dangling = self.file + " other", self.file + " link", self.file + " dangling"
        long = os.path.join(self.folder.name, "n" * 255)
        Path(self.file).write_bytes(b"old" * 10000)
        os.chmod(self.file, 0o640)
        os.link(self.file, other)
        os.symlink(self.file, link)
        os.symlink(long, dangling)
        for name in (self.file, link):
            Path(self.file).write_bytes(b"old" * 10000)
            self.assertEqual(run("dump", self.kernels[0], "-o", name).returncode, 0)
            self.assertEqual((Path(self.file).read_bytes(), Path(other).read_bytes()), (code, code))
        self.assertEqual(os.stat(self.file).st_mode & 0o777, 0o640)
        self.assertEqual(run("dump", self.kernels[0], "-o", dangling).returncode, 0)
        self.assertEqual(Path(long).read_bytes(), code)

    def test_other_cpus(self):
        def code(kernel, *options):
            done = run("dump", *options, kernel)
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            return done.stdout

        forms = [code("sha1/a32"), code("sha1/a32", "--cpu", "armv6"), code("sha1/a32", "--cpu", "armv7"),
                 code("sha1/a32", "--compact"), code("sha1/a32", "--compact", "--cpu", "armv7")]
        self.assertEqual(len(set(forms)), len(forms))
        self.assertEqual(code("sha1/a32", "--cpu", ""), forms[0])
        self.assertNotEqual(code("sha1/a64-sha1"), code("sha1/a64-sha1", "--cpu", "in-order"))

    def test_listing(self):
        code = run("dump", "--compact", "sha1/a32").stdout
        text = run("dump", "--compact", "--listing", "sha1/a32").stdout.decode()
        encodings = re.findall("@ +[0-9a-f]+: ([0-9a-f]{8})$", text, re.MULTILINE)
        self.assertEqual(b"".join(bytes.fromhex(e)[::-1] for e in encodings), code)
        self.assertRegex(text, r"\n\.arm\npush \{r4, r5, r6, r7, r8, r9, r10, lr\} +@ +0: e92d47f0\n")

    def test_wrong_usage(self):
        kernel = self.kernels[0]
        for arguments in ([], ["sha256/portable"], ["nonsense"], [kernel, "--arch", "z80"], [kernel, "more"],
                          [kernel, "--cpu", "z80"], ["--list", kernel], ["--list", "--compact"], ["sha256/x86", "--listing"]):
            self.assertEqual(run("dump", *arguments).returncode, 2, arguments)


class Help(unittest.TestCase):
    def test_help_and_version(self):
        self.assertRegex(run("--version").stdout, rb"^jithash \d+\.\d+\.\d+\n$")
        for command in ([], ["sha1"], ["sha512-256"], ["check"], ["info"], ["tune"], ["dump"]):
            done = run(*command, "--help")
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            self.assertIn(b"Usage: jithash", done.stdout)
            self.assertLessEqual(max(map(len, done.stdout.splitlines())), 100)

    def test_manual_tells_every_option(self):
        manual = (SOURCE / "docs/jithash.1").read_text().replace("\\-", "-")
        for command in ("sha256", "check", "info", "dump"):
            for option in long_options(command):
                self.assertIn(option, manual)

    def test_completion(self):
        script = (f'source "{SOURCE}/completions/jithash.bash"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); '
                  '_jithash; echo "${COMPREPLY[*]}"')

        def complete(*words):
            path = os.path.dirname(JITHASH) + os.pathsep + os.environ["PATH"]
            done = subprocess.run(["bash", "-c", script, "bash", "jithash", *words], capture_output=True,
                                  text=True, env={**os.environ, "PATH": path})
            self.assertEqual(done.stderr, "")
            return done.stdout.split()

        self.assertEqual(complete("sha512-"), ["sha512-224", "sha512-256"])
        self.assertEqual(complete("sha1", "--ig"), ["--ignore-missing"])
        self.assertEqual(complete("sha1", "fi"), [])
        self.assertEqual(complete("check", "--algorithm", "sha2"), ["sha224", "sha256"])
        self.assertEqual(complete("dump", "sha"), generated_kernels())
        for command in ("sha256", "check", "info", "dump"):
            self.assertEqual(set(complete(command, "--")), long_options(command))


class Progress(unittest.TestCase):
    """Empty space is hashed, as much as takes the portable code three seconds."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.file = os.path.join(self.folder.name, "long")
        sample = 1 << 25
        self.resize(sample)
        self.resize(int(sample * 3 / min(self.seconds_to_hash() for _ in range(5))))

    def resize(self, size):
        with open(self.file, "wb") as file:
            file.truncate(size)

    def seconds_to_hash(self):
        start = time.monotonic()
        run("sha256", self.file, JITHASH_JIT="off")
        return time.monotonic() - start

    def test_bar_on_a_terminal_only(self):
        code, output, seen = on_terminal("sha256", self.file, self.file + " missing", JITHASH_JIT="off")
        self.assertEqual(code, 1)
        self.assertRegex(output, rb"^[0-9a-f]{64}  [^\n]*/long\n$")
        bar = rb"\r(\[=*>? *\] +\d+%  \d+\.\d of \d+\.\d [MG]B  \d+\.\d\d GB/s  \d+:\d\d left)\x1b\[K"
        bars = re.findall(bar, seen)
        self.assertGreater(len(bars), 1, seen)
        self.assertLess(max(map(len, bars)), 80)
        # It has made way before anything else is written.
        complaint = f"\r\x1b[Kjithash: '{self.file} missing': No such file or directory\r\n"
        self.assertTrue(seen.endswith(complaint.encode()), seen)
        self.assertEqual(run("sha256", self.file, JITHASH_JIT="off").stderr, b"")

    def test_no_bar_on_dumb_terminals_without_a_total_or_for_short_work(self):
        for arguments, terminal in (
            (["sha256", self.file], "dumb"),
            (["sha256", "/dev/null", self.file], "xterm"),
            (["sha256", __file__], "xterm"),
        ):
            self.assertEqual(on_terminal(*arguments, TERM=terminal, JITHASH_JIT="off")[2], b"")


if __name__ == "__main__":
    unittest.main()
