#compdef amlfix
# zsh completion for amlfix; load it with: source <(amlfix completion zsh)
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
_amlfix() {
    local line word about
    local -a found
    while IFS= read -r line; do
        word=${${${line%%$'\t'*}//\\/\\\\}//:/\\:}
        about=${line#*$'\t'}
        found+=("$word${about:+:$about}")
    done < <("${words[1]}" __complete-quoting "${(@Q)words[2,CURRENT]}" 2>/dev/null)
    if (( $#found )); then
        _describe amlfix found
    else
        _files
    fi
}
compdef _amlfix amlfix
