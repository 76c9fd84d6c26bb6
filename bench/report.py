#!/usr/bin/env python3
"""Markdown tables from jithash_bench's JSON: report.py RUN.json... > report.md

Give it several runs: where a process places its stack, heap and code moves short calls by a percent or two, which only
other processes can show. A figure is the median over the runs; the range beside it is that of the runs' medians,
or of the quartiles of the pairs where there is one run.
"""
import argparse
import json
from collections import defaultdict
from statistics import median

# The yardstick: OpenSSL's SHA-256 of 1 MiB takes 2.01 cycles a byte, on the reference core at 3.65 GHz.
MEBI = 1 << 20
REFERENCE_GHZ = 3.65
YARDSTICK_CYCLES = 2.01 * MEBI

ALGORITHMS = {"sha1": "SHA-1", "sha256": "SHA-256", "sha512": "SHA-512"}

# Aims in cycles a call: streams from cycles a byte, calls from nanoseconds on the reference core.
AIMS = [
    ("sha256", MEBI, 1.01 * 2.01 * MEBI),
    ("sha1", MEBI, 1.01 * 1.88 * MEBI),
    ("sha512", MEBI, 0.98 * 4.18 * MEBI),
    ("sha256", 8, 42 * REFERENCE_GHZ),
    ("sha256", 64, 64 * REFERENCE_GHZ),
    ("sha1", 8, 40 * REFERENCE_GHZ),
    ("sha1", 64, 54 * REFERENCE_GHZ),
    ("sha512", 8, 150 * REFERENCE_GHZ),
]

PORTABLE_AIM = 1 / 1.1  # at most 10% more time than libgcrypt's C


class Pair:
    """One (algorithm, work, size, ours, peer) over all runs."""

    def __init__(self):
        self.runs = []

    def value(self, key):
        return median(run[key] for run in self.runs)

    def speedup(self):
        medians = [run["speedup"] for run in self.runs]
        low, high = min(medians), max(medians)
        if len(medians) == 1:
            low, high = self.runs[0]["speedup_q1"], self.runs[0]["speedup_q3"]
        return f"{median(medians):.3f} ({low:.3f}–{high:.3f})"


def size_name(size):
    for unit, name in ((MEBI, "MiB"), (1024, "KiB")):
        if size >= unit and size % unit == 0:
            return f"{size // unit} {name}"
    return f"{size} B"


def nanoseconds(value):
    return f"{value:.1f} ns" if value < 1e4 else f"{value / 1e3:.1f} µs"


def table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|---" * len(head) + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def select(pairs, algorithm, work):
    """{(ours, size): {peer: Pair}} of one algorithm and kind of work, in the order they ran."""
    chosen = defaultdict(dict)
    for (a, w, size, ours, peer), pair in pairs.items():
        if (a, w) == (algorithm, work):
            chosen[ours, size][peer] = pair
    return chosen


def print_aims(pairs):
    rows = []
    for algorithm, size, aim_cycles in AIMS:
        peers = dict(select(pairs, algorithm, "call").get(("jithash", size), {}))
        peers.pop("jithash", None)
        if not peers:
            continue
        best = min(peers, key=lambda name: peers[name].value("peer_cycles"))
        pair = peers[best]
        cycles = median(p.value("cycles") for p in peers.values())
        chain = [p for peer, p in select(pairs, algorithm, "chain").get(("jithash", size), {}).items()]
        here = pair.value("yardstick_ns") / YARDSTICK_CYCLES
        shown = (lambda c: f"{c / size:.3f} cycles/byte") if size == MEBI else (lambda c: f"{c * here:.1f} ns")
        rows.append([
            f"{ALGORITHMS[algorithm]}, {size_name(size)}, one {'stream' if size == MEBI else 'call'}",
            shown(pair.value("peer_cycles")), best, f"**{shown(cycles)}**", pair.speedup(), shown(aim_cycles),
            "yes" if cycles <= aim_cycles else f"no, {100 * (cycles / aim_cycles - 1):.1f}% over",
            shown(median(p.value("cycles") for p in chain)) if chain else "",
        ])
    if rows:
        print("## Aims\n")
        table(["work", "best peer", "by", "jithash", "peer time / jithash time", "aim", "met", "chained calls"], rows)


def print_work(pairs, algorithm, work, title):
    chosen = select(pairs, algorithm, work)
    for name in dict.fromkeys(ours for ours, _ in chosen):
        of_name = {size: peers for (ours, size), peers in chosen.items() if ours == name}
        columns = list(dict.fromkeys(peer for peers in of_name.values() for peer in peers if peer != name))
        rows = []
        for size, peers in of_name.items():
            ns = median(pair.value("ns") for pair in peers.values())
            cycles = median(pair.value("cycles") for pair in peers.values())
            row = [size_name(size), nanoseconds(ns), f"{size / ns:.3f}", f"{cycles / size:.2f}"]
            row += [peers[column].speedup() if column in peers else "" for column in columns + [name]]
            rows.append(row)
        print(f"### {ALGORITHMS[algorithm]}, {title}: {name}\n")
        table(["size", "time", "GB/s", "cycles/byte"] + columns + ["itself"], rows)


def print_paired(pairs, portable):
    yardsticks = [run["yardstick_ns"] for pair in pairs.values() for run in pair.runs]
    unit = median(yardsticks)
    print(f"Yardstick: OpenSSL's SHA-256 of 1 MiB took {unit / 1e3:.1f} µs (median; {min(yardsticks) / 1e3:.1f} to "
          f"{max(yardsticks) / 1e3:.1f} over all pairs' medians) = {MEBI / unit:.3f} GB/s = {unit / 16384:.2f} ns a block. "
          f"It counts as 2.01 cycles/byte, which makes a cycle {unit / YARDSTICK_CYCLES:.4f} ns here "
          f"({1 / REFERENCE_GHZ:.4f} on the reference core).\n")
    if portable:
        rows = []
        for (algorithm, work, size, ours, peer), pair in pairs.items():
            if work == "call" and ours == "jithash" and peer == "libgcrypt":
                ns = pair.value("ns")
                rows.append([ALGORITHMS[algorithm], size_name(size), nanoseconds(ns), f"{size / ns:.3f}", pair.speedup(),
                             "yes" if pair.value("speedup") >= PORTABLE_AIM else "no"])
        table(["algorithm", "size", "jithash portable", "GB/s", "libgcrypt C time / jithash time", "at most 10% more time"], rows)
        return
    print_aims(pairs)
    print("## By size\n\nColumns that name a peer: its time / jithash's time, so more than 1 is faster than the peer. "
          "`itself`: the same code on both sides, what chance alone does.\n")
    for algorithm in ALGORITHMS:
        print_work(pairs, algorithm, "call", "independent calls")
        print_work(pairs, algorithm, "chain", "chained calls")
        print_work(pairs, algorithm, "blocks", "whole blocks, no padding")


def print_first_use(samples):
    rows = []
    for name, runs in samples.items():
        of = lambda key: median(run[key] for run in runs)
        rows.append([name, f"{of('total_us'):.0f} µs ({of('total_us_q1'):.0f}–{of('total_us_q3'):.0f})"] +
                    [f"{of(key + '_us'):.1f}" for key in ("detection", "generation", "publish", "self_test")] +
                    [f"{of('again_us'):.3f}"])
    if rows:
        print("## First use in a process\n")
        table(["what", "total", "probe, µs", "generate", "publish", "self-test", "second time"], rows)


def print_plain(times):
    for algorithm in ALGORITHMS:
        for work in ("call", "chain", "blocks"):
            of_work = {key: value for key, value in times.items() if key[:2] == (algorithm, work)}
            sizes = sorted({key[2] for key in of_work})
            rows = [[name] + [nanoseconds(median(times[algorithm, work, size, name]))
                              if (algorithm, work, size, name) in times else "" for size in sizes]
                    for name in dict.fromkeys(key[3] for key in of_work)]
            if rows:
                print(f"### {ALGORITHMS[algorithm]}, {work}, not paired\n")
                table(["", *map(size_name, sizes)], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", metavar="RUN.json", help="what --benchmark_out=RUN.json wrote")
    modes = {}
    for path in parser.parse_args().runs:
        with open(path, encoding="utf-8") as file:
            run = json.load(file)
        context = run["context"]
        mode = modes.setdefault(context["portable"], (context, defaultdict(Pair), defaultdict(list), defaultdict(list)))
        _, pairs, first_use, plain = mode
        for result in run["benchmarks"]:
            if result["run_type"] != "iteration":
                continue
            kind, *parts = result["name"].split("/")
            if kind == "paired":
                algorithm, work, size, ours, peer = parts[:5]
                pairs[algorithm, work, int(size), ours, peer].runs.append(result)
            elif kind == "first_use":
                first_use[parts[0]].append(result)
            elif kind == "plain":
                algorithm, work, size, name = parts[:4]
                plain[algorithm, work, int(size), name].append(result["cpu_time"])

    for portable, (context, pairs, first_use, plain) in sorted(modes.items()):
        print("# Portable code against libgcrypt without CPU features\n" if portable == "yes" else "# jithash, measured\n")
        for key in ("cpu", "jithash", "openssl", "openssl cpu", "libgcrypt", "libgcrypt cpu", "nettle"):
            if key in context:
                print(f"- {key}: {context[key]}")
        print()
        if pairs:
            print_paired(pairs, portable == "yes")
        print_first_use(first_use)
        print_plain(plain)


if __name__ == "__main__":
    main()
