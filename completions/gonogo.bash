# Completion of gonogo for bash: source <(gonogo completions bash), or put this file where bash-completion looks
# (/usr/share/bash-completion/completions/gonogo). gonogo itself says what may come next.
_gonogo() {
  local line=${COMP_LINE:0:COMP_POINT} first word rest keep
  local -a words lines
  COMPREPLY=()
  # COMP_WORDS is cut at = and :, which belong to gonogo's words.
  read -ra words <<<"$line"
  [[ -z $line || $line == *[[:space:]] ]] && words+=("")
  mapfile -t lines < <("${words[0]}" __complete "${words[@]:1}" 2>/dev/null)
  ((${#lines[@]})) || return
  first=${lines[0]} word=${words[-1]}
  keep=${word%"${word##*[=:]}"}
  for rest in "${lines[@]:1}"; do
    rest=${rest%%$'\t'*}
    # What stands before the last = or : is a word of its own to readline.
    [[ $COMP_WORDBREAKS == *[=:]* ]] && rest=${rest#"$keep"}
    COMPREPLY+=("$rest")
  done
  case $first in
    files*) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "${word#"$keep"}"); compopt -o filenames 2>/dev/null ;;
    folders*) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "${word#"$keep"}"); compopt -o filenames 2>/dev/null ;;
  esac
  [[ $first == *+ ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -F _gonogo gonogo
