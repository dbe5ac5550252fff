# Completion of gonogo's own words for bash: source this file, or put it where bash-completion looks
# (/usr/share/bash-completion/completions/gonogo). What stands behind -- is the launch's and is left alone.
_gonogo() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} i word command= more=
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; ++i)); do
    word=${COMP_WORDS[i]}
    [[ $word == -- ]] && { mapfile -t COMPREPLY < <(compgen -f -- "$current"); return; }
    [[ -z $command && $word != -* ]] && { command=$word; continue; }
    [[ $command == rules && -z $more && $word != -* ]] && more=$word
  done
  case $previous in
    --format) mapfile -t COMPREPLY < <(compgen -W "text json" -- "$current"); return ;;
    --color) mapfile -t COMPREPLY < <(compgen -W "auto always never" -- "$current"); return ;;
    --fail-on) mapfile -t COMPREPLY < <(compgen -W "refusal warning" -- "$current"); return ;;
    --rules | --models) mapfile -t COMPREPLY < <(compgen -d -- "$current"); return ;;
    --model-config) mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
  esac
  # The help says which commands and options there are: nothing is listed twice.
  local help=(gonogo)
  [[ -n $command ]] && help+=("$command")
  [[ -n $more ]] && help+=("$more")
  local words
  if [[ $current == -* ]]; then
    words=$("${help[@]}" --help 2>/dev/null | grep -oE '^ +(-[a-z],)?--[a-z-]+' | grep -oE -- '--[a-z-]+')
  elif [[ -z $command || ($command == rules && -z $more) ]]; then
    words=$("${help[@]}" --help 2>/dev/null | sed -n '/^Subcommands:/,$p' | sed -nE 's/^  ([a-z]+)  +.*/\1/p')
  elif [[ $command == check || $command == launches ]]; then
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
    return
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -F _gonogo gonogo
