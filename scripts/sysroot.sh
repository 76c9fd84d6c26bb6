#!/usr/bin/env bash
# usage: scripts/sysroot.sh ARCHITECTURE...      (Debian's names: arm64 armhf armel s390x)
#
# Unpacks what the cross builds link or include into build/sysroot/ARCHITECTURE. The packages come from the
# machine's own apt sources, through package lists of this folder's: the system's dpkg never hears of a foreign
# architecture, and no root is needed.
set -euo pipefail
cd "$(dirname "$0")/.."

for architecture in "$@"; do
  packages=(doctest-dev libcli11-dev libssl-dev libssl3)
  # What generated code needs, where there are generators.
  case $architecture in
    arm64) packages+=(libasmjit-dev libcpuinfo-dev libcpuinfo0) ;;
    armhf | armel) packages+=(libcpuinfo-dev libcpuinfo0) ;;
  esac
  sysroot=$PWD/build/sysroot/$architecture
  [[ "$(cat "$sysroot/packages" 2>/dev/null)" == "${packages[*]}" ]] && continue

  echo "unpacking for $architecture: ${packages[*]}"
  rm -rf "$sysroot"
  mkdir -p "$sysroot"/apt/{lists,cache,archives}/partial
  touch "$sysroot/apt/status"
  apt=(apt-get -qq -o "APT::Architecture=$architecture" -o "APT::Architectures=$architecture"
    -o "Dir::State=$sysroot/apt" -o "Dir::State::status=$sysroot/apt/status" -o "Dir::Cache=$sysroot/apt/cache"
    -o APT::Sandbox::User="$(id -un)")
  "${apt[@]}" update || true # as in install_packages.sh
  (cd "$sysroot/apt/archives" && "${apt[@]}" download "${packages[@]}")
  for package in "$sysroot"/apt/archives/*.deb; do
    dpkg -x "$package" "$sysroot"
  done
  rm -r "$sysroot/apt"
  echo "${packages[*]}" >"$sysroot/packages"
done
