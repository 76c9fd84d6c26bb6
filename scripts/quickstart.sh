#!/usr/bin/env bash
# From a fresh Debian 12 to checked digests: installs what a build needs, builds the jithash command, and compares
# its digests of real files with those of coreutils. Run again, it only does what is left to do.
set -euo pipefail
cd "$(dirname "$0")/.."

build=build/release
jithash=$build/jithash

step() { printf '\n== %s\n' "$*"; }

step "packages"
scripts/install_packages.sh g++ cmake ninja-build libasmjit-dev libcpuinfo-dev libcli11-dev

step "build"
# What is configured already, with tests perhaps, stays as it is.
[[ -f $build/build.ninja ]] ||
  cmake --no-warn-unused-cli --preset release -DJITHASH_TESTS=OFF -DJITHASH_EXAMPLES=OFF -DJITHASH_BENCH=OFF
cmake --build $build --target jithash_command

step "what runs on this machine"
$jithash info

mapfile -t files < <(find LICENSE cmake include scripts src -type f | sort)
files+=("$jithash" /bin/bash "$(command -v cmake)" /dev/null)

# check LABEL: the digests of all files are those of coreutils.
check() {
  local out=$build/quickstart algorithm
  mkdir -p $out
  for algorithm in sha1 sha256 sha512; do
    "${algorithm}sum" "${files[@]}" >"$out/expected"
    $jithash "$algorithm" "${files[@]}" >"$out/actual"
    diff "$out/expected" "$out/actual" || {
      echo "MISMATCH: $algorithm differs from ${algorithm}sum ($1)" >&2
      exit 1
    }
    echo "$algorithm: the digests of ${#files[@]} files match those of ${algorithm}sum ($1)"
  done
}

step "digests against coreutils"
check "as it comes"

step "the same with JITHASH_JIT=off"
export JITHASH_JIT=off
$jithash info
check "JITHASH_JIT=off"

printf '\nAll digests match. Try: %s sha256 FILE...\n' "$jithash"
