# fish completion for amlfix; install it with:
# amlfix completion fish > ~/.config/fish/completions/amlfix.fish
function __amlfix_complete
    set -l words (commandline -opc)
    set -l word (string unescape -- (commandline -ct))
    set -l found ($words[1] __complete-quoting $words[2..-1] "$word" 2>/dev/null)
    if test (count $found) -gt 0
        string join \n -- $found
    else
        __fish_complete_path "$word"
    end
end
complete -c amlfix -f -a '(__amlfix_complete)'
