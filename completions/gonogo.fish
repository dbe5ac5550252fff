# Completion of gonogo for fish: gonogo completions fish | source, or put this file into ~/.config/fish/completions.
# gonogo itself says what may come next.
function __gonogo_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l lines ($words[1] __complete $words[2..] "$current" 2>/dev/null)
    test (count $lines) -gt 0; or return
    test (count $lines) -gt 1; and printf '%s\n' $lines[2..]
    switch $lines[1]
        case 'files*'
            __fish_complete_path $current
        case 'folders*'
            __fish_complete_directories $current
    end
end
complete -c gonogo -f -a '(__gonogo_complete)'
