#!/usr/bin/env bash
# usage: scripts/test.sh [LEG...]
#
# A leg is a preset of CMakePresets.json. Installs what the legs need (by default all that are listed here), builds
# them, and runs the tests of all of them in one ctest: its label summary is the table of legs, its last lines
# close the whole. A leg that does not build fails the run, after the others had their turn.
set -euo pipefail
cd "$(dirname "$0")/.."

legs=("$@")
[[ ${#legs[@]} -gt 0 ]] ||
  legs=(release clang portable asan-ubsan tsan ubsan-clang19 aarch64 aarch64-portable armhf armhf-portable armel
    s390x)

packages=(cmake ninja-build g++ libasmjit-dev libcpuinfo-dev libcli11-dev doctest-dev libssl-dev
  libbenchmark-dev libgcrypt20-dev nettle-dev pkg-config python3)
architectures=()
for leg in "${legs[@]}"; do
  case $leg in
    release | asan-ubsan) packages+=(binutils-arm-linux-gnueabihf) ;;
    clang) packages+=(clang-14 libclang-rt-14-dev clang-tidy-14) ;;
    clang-*) packages+=(clang-14 libclang-rt-14-dev) ;;
    *-clang19) packages+=(clang-19 libclang-rt-19-dev) ;;
    aarch64*) packages+=(g++-aarch64-linux-gnu qemu-user) architectures+=(arm64) ;;
    armhf*) packages+=(g++-arm-linux-gnueabihf qemu-user) architectures+=(armhf) ;;
    armel) packages+=(g++-arm-linux-gnueabi qemu-user) architectures+=(armel) ;;
    s390x) packages+=(g++-s390x-linux-gnu qemu-user) architectures+=(s390x) ;;
  esac
done
scripts/install_packages.sh "${packages[@]}"
scripts/sysroot.sh "${architectures[@]}"

mkdir -p build/logs
built=() failed=()
for leg in "${legs[@]}"; do
  begin=$SECONDS
  log=build/logs/$leg.log
  if { cmake --preset "$leg" && cmake --build --preset "$leg" -- -k 0; } >"$log" 2>&1; then
    built+=("$leg")
    echo "$leg: built in $((SECONDS - begin)) s"
  else
    failed+=("$leg")
    cat "$log"
    echo "$leg: NOT built"
  fi
done
[[ ${#built[@]} -gt 0 ]] || exit 1

printf 'subdirs("%s")\n' "${built[@]}" >build/CTestTestfile.cmake
status=0
[[ ${#failed[@]} -eq 0 ]] || status=1
ctest --test-dir build --output-on-failure --no-tests=error --parallel "$(nproc)" || status=1
[[ ${#failed[@]} -eq 0 ]] || echo "NOT built: ${failed[*]}" >&2
exit $status
