function __agentpipes_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __agentpipes_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __agentpipes_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __agentpipes_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __agentpipes_parse_tokens -S
    set -l unparsed_tokens (__agentpipes_tokens -pc)
    switch $unparsed_tokens[1]
    case 'agentpipes'
        __agentpipes_parse_subcommand 0 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'state'
            __agentpipes_parse_subcommand 0 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'doctor'
            __agentpipes_parse_subcommand 0 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'help'
            __agentpipes_parse_subcommand -r 1 'version'
        end
    end
end

function __agentpipes_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __agentpipes_parse_subcommand -S -a positional_count
    argparse -s r -- $argv
    set -l option_specs $argv[2..]
    set -l is_repeating_positional $_flag_r
    set -el _flag_r
    set -a commands $unparsed_tokens[1]
    set positional_index 0
    while true
        set -e unparsed_tokens[1]
        argparse -sn "$commands" $option_specs -- $unparsed_tokens 2> /dev/null
        set unparsed_tokens $argv
        set positional_index (math $positional_index + 1)
        for non_repeating_flag_or_option in $non_repeating_flags_or_options
            if set -ql "_flag_$(string replace -a - _ -- $non_repeating_flag_or_option)"
                set non_repeating_flags_or_options_absent 1
                break
            end
        end
        test (count $unparsed_tokens) -eq 0 -o \( -z "$is_repeating_positional" -a "$positional_index" -gt "$positional_count" \) && break
    end
end

function __agentpipes_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __agentpipes_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__agentpipes_tokens -p)
    if test -z "$(__agentpipes_tokens -t)"
        set -l index (count (__agentpipes_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens 2>/dev/null
end

complete -c 'agentpipes' -f
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_flags_or_options "agentpipes" version' -l 'version' -d 'Show the version.'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_flags_or_options "agentpipes" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_positional "agentpipes" -eq 1' -fa 'state' -d 'Show the tools, what is set up here, and the next step'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_positional "agentpipes" -eq 1' -fa 'doctor' -d 'Check what usually goes wrong, and report how to fix it'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_positional "agentpipes" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_flags_or_options "agentpipes" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_flags_or_options "agentpipes state" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_flags_or_options "agentpipes" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_flags_or_options "agentpipes state" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_flags_or_options "agentpipes" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_flags_or_options "agentpipes state" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_flags_or_options "agentpipes" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_flags_or_options "agentpipes state" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_flags_or_options "agentpipes state" version' -l 'version' -d 'Show the version.'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_flags_or_options "agentpipes state" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_flags_or_options "agentpipes doctor" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_flags_or_options "agentpipes doctor" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_flags_or_options "agentpipes doctor" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_flags_or_options "agentpipes doctor" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_flags_or_options "agentpipes doctor" version' -l 'version' -d 'Show the version.'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_flags_or_options "agentpipes doctor" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_flags_or_options "agentpipes help" version' -l 'version' -d 'Show the version.'
