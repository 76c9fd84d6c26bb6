#!/usr/bin/env bash
# usage: bench/count.sh [MACHINE]...
#
# The instructions that Arm code executes for a block, counted under qemu, and its size: of jithash's kernels, and
# beside them of what gcc -O3 makes of the portable C++ and of plain C, of plain intrinsics, and of OpenSSL's
# functions. MACHINE is one of a64, a32-v8 (32-bit code of ARMv8, for the cryptographic instructions), a32-v7,
# a32-v6 and a32-v5; without any, all of them.
#
#   instructions   from one block to the next, in a loop over blocks; a condition that fails counts, too
#   bytes          of a kernel: code and constants; of a function: without the tables it reads elsewhere
#
# Kernels come from the command ($JITHASH, by default build/release/jithash). Needs llvm-19, qemu-user, gcc, the
# cross compilers g++-{aarch64-linux-gnu,arm-linux-gnueabihf,arm-linux-gnueabi} and scripts/sysroot.sh arm64 armhf
# armel.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR
source "$(dirname "$0")/arm/subjects.sh"

# Of the names $2, those of algorithm $1 that the machine runs and the ones before it do not.
kernels_for() {
  case $machine in
    a64) grep "^$1/" <<<"$2" ;;
    a32-v8) grep -E -e "^$1/.*-sha[0-9]+\$" <<<"$2" ;;
    a32-v7) grep "^$1/" <<<"$2" | grep -vE -e '-sha[0-9]+$' ;;
    *) grep "^$1/a32\$" <<<"$2" ;;
  esac
}

functions_for() {
  case $machine/$1 in
    a64/sha256) echo portable rolled intrinsics openssl openssl-neon openssl-crypto ;;
    a64/*) echo portable rolled intrinsics openssl openssl-crypto ;;
    a32-v8/sha512) ;;
    a32-v8/*) echo openssl-crypto ;;
    a32-v7/*) echo portable rolled openssl openssl-neon ;;
    *) echo portable rolled openssl ;;
  esac
}

# The size of subject $1 (as main.cpp has them) for algorithm $2.
code_bytes() {
  local name size
  case $machine/$1 in
    */portable) name=fallback::compress_$2 ;;
    */rolled | */intrinsics) name=$1::compress_$2 ;;
    */openssl) name=$2_block_data_order ;;
    a64/openssl-neon) name=$2_block_neon ;;
    a64/openssl-crypto) name=$2_block_armv8 ;;
    */openssl-neon) name=$2_block_data_order_neon ;;
    */openssl-crypto) name=$2_block_data_order_armv8 ;;
    *) wc -c <"$1" && return ;;
  esac
  read -r _ size _ < <(llvm-nm-19 -S --demangle "$program" | grep -E "[ :]$name(\(|$)") ||
    die "the program has no function $name"
  echo $((16#$size))
}

# row NAME SUBJECT ALGORITHM
row() {
  local bytes
  bytes=$(code_bytes "$2" "$3")
  one_block "$2" "$3"
  printf '%-23s %-7s %12d %6d\n' "$1" "$machine" "$(wc -l <"$scratch/block")" "$bytes"
}

need_jithash
need llvm-nm-19 "package llvm-19"
printf '%-23s %-7s %12s %6s\n' code machine instructions bytes
for name in "${@:-${machines[@]}}"; do
  choose_machine "$name"
  build_program "$tune"
  names=$(kernels)
  for algorithm in sha1 sha256 sha512; do
    for kernel in $(kernels_for "$algorithm" "$names"); do
      dump "$scratch/unrolled" "$kernel"
      dump "$scratch/compact" "$kernel" --compact
      row "$kernel" "$scratch/unrolled" "$algorithm"
      cmp -s "$scratch/unrolled" "$scratch/compact" || row "$kernel compact" "$scratch/compact" "$algorithm"
      [[ $machine == a64 ]] || continue
      dump "$scratch/in-order" "$kernel" --cpu in-order
      cmp -s "$scratch/unrolled" "$scratch/in-order" || row "$kernel in-order" "$scratch/in-order" "$algorithm"
    done
    for subject in $(functions_for "$algorithm"); do row "$algorithm $subject" "$subject" "$algorithm"; done
  done
done
