# shellcheck shell=bash disable=SC2034 # those who source this read its variables
# What bench/mca.sh and bench/count.sh share, to be sourced: the code that they look at, which is jithash's kernels
# and the functions of main.cpp's program, and what of it runs for one block.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
jithash=${JITHASH:-$here/build/release/jithash}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

die() {
  echo "$(basename "$0"): $*" >&2
  exit 1
}

# need TOOL WHERE-FROM
need() { command -v "$1" >/dev/null || die "$1 is missing: $2"; }

need_jithash() { need "$jithash" "build the target jithash_command of the preset release, or set JITHASH"; }

# Chooses what programs are compiled for and run on.
#   triplet, flags, tune   of the compiler; the core to tune for where no other is named
#   emulator               what runs them
#   debian                 the folder of build/sysroot that has OpenSSL for them
machines=(a64 a32-v8 a32-v7 a32-v6 a32-v5)
choose_machine() {
  machine=$1
  case $machine in
    a64)
      triplet=aarch64-linux-gnu debian=arm64 flags=(-march=armv8-a) tune=generic
      emulator=(qemu-aarch64 -cpu max)
      ;;
    a32-v[78])
      triplet=arm-linux-gnueabihf debian=armhf flags=(-marm -march=armv7-a+fp) tune=cortex-a9
      emulator=(qemu-arm -cpu cortex-a9)
      [[ $machine == a32-v7 ]] || emulator=(qemu-arm -cpu max)
      ;;
    a32-v6)
      triplet=arm-linux-gnueabi debian=armel flags=(-marm -march=armv6) tune=arm1176jz-s
      emulator=(qemu-arm -cpu arm1176)
      ;;
    a32-v5)
      triplet=arm-linux-gnueabi debian=armel flags=(-marm -march=armv5te) tune=arm926ej-s
      emulator=(qemu-arm -cpu arm926)
      ;;
    *) die "no such machine: $machine; there are: ${machines[*]}" ;;
  esac
}

# The names of the kernels of the machine's architecture, best first.
kernels() {
  local names
  names=$("$jithash" dump --arch "${machine%%-*}" --list) || names=
  [[ $names ]] || die "$jithash lists no kernels"
  echo "$names"
}

# dump FILE KERNEL [OPTION]...: the code of a kernel, for the machine where there is a choice.
dump() {
  local cpu=()
  case $machine/$2 in
    a32-v7/*/a32) cpu=(--cpu armv7) ;;
    a32-v6/*/a32) cpu=(--cpu armv6) ;;
  esac
  "$jithash" dump --arch "${machine%%-*}" "${cpu[@]}" -o "$1" "${@:2}"
}

# Compiles the program for the machine, tuned for $1, and the plugin, unless that is done: $program, $plugin.
build_program() {
  local source objects=() more library
  program=$scratch/$machine-$1 plugin=$scratch/trace.so
  [[ ! -f $program ]] || return 0
  need gcc "package gcc"
  need "$triplet-g++" "package g++-$triplet"
  need "${emulator[0]}" "package qemu-user"
  library=$here/build/sysroot/$debian/usr/lib/$triplet/libcrypto.a
  [[ -f $library ]] || die "$library is missing: scripts/sysroot.sh $debian"

  gcc -O2 -shared -fPIC "$here/bench/arm/trace.c" -o "$plugin"
  for source in "$here"/src/fallback/*.cpp "$here"/bench/arm/*.cpp; do
    more=()
    if [[ $source == */intrinsics.cpp ]]; then
      [[ $machine == a64 ]] || continue
      more=(-march=armv8.2-a+crypto+sha3)
    fi
    objects+=("$scratch/$(basename "$source").o")
    "$triplet-g++" -std=c++20 -O3 "${flags[@]}" "-mtune=$1" "${more[@]}" \
      -I "$here/include" -I "$here/src" -I "$here/bench" -c "$source" -o "${objects[-1]}"
  done
  "$triplet-g++" -static "${objects[@]}" "$library" -o "$program"
}

# Writes to $scratch/block the instructions that one block of subject $1 (as main.cpp has them) takes for algorithm $2,
# as their bytes, a line each, from the head of the loop on: what three blocks and four have in common ends behind a
# block.
one_block() {
  local n
  for n in 3 4; do
    "${emulator[@]}" -plugin "$plugin" -d plugin -D "$scratch/trace$n" "$program" "$1" "$2" "$n"
  done
  awk -v size=$(($(wc -l <"$scratch/trace4") - $(wc -l <"$scratch/trace3"))) '
    NR == FNR { shorter[FNR] = $0; next }
    $0 != shorter[FNR] { for (i = FNR - size; i < FNR; ++i) print shorter[i]; exit }
  ' "$scratch/trace3" "$scratch/trace4" >"$scratch/block"
  [[ -s $scratch/block ]] || die "$1 ran nothing for $2"
}
