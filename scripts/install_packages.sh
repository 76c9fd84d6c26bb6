#!/usr/bin/env bash
# Installs the Debian packages named that are not installed yet; with nothing to do it does not even call apt.
set -euo pipefail

missing=()
for package in "$@"; do
  status=$(dpkg-query --show --showformat '${db:Status-Status}' "$package" 2>/dev/null || true)
  [[ $status == installed ]] || missing+=("$package")
done
[[ ${#missing[@]} -gt 0 ]] || exit 0

echo "installing: ${missing[*]}"
as_root=()
[[ $EUID -eq 0 ]] || as_root=(sudo)
export DEBIAN_FRONTEND=noninteractive
# A source of packages that is out of reach need not matter: what is missing shows in the next step.
"${as_root[@]}" apt-get update -qq || true
"${as_root[@]}" apt-get install -qq --yes --no-install-recommends "${missing[@]}" >/dev/null
