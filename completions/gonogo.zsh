#compdef gonogo
# Completion of gonogo for zsh: source <(gonogo completions zsh) behind compinit, or put this file into $fpath as _gonogo.
# gonogo itself says what may come next.
_gonogo() {
  local -a lines found shown more
  local line first
  lines=("${(@f)$(${words[1]} __complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  first=${lines[1]}
  for line in "${(@)lines[2,-1]}"; do
    [[ -z $line ]] && continue
    found+=("${line%%$'\t'*}")
    shown+=("${${line/$'\t'/  }[1,COLUMNS-2]}")
  done
  [[ $first == *+ ]] && more=(-S '')
  (( ${#found} )) && compadd "${more[@]}" -l -d shown -a found
  case $first in
    files*) _files ;;
    folders*) _files -/ ;;
  esac
}
if [[ $funcstack[1] == _gonogo ]]; then
  _gonogo "$@"
else
  compdef _gonogo gonogo
fi
