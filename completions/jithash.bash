# Completion of jithash for bash: source it, or install it as /usr/share/bash-completion/completions/jithash.

_jithash() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
  local sums='sha1 sha224 sha256 sha384 sha512 sha512-224 sha512-256'
  local checking='--ignore-missing --quiet --status --strict --warn'
  local choices=''
  COMPREPLY=()

  if ((COMP_CWORD == 1)); then
    choices="$sums check info tune dump --help --version"
  elif [[ $before == --algorithm ]]; then
    choices=$sums
  elif [[ $before == --arch ]]; then
    choices='x86 a64 a32'
  elif [[ $before == --cpu ]]; then
    choices='ssse3 sse4.1 bmi1 bmi2 avx avx2 shani avx512 sha512 armv6 armv7 neon sha1 sha2 in-order'
  else
    case $command in
      sha*) choices="--binary --text --tag --zero --check $checking --help" ;;
      check) choices="--algorithm $checking --help" ;;
      info) choices='--json --help' ;;
      tune) choices='--help' ;;
      dump) choices='--list --arch --cpu --compact --listing --output --help' ;;
    esac
    # What is not an option is a file name, which is bash's own business (complete -o default), or a kernel's name.
    if [[ $word != -* ]]; then
      choices=''
      if [[ $command == dump && $before != -o && $before != --output ]]; then
        choices=$(jithash dump --list 2>/dev/null)
      fi
    fi
  fi
  [[ -z $choices ]] || mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$word")
}

complete -o default -F _jithash jithash
