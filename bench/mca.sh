#!/usr/bin/env bash
# usage: bench/mca.sh [KERNEL | FILE]...
#
# What llvm-mca makes of generated Arm code: for each kernel and core the instructions and cycles a block, and
# what bounds them. KERNEL is a kernel's name; the command dumps it ($JITHASH, by default build/release/jithash).
# FILE is such a dump, called like its kernel with a - for the /. Without arguments: every kernel that a model knows
# the instructions of, in the forms that it has, and beside them what gcc -O3 makes, for each core, of the portable
# C++ and of plain intrinsics or, for 32-bit Arm, of plain C, and OpenSSL's functions.
#
#   cycles   a block in a row of a hundred, loads always hitting the cache
#   issue    what the width of the core alone would allow
#   unit     what its busiest unit alone would allow
#   bound    the larger of these two where the cycles come within 4% of it, else the latency of a chain
#
# Needs llvm-19, qemu-user, gcc, the cross compilers g++-{aarch64-linux-gnu,arm-linux-gnueabihf} and
# scripts/sysroot.sh arm64 armhf.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
source "$(dirname "$0")/arm/subjects.sh"

# The cores whose models are to be trusted for the instructions of $1: few know the SHA512 extension, none that of
# 32-bit code.
cores_for() {
  case $machine/$1 in
    a64/*in-order) echo cortex-a53 cortex-a55 ;;
    a64/*sha512 | a64/sha512*intrinsics | a64/sha512*crypto) echo neoverse-n2 neoverse-v1 ;;
    a64/*) echo tsv110 cortex-a53 cortex-a55 cortex-a72 neoverse-n1 neoverse-n2 neoverse-v1 ;;
    a32-v7/*/a32-sha[12]) ;;
    a32-v7/*) echo cortex-a9 swift ;;
  esac
}

# The bytes of a block of what row $1 is about, from standard input, as assembly for the machine. Debian's OpenSSL
# for armhf is Thumb code, for which the same A32 instructions stand in: no model has it at a price of its own, nor
# one for "it" on a Cortex-A9.
assembly() {
  case $machine/$1 in
    a64/*) llvm-mc-19 -disassemble -triple=aarch64 -mattr=+all ;;
    a32-v7/*openssl*)
      # Its first half tells how long an instruction is; the trace may have what follows it, too.
      awk '{ print $1, $2, ($2 >= "0xe8" ? $3 " " $4 : "") }' |
        llvm-mc-19 -disassemble -triple=thumbv7 -mattr=+neon |
        sed -E '/^\tit[te]*\t/d; s/^(\t[a-z]+)\.w\t/\1\t/; s/^(\tb[a-z]*\t)#.*/\1#0/'
      ;;
    *) llvm-mc-19 -disassemble -triple=armv7 -mattr=+neon ;;
  esac
}

# Assembly without what llvm-19 cannot price on a Cortex-A9: accesses of many registers become those of one or two
# that the core makes of them.
for_cortex_a9() {
  awk '
    function number(r) { return r == "sp" ? 13 : r == "lr" ? 14 : r == "pc" ? 15 : substr(r, 2) + 0 }
    $1 !~ /^(v?ldm|v?stm|push|pop)/ { print; next }
    {
      access = $1 ~ /ldm|pop/ ? "ldr" : "str"
      vector = $1 ~ /^v/ ? "v" : ""
      base = $1 ~ /^p/ ? "sp" : $2
      moves = base ~ /!/
      sub(/!?,$/, "", base)
      gsub(/.*\{|\}.*/, "")
      n = split($0, registers, /, /)
      for (i = 1; i <= n; i += 1 + dual) {
        r = number(registers[i])
        dual = !vector && i < n && r % 2 == 0 && r < 12 && number(registers[i + 1]) == r + 1
        print vector access (dual ? "d " registers[i] ", " registers[i + 1] : " " registers[i]) ", [" base "]"
      }
      if (moves) print "add " base ", " base ", #" 4 * n
    }'
}

# One row: $1 is what it is called, $2 the core, $3 the file with the bytes of a block. llvm-mca-19 dies of the
# units' shares on a Cortex-A9, so there the busiest one has no name.
row() {
  local options=(-mtriple=aarch64 "-mattr=+sha2,+sha3") prepare=cat
  [[ $machine == a64 ]] || options=(-mtriple=armv7 -mattr=+neon)
  [[ $2 != cortex-a9 ]] || options+=(-resource-pressure=false) prepare=for_cortex_a9
  assembly "$1" <"$3" | $prepare |
    llvm-mca-19 "${options[@]}" -mcpu="$2" -iterations=100 -instruction-info=false |
    awk -v name="$1" -v core="$2" -v instructions="$(wc -l <"$3")" '
      /^Iterations:/ { iterations = $2 }
      /^Total Cycles:/ { cycles = $3 / iterations }
      /^Total uOps:/ { operations = $3 / iterations }
      /^Dispatch Width:/ { issue = operations / $3 }
      /^Block RThroughput:/ { throughput = $3 }
      /^\[[0-9.]+\] +- / { unit_name[++units] = $3; sub(/.*Unit/, "", unit_name[units]) }
      pressure == 1 { for (i = 1; i <= NF; ++i) if ($i + 0 > unit) { unit = $i + 0; busiest = unit_name[i] } }
      pressure { --pressure }
      /^Resource pressure per iteration:/ { pressure = 2 }
      END {
        if (!cycles) { print "llvm-mca made nothing of " name " on " core > "/dev/stderr"; exit 1 }
        if (!units) unit = throughput
        floor = issue > unit ? issue : unit
        bound = cycles > 1.04 * floor ? "latency" : issue >= unit ? "issue" : "unit" (units ? " " busiest : "")
        printf "%-23s %-12s %12d %8.1f %8.1f %8.1f %-8s %s\n", name, core, instructions, cycles, issue, unit,
               busiest, bound
      }'
}

# The rows of kernel $1, whose code is in file $2.
kernel_rows() {
  build_program "$tune"
  one_block "$2" "${1%%/*}"
  for core in $(cores_for "$1"); do row "$1" "$core" "$scratch/block"; done
}

# The rows of subject $1 of main.cpp for algorithm $2.
function_rows() {
  for core in $(cores_for "$2-$1"); do
    case $core in
      swift) build_program generic-armv7-a ;; # gcc does not know it
      *) build_program "$core" ;;
    esac
    one_block "$1" "$2"
    row "$2 $1" "$core" "$scratch/block"
  done
}

for tool in llvm-mca-19 llvm-mc-19; do need "$tool" "package llvm-19"; done
printf '%-23s %-12s %12s %8s %8s %8s %-8s %s\n' code core instructions cycles issue unit '' bound

for argument in "$@"; do
  kernel=$argument file=$scratch/kernel
  if [[ -f $argument ]]; then
    kernel=$(basename "$argument" .bin) file=$(realpath "$argument")
    kernel=${kernel/-//}
  fi
  case $kernel in
    */a64*) choose_machine a64 ;;
    */a32*) choose_machine a32-v7 ;;
    *) die "not an Arm kernel, nor a file called like one: $argument" ;;
  esac
  [[ $(cores_for "$kernel") ]] || die "no model knows the instructions of $kernel"
  if [[ ! -f $argument ]]; then
    need_jithash
    dump "$file" "$kernel"
  fi
  kernel_rows "$kernel" "$file"
done
[[ $# == 0 ]] || exit 0

need_jithash
for name in a64 a32-v7; do
  choose_machine "$name"
  names=$(kernels)
  for kernel in $names; do
    [[ $(cores_for "$kernel") ]] || continue
    dump "$scratch/kernel" "$kernel"
    kernel_rows "$kernel" "$scratch/kernel"
    [[ $name == a64 ]] || continue
    dump "$scratch/in-order" "$kernel" --cpu in-order
    cmp -s "$scratch/kernel" "$scratch/in-order" || kernel_rows "$kernel in-order" "$scratch/in-order"
  done
  subjects=(portable intrinsics openssl openssl-crypto)
  [[ $name == a64 ]] || subjects=(portable rolled openssl openssl-neon)
  for algorithm in sha1 sha256 sha512; do
    for subject in "${subjects[@]}"; do function_rows "$subject" "$algorithm"; done
  done
done
