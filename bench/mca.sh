#!/usr/bin/env bash
# usage: bench/mca.sh [KERNEL | FILE]...
#
# What llvm-mca makes of generated A64 code: for each kernel and core the instructions and cycles a block, and
# what bounds them. KERNEL is a kernel's name; the command dumps it ($JITHASH, by default build/release/jithash).
# FILE is such a dump, called like its kernel with a - for the /. Without arguments: every A64 kernel, and beside
# them what gcc -O3 makes, for each core, of the portable C++ and of plain intrinsics.
#
#   cycles   a block in a row of a hundred, loads always hitting the cache
#   issue    what the width of the core alone would allow
#   unit     what its busiest unit alone would allow
#   bound    the larger of these two where the cycles come within 4% of it, else the latency of a chain
#
# Needs llvm-19; for gcc's code also g++-aarch64-linux-gnu and qemu-user.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
jithash=${JITHASH:-$here/build/release/jithash}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

kernels=(sha1/a64-sha1 sha1/a64-neon sha1/a64 sha256/a64-sha2 sha256/a64-neon sha256/a64
  sha512/a64-sha512 sha512/a64-neon sha512/a64)
cores=(tsv110 cortex-a53 cortex-a55 cortex-a72 neoverse-n1 neoverse-n2 neoverse-v1)

# The cores whose models are to be trusted for the instructions of $1: few know the SHA512 extension.
cores_for() {
  case $1 in
    sha512*sha512 | sha512*intrinsics) echo neoverse-n2 neoverse-v1 ;;
    *) echo "${cores[@]}" ;;
  esac
}

# "address instruction" for each instruction of an object file.
disassemble() {
  llvm-objdump-19 -d --mattr=+all --no-show-raw-insn "$@" |
    sed -nE 's/ *<.*>//; s/^ *([0-9a-f]+):[[:space:]]+/\1 /p'
}

# The instructions of the block loop of dump $1: what lies before the last jump backwards, from its target on.
block_loop() {
  llvm-objcopy-19 -I binary -O elf64-littleaarch64 --rename-section .data=.text,code "$1" "$scratch/dump.o"
  disassemble "$scratch/dump.o" | awk '
    done { next }
    { at[$1] = ++n; sub(/^[^ ]+ /, ""); text[n] = $0 }
    /^b\./ { target = substr($2, 3); if (target in at) { first = at[target]; last = n } }
    /^ret/ { done = 1 }
    END { for (i = first; i <= last; ++i) print text[i] }'
}

# The instructions that qemu runs for one block of subject $1 (as in mca_subjects.cpp) of program $2, the second
# of four.
traced_block() {
  local function range per_tb=-singlestep
  function=$(sed -E 's/portable-/fallback::compress_/; s/intrinsics-/intrinsics::compress_/' <<<"$1")
  range=$(llvm-nm-19 -S --demangle "$2" | awk -v f="$function(" 'index($0, f) { print "0x" $1 "+0x" $2 }')
  if qemu-aarch64 -h | grep -q one-insn-per-tb; then per_tb=-one-insn-per-tb; fi
  for n in 3 4; do
    qemu-aarch64 -cpu max "$per_tb" -d exec,nochain -dfilter "$range" -D "$scratch/log" "$2" "$1" "$n"
    sed -nE 's|^Trace .*\[[^/]*/0*([^/]*)/.*|\1|p' "$scratch/log" >"$scratch/trace$n"
  done
  disassemble "$2" | awk -v block=$(($(wc -l <"$scratch/trace4") - $(wc -l <"$scratch/trace3"))) '
    NR == FNR { address = $1; sub(/^[^ ]+ /, ""); text[address] = $0; next }
    FNR > block && FNR <= 2 * block { print text[$1] }' - "$scratch/trace4"
}

# One row: $1 is what it is called, $2 the core, $3 the file with the instructions.
row() {
  sed -E '/^(b|b\.[a-z]+|cbn?z|tbn?z|adrp?)[[:space:]]/s/0x[0-9a-f]+$/0/' "$3" | # where to does not matter
    llvm-mca-19 -mtriple=aarch64 -mcpu="$2" -mattr=+sha2,+sha3 -iterations=100 -instruction-info=false |
    awk -v name="$1" -v core="$2" '
      /^Iterations:/ { iterations = $2 }
      /^Instructions:/ { instructions = $2 / iterations }
      /^Total Cycles:/ { cycles = $3 / iterations }
      /^Total uOps:/ { operations = $3 / iterations }
      /^Dispatch Width:/ { issue = operations / $3 }
      /^\[[0-9.]+\] +- / { unit_name[++units] = $3; sub(/.*Unit/, "", unit_name[units]) }
      pressure == 1 { for (i = 1; i <= NF; ++i) if ($i + 0 > unit) { unit = $i + 0; busiest = unit_name[i] } }
      pressure { --pressure }
      /^Resource pressure per iteration:/ { pressure = 2 }
      END {
        floor = issue > unit ? issue : unit
        bound = cycles > 1.04 * floor ? "latency" : issue > unit ? "issue" : "unit " busiest
        printf "%-18s %-12s %12d %8.1f %8.1f %8.1f %-8s %s\n", name, core, instructions, cycles, issue, unit,
               busiest, bound
      }'
}

printf '%-18s %-12s %12s %8s %8s %8s %-8s %s\n' code core instructions cycles issue unit '' bound
for kernel in "${@:-${kernels[@]}}"; do
  file=$kernel
  if [[ ! -f $file ]]; then
    file=$scratch/${kernel/\//-}.bin
    "$jithash" dump --arch a64 "$kernel" -o "$file"
  fi
  name=$(basename "$file" .bin)
  block_loop "$file" >"$scratch/block.s"
  for core in $(cores_for "$name"); do row "${name/-//}" "$core" "$scratch/block.s"; done
done
[[ $# == 0 ]] || exit 0

compile() {
  aarch64-linux-gnu-g++ -std=c++20 -O3 -mtune="$core" -I "$here/include" -I "$here/src" "$@"
}
for core in "${cores[@]}"; do
  objects=()
  for source in "$here"/src/fallback/*.cpp; do
    objects+=("$scratch/$(basename "$source").o")
    compile -march=armv8-a -c "$source" -o "${objects[-1]}"
  done
  compile -march=armv8.2-a+crypto+sha3 -static "$here/bench/mca_subjects.cpp" "${objects[@]}" \
    -o "$scratch/$core"
done
for algorithm in sha1 sha256 sha512; do
  for source in portable intrinsics; do
    for core in $(cores_for "$algorithm-$source"); do
      traced_block "$source-$algorithm" "$scratch/$core" >"$scratch/block.s"
      row "$algorithm $source" "$core" "$scratch/block.s"
    done
  done
done
