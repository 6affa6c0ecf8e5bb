# Completion of dpadapt for bash: commands and flags are those that its help lists.
_dpadapt() {
    local dpadapt=${COMP_WORDS[0]} command= help names name
    [ "$COMP_CWORD" -eq 1 ] || command=${COMP_WORDS[1]}
    # The unquoted word is absent where no command was given.
    help=$("$dpadapt" $command --help 2>/dev/null)
    names=$(sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/\1/p' <<<"$help")
    if [ -n "$command" ]; then
        for name in $names; do help+=$'\n'$("$dpadapt" "$command" "$name" --help 2>/dev/null); done
    fi
    names+=" $(grep -oE '^ +(-[a-z], *)?--[a-z-]+' <<<"$help" | grep -oE -- '--[a-z-]+')"
    mapfile -t COMPREPLY < <(compgen -W "$names" -- "${COMP_WORDS[COMP_CWORD]}")
}
complete -o default -F _dpadapt dpadapt
