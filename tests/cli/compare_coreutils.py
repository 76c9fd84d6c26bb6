#!/usr/bin/env python3
"""Runs jithash and coreutils' sha*sum side by side and demands the same output, complaints and exit code.

Two things differ by design and are mapped: the program's name, and the exit code of wrong usage (2, not 1).
Results and complaints are compared apart and, where both occur, also in the order in which they were written.
Exit code 77: there is no coreutils 9.1 to compare with.
"""

import argparse
import concurrent.futures
import hashlib
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile

ALGORITHMS = ["sha1", "sha224", "sha256", "sha384", "sha512"]

# File names that something or other trips over.
NAMES = [
    b"plain", b"a b", b" leading", b"trailing ", b"  ", b"*star", b" *both", b"*", b"new\nline", b"\n",
    b"two\n\nlines\n", b"carriage\rreturn", b"\r", b"crlf\r\n", b"back\\slash", b"\\", b"\\n", b"\\\\",
    b"ends\\", b"mix\\\n\r\\n", b"tab\tx", b"\t", b"\x01", b"\x1b[31mred", b"\x7f", b"bell\x07\x08\x0b\x0c",
    "\u00e9t\u00e9".encode(), "\u65e5\u672c \u8a9e".encode(), "\u200b".encode(), "\u00a0".encode(),
    "\U0001f600".encode(), b"\xff", b"in\x80valid", b"cut\xc3", b"\xe2\x82", b"\xed\xa0\x80", b"\xc0\x80",
    b"\xff'\n", b"-dash", b"--", b"--help", b"--tag", b"-b", b"-c", b"'", b"it's", b"'quoted'", b'"',
    b"both'\"", b"it's\\", b"it's a", b"it's\n", b"it's #", b"it's ~x", b"it's {}", b"{'}", b"#", b"#comment",
    b"a#", b"~", b"~root", b"a~", b"{", b"}", b"{}", b"[", b"]", b"[a]", b"[a,b]", b"a,b", b"%%", b"%s%n",
    b"=", b"a=b", b"$HOME", b"`x`", b"$(x)", b"(a)", b"a)b", b")", b") = x", b"SHA256 (x) = y", b":", b"a:b",
    b"?", b"!", b"^", b"|", b"&", b";", b"<", b">", b"a+b", b"@", b".hidden", b"...", b"sha256", b"check",
    b"info", b"x" * 255,
]

# Operands that cannot be read, and files that are not files.
STRANGE = [
    b"", b".", b"directory", b"directory/", b"dir ectory", b"plain/below", b"missing/below", b"y" * 256,
    b"loop", b"dangling", b"/dev/null", b"/proc/version",
]

STYLES = [
    [], ["-b"], ["-t"], ["--tag"], ["-z"], ["-bz"], ["--tag", "-z"], ["--binary", "--text"], ["-t", "--tag"],
]

CHECK_FLAGS = [
    [], ["-w"], ["--status"], ["--quiet"], ["--strict"], ["--ignore-missing"],
    ["--strict", "-w", "--ignore-missing"], ["--quiet", "--ignore-missing"], ["--status", "--strict"],
    ["--status", "--warn"], ["--warn", "--quiet", "--status"],
]

# (options, operands) that coreutils refuses, or that look as if it should.
USAGES = [
    ["-c", "--tag"], ["-c", "-z"], ["-c", "-b"], ["-c", "-t"], ["-c", "--tag", "-z"], ["--tag", "-t"],
    ["--tag", "-b", "-t"], ["--ignore-missing"], ["--status"], ["-w"], ["--quiet"], ["--strict"],
    ["--strict", "--quiet", "plain"], ["--status", "-w", "plain"], ["--quiet", "--status", "plain"],
    ["--ignore-missing", "--strict", "plain"], ["plain", "-b"], ["plain", "--tag", "a b"],
    ["plain", "--", "-b"], ["--", "--tag"], ["--bin", "plain"], ["--ta", "plain"], ["--zer", "plain"],
    ["-bz", "plain"], ["-zb", "plain", "--text"], ["--ch", "--ig", "--stri", "lists/good"],
    ["-cw", "lists/good"], ["-wc", "lists/good"], ["lists/good", "-c"], ["-c", "lists/good", "lists/good"],
    ["-c", "missing list", "lists/good"], ["-c", "lists/good", "missing list"], ["-c", "directory"],
    ["-c", "/dev/null"], ["-c", "plain", "lists/good", "a b"], ["-c", "plain"], ["-c", ""],
    ["-c", "lists/reversed", "lists/good"], ["-c", "lists/good", "lists/reversed"],
]

# Refused with words of CLI11's; only the exit code is compared.
REFUSED = [["--nonsense"], ["--t"], ["--st"], ["-x"], ["-bx"], ["--tag=yes"], ["--nonsense", "plain"]]


class Comparison:
    """Runs what is to be compared on all cores; counts, and tells what differs."""

    def __init__(self, jithash, folder):
        self.jithash, self.folder = jithash, folder
        self.pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
        self.pending, self.runs, self.failures = [], 0, 0

    def compare(self, algorithm, arguments, **how):
        """`jithash ALGORITHM ARGUMENTS` against `ALGORITHMsum ARGUMENTS`; how: see _compare."""
        self.pending.append(self.pool.submit(self._compare, algorithm, arguments, **how))

    def expect(self, arguments, code, output, complaints=b"", given=b""):
        """What coreutils has no word for."""
        got = self._run([self.jithash, *arguments], False, given)
        wanted = (code, output, complaints)
        self._count(got == wanted, f"{arguments}\n  expected: {wanted}\n  jithash:  {got}")

    def finish(self):
        for done in concurrent.futures.as_completed(self.pending):
            for result in done.result():
                self._count(*result)
        print(f"{self.runs} invocations compared, {self.failures} differ")
        return self.failures == 0

    def _count(self, same, difference):
        self.runs += 1
        if not same:
            self.failures += 1
            print("FAILED:", difference)

    def _compare(self, algorithm, arguments, command=None, only_code=False, **how):
        program = algorithm + "sum"
        command = command or [algorithm]
        as_check = ["-c"] if command[0] == "check" else []
        results = []
        for merged in (False, True):
            wanted = self._run([program, *as_check, *arguments], merged, **how)
            got = self._run([self.jithash, *command, *arguments], merged, **how)
            wanted = self._translate(wanted, algorithm, command)
            if only_code:
                wanted, got = wanted[:1], got[:1]
            difference = f"{command + arguments} {how}\n  coreutils: {wanted}\n  jithash:   {got}"
            results.append((got == wanted, difference))
            # Where one of the streams is silent, their order says nothing new.
            if only_code or not (wanted[1] and wanted[2]):
                break
        return results

    def _translate(self, result, algorithm, command):
        """What jithash is to say where coreutils says `result`."""
        code, *texts = result
        help_hint = "Try '{} --help' for more information.\n"
        their_hint = help_hint.format(algorithm + "sum").encode()
        our_hint = help_hint.format("jithash " + command[0]).encode()
        if code == 1 and any(text.endswith(their_hint) for text in texts):
            code = 2
        for i, text in enumerate(texts):
            text = text.replace(their_hint, our_hint)
            text = re.sub(f"(?m)(?:^|(?<=\\0)){algorithm}sum: ".encode(), b"jithash: ", text)
            if command == ["check"]:
                text = text.replace(f"formatted {algorithm.upper()} checksum".encode(), b"formatted checksum")
            texts[i] = text
        return (code, *texts)

    def _run(self, program, merged, given=b"", redirect="", locale="C.UTF-8", broken_pipe=False,
             unprivileged=False):
        """Exit code, standard output and standard error; `merged`: both in one, in order."""
        environment = {"PATH": os.environ["PATH"], "LC_ALL": locale}
        how = {"input": given, "stdout": subprocess.PIPE}
        how["stderr"] = subprocess.STDOUT if merged else subprocess.PIPE
        if redirect:
            program = ["sh", "-c", f'exec "$@" {redirect}', "sh", *program]
        if broken_pipe:
            # Not a pipe: a process that another thread is about to start may have its other end for a moment.
            ours, how["stdout"] = socket.socketpair()
            ours.shutdown(socket.SHUT_RDWR)
        if unprivileged and os.getuid() == 0:
            how.update(user=65534, group=65534, extra_groups=[])
        done = subprocess.run(program, cwd=self.folder, env=environment, **how)
        if broken_pipe:
            ours.close()
            how["stdout"].close()
        return done.returncode, done.stdout or b"", done.stderr or b""


def escape(name):
    for plain, escaped in ((b"\\", b"\\\\"), (b"\n", b"\\n"), (b"\r", b"\\r")):
        name = name.replace(plain, escaped)
    return name


def sum_lists(algorithm):
    """Sum files: right, wrong, and what is left of them after editors, mailers and transfers."""
    tag = algorithm.upper().encode()
    content = {name: file_content(name) for name in NAMES}

    def digest(name):
        return hashlib.new(algorithm, content.get(name, b"")).hexdigest().encode()

    right, wrong = digest(b"plain"), digest(b"plain")[::-1]
    line = right + b"  plain\n"
    tagged = tag + b" (plain) = " + right + b"\n"
    return {
        "good": b"".join(digest(n) + b"  " + n + b"\n" for n in (b"plain", b"a b", b"*star")),
        "binary": right + b" *plain\n",
        "escaped": b"".join(b"\\" + digest(n) + b"  " + escape(n) + b"\n" for n in NAMES),
        "escaped tagged": (
            b"".join(b"\\" + tag + b" (" + escape(n) + b") = " + digest(n) + b"\n" for n in NAMES)
        ),
        "unescaped": b"".join(digest(n) + b"  " + n + b"\n" for n in NAMES),
        "tagged": tagged,
        "openssl": tag + b"(plain)= " + right + b"\n",
        "openssl3": tag.replace(b"SHA", b"SHA2-") + b"(plain)= " + right,
        "reversed": right + b" plain\n" + digest(b"*star") + b" *star\n",
        "reversed, then not": right + b" plain\n" + line,
        "not reversed, then so": line + right + b" plain\n",
        "mixed": line + tagged + right + b" *plain\n",
        "empty": b"",
        "newline": b"\n",
        "newlines": b"\n\n\r\n" + line,
        "comments": b"# a comment\n" + line + b"#" + line,
        "only comments": b"#\n# x\n",
        "blank before comment": b" # x\n" + line,
        "crlf": line.replace(b"\n", b"\r\n"),
        "crcrlf": line.replace(b"\n", b"\r\r\n"),
        "cr": line.replace(b"\n", b"\r"),
        "no newline": line[:-1],
        "no newline crlf": line[:-1] + b"\r",
        "two, no newline": line + line[:-1],
        "truncated digest": right[:-1] + b"  plain\n",
        "truncated to digest": right,
        "truncated to blank": right + b" ",
        "truncated to blanks": right + b"  ",
        "truncated last": line + line[:10],
        "digest and newline": right + b"\n",
        "digest and blanks": right + b"  \n" + line,
        "one character": right + b" x\n" + line,
        "long digest": right + b"0  plain\n",
        "other length": right + right + b"  plain\n",
        "not hex": b"g" + right[1:] + b"  plain\n",
        "upper case": right.upper() + b"  plain\n",
        "upper case tagged": tag + b" (plain) = " + right.upper() + b"\n",
        "lower case tag": tagged.replace(tag, tag.lower()),
        "leading blanks": b" \t " + line,
        "leading newline": b"\n" + line,
        "trailing blanks": line[:-1] + b" \n",
        "tabs": right + b"\tplain\n",
        "two tabs": right + b"\t\tplain\n",
        "blank, tab": right + b" \tplain\n",
        "tab, blank": right + b"\t plain\n",
        "three blanks": right + b"   plain\n",
        "backslash alone": b"\\",
        "backslash, nothing to escape": b"\\" + line,
        "blank, backslash": b" \\" + line,
        "backslash, blank": b"\\ " + line,
        "two backslashes": b"\\\\" + line,
        "unknown escape": b"\\" + right + b"  pl\\ain\n" + line,
        "escape at the end": b"\\" + right + b"  plain\\\n" + line,
        "escaped t": b"\\" + right + b"  tab\\tx\n",
        "newline escaped and missing": b"\\" + right + b"  not\\nthere\n",
        "mismatch": wrong + b"  plain\n",
        "mismatches": (wrong + b"  plain\n") * 2 + line,
        "mismatch of newline": b"\\" + wrong + b"  new\\nline\n",
        "missing": right + b"  missing\n",
        "missings": (right + b"  missing it\n") * 2 + line,
        "everything": line + b"junk\n" + wrong + b"  plain\n" + right + b"  missing\n",
        "misformatted": b"junk\n" + line,
        "misformatteds": b"junk\nmore\n" + line,
        "junk": b"junk\n",
        "directory": right + b"  directory\n" + line,
        "empty name tagged": tag + b" () = " + right + b"\n",
        "parentheses": tag + b" (a)b) = " + digest(b"a)b") + b"\n",
        "no parenthesis": tag + b" plain = " + right + b"\n",
        "no closing": tag + b" (plain = " + right + b"\n",
        "no equals": tag + b" (plain) " + right + b"\n",
        "tag only": tag + b"\n",
        "tag and parenthesis": tag + b" (\n",
        "two blanks after tag": tag + b"  (plain) = " + right + b"\n",
        "blanks in tagged": b"  " + tag + b" (plain) \t=\t " + right + b"\n",
        "no blanks in tagged": tag + b"(plain)=" + right + b"\n",
        "trailing in tagged": tagged[:-1] + b" \n",
        "short tagged": tagged[:-2] + b"\n",
        "long tagged": tagged[:-1] + b"0\n",
        "other tag": b"MD5 (plain) = " + right + b"\n",
        "tag of another": b"SHA512/256 (plain) = " + right + b"\n",
        "nul in name": right + b"  plain\0x\n",
        "nul name": right + b"  \0\n",
        "nul in escaped": b"\\" + right + b"  plain\0x\n",
        "nul in digest": right[:9] + b"\0" + right[10:] + b"  plain\n",
        "nul after tagged": tagged[:-1] + b"\0x\n",
        "nul in tagged": tag + b" (pl\0ain) = " + right + b"\n",
        "nul line": b"\0\n" + line,
        "nuls": b"\0" * 100,
        "nul before": b"\0" + line,
        "zero terminated": line.replace(b"\n", b"\0") * 2,
        "standard input": hashlib.new(algorithm, b"").hexdigest().encode() + b"  -\n",
        "utf-8 bom": b"\xef\xbb\xbf" + line,
        "utf-16": line.decode("latin-1").encode("utf-16"),
        "binary file": bytes(range(256)) * 8,
        "dash option": digest(b"-dash") + b"  -dash\n",
        "subdirectory": right + b"  ./plain\n",
        "too long name": right + b"  " + b"y" * 300 + b"\n",
        "very long line": b"x" * 100000 + b"\n" + line,
    }


def random_list(algorithm, source):
    """A few lines put together of the pieces that lines are made of, most of them damaged."""
    tag = algorithm.upper().encode()
    digest = hashlib.new(algorithm, file_content(b"plain")).hexdigest().encode()
    lines = [digest + b"  plain", digest + b" *plain", digest + b" plain", tag + b" (plain) = " + digest,
             digest + b"  back\\\\slash"]
    pieces = [digest] * 4 + [b"plain"] * 3 + [b"  "] * 3
    pieces += [b" ", b" *", b"*", b"\t", b"\\", b"\\\\", b"\\n", b"\\r", b"\r", b"\0", b"#", b"a b",
               b"missing", b"(", b")", b" = ", b"=", b"-", tag, tag + b" (plain) = ", digest[:-1],
               digest.upper()]
    text = b""
    for _ in range(source.randint(1, 6)):
        kind = source.choice(["pieces", "damaged", "whole"])
        if kind == "pieces":
            line = b"".join(source.choices(pieces, k=source.randint(1, 5)))
        else:
            line = source.choice([b"", b"", b"\\", b" "]) + source.choice(lines)
        if kind == "damaged":
            start = source.randint(0, len(line))
            line = line[:start] + source.choice(pieces + [b""]) + line[start + source.randint(0, 2):]
        text += line + source.choice([b"\n"] * 6 + [b"\r\n", b"\n\n"])
    return text if source.random() < 0.7 else text[:-1]


def file_content(name):
    # Lengths around block and padding edges, and one that takes several reads.
    lengths = [3, 0, 1, 55, 56, 63, 64, 65, 111, 112, 119, 127, 128, 129, 1000, 300000]
    length = lengths[NAMES.index(name) % len(lengths)]
    return bytes(i % 251 for i in range(length))


def make_files(folder):
    for name in NAMES:
        with open(os.path.join(folder.encode(), name), "wb") as file:
            file.write(file_content(name))
    for name in ("directory", "dir ectory", "lists"):
        os.mkdir(os.path.join(folder, name))
    os.symlink("loop", os.path.join(folder, "loop"))
    os.symlink("nowhere", os.path.join(folder, "dangling"))
    for name in ("secret", "secret list"):
        with open(os.path.join(folder, name), "w") as file:
            file.write("secret")
        os.chmod(os.path.join(folder, name), 0)
    os.mkdir(os.path.join(folder, "locked"), 0)
    for algorithm in ALGORITHMS:
        digest = hashlib.new(algorithm, b"secret").hexdigest()
        secrets = "".join(f"{digest}  {name}\n" for name in ("secret", "locked/file", "missing"))
        for name, text in [*sum_lists(algorithm).items(), ("secrets", secrets.encode())]:
            with open(os.path.join(folder, "lists", f"{algorithm} {name}"), "wb") as file:
                file.write(text)
            if algorithm == "sha256" and name in ("good", "reversed"):
                os.symlink(f"sha256 {name}", os.path.join(folder, "lists", name))


def compare_sums(c, algorithm, thorough):
    existing = [n for n in NAMES if not n.startswith(b"-")]
    for style in STYLES:
        c.compare(algorithm, style + ["--"] + NAMES)
        c.compare(algorithm, style + STRANGE)
        c.compare(algorithm, style + ["plain", "missing", "a b"])
        c.compare(algorithm, style, given=b"from standard input")
    for locale in ("C.UTF-8", "C"):
        c.compare(algorithm, ["--"] + [n + b"z" for n in NAMES], locale=locale)
        c.compare(algorithm, ["--"] + [b"missing/" + n for n in NAMES], locale=locale)
    if thorough:
        for name in existing + STRANGE:
            for style in STYLES:
                c.compare(algorithm, [*style, name])
            c.compare(algorithm, [name, b"missing " + name, name])
    for arguments in ([], ["-"], ["-", "-"], ["-", "plain", "-"], ["--", "-"], ["plain", "missing", "a b"]):
        c.compare(algorithm, arguments, given=b"abc\n" * 50000)
        for redirect in ("<&-", "<plain", "<.", "</dev/null"):
            c.compare(algorithm, arguments, redirect=redirect)


def compare_usage(c, algorithm):
    for arguments in USAGES:
        c.compare(algorithm, arguments)
    for arguments in REFUSED:
        c.compare(algorithm, arguments, only_code=True)


def compare_output_errors(c, algorithm):
    for arguments in (["plain"], ["plain"] * 3, ["plain", "missing"], ["missing"], ["-z", "plain"],
                      ["-z"] + ["plain"] * 999, ["-c", "lists/good"], ["-c", "--status", "lists/good"],
                      ["-c", "/dev/null"]):
        for redirect in (">/dev/full", ">&-", "2>&-", "2>/dev/full", "<&- >&-"):
            c.compare(algorithm, arguments, redirect=redirect)
        c.compare(algorithm, arguments, broken_pipe=True)


def compare_checks(c, algorithm, thorough):
    lists = sum_lists(algorithm)
    # Not the same to those who know the algorithm only by what they read.
    particular = {"other length", "tag of another", "long digest", "truncated digest"}
    for name, text in lists.items():
        file = f"lists/{algorithm} {name}"
        for flags in CHECK_FLAGS if thorough else CHECK_FLAGS[:2]:
            c.compare(algorithm, ["-c", *flags, file])
        for flags in ([], ["-w", "--ignore-missing"]):
            if thorough:
                c.compare(algorithm, ["-c", *flags], given=text)
            if name not in particular:
                c.compare(algorithm, [*flags, file], command=["check"])
        c.compare(algorithm, ["-w", file], command=["check", "--algorithm", algorithm])


def compare_random_checks(c, algorithm, count, random_source):
    for _ in range(count):
        c.compare(algorithm, ["-c", "-w"], given=random_list(algorithm, random_source))


def compare_permissions(c, algorithm):
    secrets = f"lists/{algorithm} secrets"
    for arguments in (["secret"], ["plain", "secret", "locked", "locked/file", "plain"],
                      ["-c", "secret list"], ["-c", secrets], ["-c", "--ignore-missing", secrets],
                      ["-c", "--status", secrets]):
        c.compare(algorithm, arguments, unprivileged=True)


def expect_own(c):
    """The two algorithms that coreutils has not, lists of several algorithms, and usage of our own."""
    plain = file_content(b"plain")
    every = b""
    for name, tag in (("sha512-224", "SHA512/224"), ("sha512-256", "SHA512/256")):
        digest = hashlib.new(name.replace("-", "_"), plain).hexdigest()
        untagged, tagged = f"{digest}  plain\n".encode(), f"{tag} (plain) = {digest}\n".encode()
        every += tagged
        c.expect([name, "plain"], 0, untagged)
        c.expect([name, "--tag", "plain"], 0, tagged)
        by_openssl = f"SHA2-{tag[3:]}(plain)= {digest}".encode()
        for text in (untagged, tagged, tagged.replace(b"/", b"t"), by_openssl):
            c.expect([name, "-c"], 0, b"plain: OK\n", given=text)
            c.expect(["check", "--algorithm", name], 0, b"plain: OK\n", given=text)
    for name in ALGORITHMS:
        digest = hashlib.new(name, plain).hexdigest()
        every += f"{digest}  plain\n{name.upper()} (plain) = {digest}\n".encode()
    c.expect(["check"], 0, b"plain: OK\n" * 12, given=every)
    c.expect(["check", "--quiet"], 0, b"", given=every)
    c.expect(["check"], 1, b"plain: FAILED\n", b"jithash: WARNING: 1 computed checksum did NOT match\n",
             given=hashlib.new("sha512_256", plain).hexdigest().encode() + b"  plain\n")

    def expect_refusal(arguments, words, command=""):
        hint = f"Try 'jithash {command}--help' for more information."
        c.expect(arguments, 2, b"", f"jithash: {words}\n{hint}\n".encode())

    expect_refusal([], "a command is missing")
    expect_refusal(["sha3"], "The following argument was not expected: sha3")
    expect_refusal(["check", "--algorithm", "md5"], "no algorithm is called md5", "check ")
    expect_refusal(["check", "-b"], "The following argument was not expected: -b", "check ")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("jithash")
    parser.add_argument("--random", type=int, default=50, help="random sum files for each algorithm")
    parser.add_argument("--seed", type=int, default=180)
    arguments = parser.parse_args()

    told = subprocess.run(["sha256sum", "--version"], capture_output=True, text=True).stdout
    version = told.splitlines()[:1]
    if version != ["sha256sum (GNU coreutils) 9.1"]:
        print(f"skipped: messages are those of coreutils 9.1, and here is {version}")
        return 77

    with tempfile.TemporaryDirectory() as folder:
        # The program lies where those without rights of their own can reach it.
        os.chmod(folder, 0o755)
        jithash = shutil.copy(arguments.jithash, os.path.join(folder, "jithash"))
        work = os.path.join(folder, "work")
        os.mkdir(work)
        make_files(work)
        c = Comparison(jithash, work)
        random_source = random.Random(arguments.seed)
        for algorithm in ALGORITHMS:
            thorough = algorithm == "sha256"
            compare_sums(c, algorithm, thorough)
            compare_checks(c, algorithm, thorough)
            compare_random_checks(c, algorithm, arguments.random, random_source)
            compare_usage(c, algorithm)
            compare_output_errors(c, algorithm)
            compare_permissions(c, algorithm)
        expect_own(c)
        right = c.finish()
        os.chmod(os.path.join(work, "locked"), 0o700)
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
