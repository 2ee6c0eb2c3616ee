function __agent-adopt_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __agent-adopt_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __agent-adopt_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __agent-adopt_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __agent-adopt_parse_tokens -S
    set -l unparsed_tokens (__agent-adopt_tokens -pc)
    switch $unparsed_tokens[1]
    case 'agent-adopt'
        __agent-adopt_parse_subcommand 0 'f/follow' 'swarm=' 'since=' 'keep' 'hub=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'adopt'
            __agent-adopt_parse_subcommand -r 1 'f/follow' 'swarm=' 'since=' 'keep' 'hub=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'status'
            __agent-adopt_parse_subcommand -r 1 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'help'
            __agent-adopt_parse_subcommand -r 1 'version'
        end
    end
end

function __agent-adopt_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __agent-adopt_parse_subcommand -S -a positional_count
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

function __agent-adopt_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __agent-adopt_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__agent-adopt_tokens -p)
    if test -z "$(__agent-adopt_tokens -t)"
        set -l index (count (__agent-adopt_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens 2>/dev/null
end

complete -c 'agent-adopt' -f
complete -c 'agent-adopt' -n '__agent-adopt_should_offer_completions_for_flags_or_options "agent-adopt" version' -l 'version' -d 'Show the version.'
complete -c 'agent-adopt' -n '__agent-adopt_should_offer_completions_for_flags_or_options "agent-adopt" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'agent-adopt' -n '__agent-adopt_should_offer_completions_for_positional "agent-adopt" -eq 1' -fa 'adopt' -d 'Report sessions as agents; implied without a command'
complete -c 'agent-adopt' -n '__agent-adopt_should_offer_completions_for_positional "agent-adopt" -eq 1' -fa 'status' -d 'Show the programs, their files and unknown entries'
complete -c 'agent-adopt' -n '__agent-adopt_should_offer_completions_for_positional "agent-adopt" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'agent-adopt' -n '__agent-adopt_should_offer_completions_for_positional "agent-adopt adopt" -ge 1' -fka 'claude codex opencode gemini'
complete -c 'agent-adopt' -n '__agent-adopt_should_offer_completions_for_flags_or_options "agent-adopt" f follow' -l 'follow' -s 'f' -d 'Continue to report, and steer the agents.'
complete -c 'agent-adopt' -n '__agent-adopt_should_offer_completions_for_flags_or_options "agent-adopt adopt" f follow' -l 'follow' -s 'f' -d 'Continue to report, and steer the agents.'
complete -c 'agent-adopt' -n '__agent-adopt_should_offer_completions_for_flags_or_options "agent-adopt" swarm' -l 'swarm' -d 'The agents\' swarm; by default the name of the working folder.' -rfka '(__agent-adopt_custom_completion ---completion adopt -- --swarm (count (__agent-adopt_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-adopt' -n '__agent-adopt_should_offer_completions_for_flags_or_options "agent-adopt adopt" swarm' -l 'swarm' -d 'The agents\' swarm; by default the name of the working folder.' -rfka '(__agent-adopt_custom_completion ---completion adopt -- --swarm (count (__agent-adopt_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-adopt' -n '__agent-adopt_should_offer_completions_for_flags_or_options "agent-adopt" since' -l 'since' -d 'Report what happened in this time.' -rfka ''
complete -c 'agent-adopt' -n '__agent-adopt_should_offer_completions_for_flags_or_options "agent-adopt adopt" since' -l 'since' -d 'Report what happened in this time.' -rfka ''
complete -c 'agent-adopt' -n '__agent-adopt_should_offer_completions_for_flags_or_options "agent-adopt" keep' -l 'keep' -d 'Store the text in sealed chats, as \'chat-log import\' does.'
complete -c 'agent-adopt' -n '__agent-adopt_should_offer_completions_for_flags_or_options "agent-adopt adopt" keep' -l 'keep' -d 'Store the text in sealed chats, as \'chat-log import\' does.'
complete -c 'agent-adopt' -n '__agent-adopt_should_offer_completions_for_flags_or_options "agent-adopt" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__agent-adopt_custom_completion ---completion adopt -- --hub (count (__agent-adopt_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-adopt' -n '__agent-adopt_should_offer_completions_for_flags_or_options "agent-adopt adopt" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__agent-adopt_custom_completion ---completion adopt -- --hub (count (__agent-adopt_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-adopt' -n '__agent-adopt_should_offer_completions_for_flags_or_options "agent-adopt" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'agent-adopt' -n '__agent-adopt_should_offer_completions_for_flags_or_options "agent-adopt adopt" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'agent-adopt' -n '__agent-adopt_should_offer_completions_for_flags_or_options "agent-adopt" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'agent-adopt' -n '__agent-adopt_should_offer_completions_for_flags_or_options "agent-adopt adopt" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'agent-adopt' -n '__agent-adopt_should_offer_completions_for_flags_or_options "agent-adopt" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'agent-adopt' -n '__agent-adopt_should_offer_completions_for_flags_or_options "agent-adopt adopt" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'agent-adopt' -n '__agent-adopt_should_offer_completions_for_flags_or_options "agent-adopt" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'agent-adopt' -n '__agent-adopt_should_offer_completions_for_flags_or_options "agent-adopt adopt" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'agent-adopt' -n '__agent-adopt_should_offer_completions_for_flags_or_options "agent-adopt adopt" version' -l 'version' -d 'Show the version.'
complete -c 'agent-adopt' -n '__agent-adopt_should_offer_completions_for_flags_or_options "agent-adopt adopt" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'agent-adopt' -n '__agent-adopt_should_offer_completions_for_positional "agent-adopt status" -ge 1' -fka 'claude codex opencode gemini'
complete -c 'agent-adopt' -n '__agent-adopt_should_offer_completions_for_flags_or_options "agent-adopt status" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'agent-adopt' -n '__agent-adopt_should_offer_completions_for_flags_or_options "agent-adopt status" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'agent-adopt' -n '__agent-adopt_should_offer_completions_for_flags_or_options "agent-adopt status" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'agent-adopt' -n '__agent-adopt_should_offer_completions_for_flags_or_options "agent-adopt status" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'agent-adopt' -n '__agent-adopt_should_offer_completions_for_flags_or_options "agent-adopt status" version' -l 'version' -d 'Show the version.'
complete -c 'agent-adopt' -n '__agent-adopt_should_offer_completions_for_flags_or_options "agent-adopt status" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'agent-adopt' -n '__agent-adopt_should_offer_completions_for_flags_or_options "agent-adopt help" version' -l 'version' -d 'Show the version.'
