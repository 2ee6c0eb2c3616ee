function __push-notify_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __push-notify_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __push-notify_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __push-notify_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __push-notify_parse_tokens -S
    set -l unparsed_tokens (__push-notify_tokens -pc)
    switch $unparsed_tokens[1]
    case 'push-notify'
        __push-notify_parse_subcommand 0 'to=+' 'allow-private' 'f/follow' 'hub=' 'kind=+' 'min-severity=' 'swarm=+' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'send'
            __push-notify_parse_subcommand 0 'to=+' 'allow-private' 'f/follow' 'hub=' 'kind=+' 'min-severity=' 'swarm=+' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'test'
            __push-notify_parse_subcommand 0 'to=+' 'allow-private' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'help'
            __push-notify_parse_subcommand -r 1 'version'
        end
    end
end

function __push-notify_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __push-notify_parse_subcommand -S -a positional_count
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

function __push-notify_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __push-notify_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__push-notify_tokens -p)
    if test -z "$(__push-notify_tokens -t)"
        set -l index (count (__push-notify_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens 2>/dev/null
end

complete -c 'push-notify' -f
complete -c 'push-notify' -n '__push-notify_should_offer_completions_for_flags_or_options "push-notify" version' -l 'version' -d 'Show the version.'
complete -c 'push-notify' -n '__push-notify_should_offer_completions_for_flags_or_options "push-notify" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'push-notify' -n '__push-notify_should_offer_completions_for_positional "push-notify" -eq 1' -fa 'send' -d 'Send the alerts on stdin, or new ones; implied without a command'
complete -c 'push-notify' -n '__push-notify_should_offer_completions_for_positional "push-notify" -eq 1' -fa 'test' -d 'Send a test message to targets'
complete -c 'push-notify' -n '__push-notify_should_offer_completions_for_positional "push-notify" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'push-notify' -n '__push-notify_should_offer_completions_for_flags_or_options "push-notify send"' -l 'to' -d 'Send to this target: a configured name, ntfy:URL, webhook:URL, mail:ADDRESS or desktop.' -rfka ''
complete -c 'push-notify' -n '__push-notify_should_offer_completions_for_flags_or_options "push-notify" allow-private' -l 'allow-private' -d 'Allow URLs that lead to private addresses.'
complete -c 'push-notify' -n '__push-notify_should_offer_completions_for_flags_or_options "push-notify send" allow-private' -l 'allow-private' -d 'Allow URLs that lead to private addresses.'
complete -c 'push-notify' -n '__push-notify_should_offer_completions_for_flags_or_options "push-notify" f follow' -l 'follow' -s 'f' -d 'Send new alerts of the event log or of a hub.'
complete -c 'push-notify' -n '__push-notify_should_offer_completions_for_flags_or_options "push-notify send" f follow' -l 'follow' -s 'f' -d 'Send new alerts of the event log or of a hub.'
complete -c 'push-notify' -n '__push-notify_should_offer_completions_for_flags_or_options "push-notify" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__push-notify_custom_completion ---completion send -- --hub (count (__push-notify_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'push-notify' -n '__push-notify_should_offer_completions_for_flags_or_options "push-notify send" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__push-notify_custom_completion ---completion send -- --hub (count (__push-notify_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'push-notify' -n '__push-notify_should_offer_completions_for_flags_or_options "push-notify send"' -l 'kind' -d 'Only alerts of this kind.' -rfka 'incident approvalGate contextCapacity redundancySpike skillFailure swarmDegraded stuckAgents swarmCost swarmAgents'
complete -c 'push-notify' -n '__push-notify_should_offer_completions_for_flags_or_options "push-notify" min-severity' -l 'min-severity' -d 'Only alerts of at least this level.' -rfka 'debug info warn error critical'
complete -c 'push-notify' -n '__push-notify_should_offer_completions_for_flags_or_options "push-notify send" min-severity' -l 'min-severity' -d 'Only alerts of at least this level.' -rfka 'debug info warn error critical'
complete -c 'push-notify' -n '__push-notify_should_offer_completions_for_flags_or_options "push-notify send"' -l 'swarm' -d 'Only alerts of this swarm.' -rfka '(__push-notify_custom_completion ---completion send -- --swarm (count (__push-notify_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'push-notify' -n '__push-notify_should_offer_completions_for_flags_or_options "push-notify" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'push-notify' -n '__push-notify_should_offer_completions_for_flags_or_options "push-notify send" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'push-notify' -n '__push-notify_should_offer_completions_for_flags_or_options "push-notify" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'push-notify' -n '__push-notify_should_offer_completions_for_flags_or_options "push-notify send" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'push-notify' -n '__push-notify_should_offer_completions_for_flags_or_options "push-notify" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'push-notify' -n '__push-notify_should_offer_completions_for_flags_or_options "push-notify send" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'push-notify' -n '__push-notify_should_offer_completions_for_flags_or_options "push-notify" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'push-notify' -n '__push-notify_should_offer_completions_for_flags_or_options "push-notify send" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'push-notify' -n '__push-notify_should_offer_completions_for_flags_or_options "push-notify send" version' -l 'version' -d 'Show the version.'
complete -c 'push-notify' -n '__push-notify_should_offer_completions_for_flags_or_options "push-notify send" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'push-notify' -n '__push-notify_should_offer_completions_for_flags_or_options "push-notify test"' -l 'to' -d 'Send to this target: a configured name, ntfy:URL, webhook:URL, mail:ADDRESS or desktop.' -rfka ''
complete -c 'push-notify' -n '__push-notify_should_offer_completions_for_flags_or_options "push-notify test" allow-private' -l 'allow-private' -d 'Allow URLs that lead to private addresses.'
complete -c 'push-notify' -n '__push-notify_should_offer_completions_for_flags_or_options "push-notify test" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'push-notify' -n '__push-notify_should_offer_completions_for_flags_or_options "push-notify test" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'push-notify' -n '__push-notify_should_offer_completions_for_flags_or_options "push-notify test" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'push-notify' -n '__push-notify_should_offer_completions_for_flags_or_options "push-notify test" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'push-notify' -n '__push-notify_should_offer_completions_for_flags_or_options "push-notify test" version' -l 'version' -d 'Show the version.'
complete -c 'push-notify' -n '__push-notify_should_offer_completions_for_flags_or_options "push-notify test" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'push-notify' -n '__push-notify_should_offer_completions_for_flags_or_options "push-notify help" version' -l 'version' -d 'Show the version.'
