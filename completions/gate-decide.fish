function __gate-decide_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __gate-decide_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __gate-decide_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __gate-decide_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __gate-decide_parse_tokens -S
    set -l unparsed_tokens (__gate-decide_tokens -pc)
    switch $unparsed_tokens[1]
    case 'gate-decide'
        __gate-decide_parse_subcommand 0 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'list'
            __gate-decide_parse_subcommand 0 'all' 'hub=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'show'
            __gate-decide_parse_subcommand 1 'hub=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'approve'
            __gate-decide_parse_subcommand -r 1 'request-id=' 'here' 'reason=' 'hub=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'reject'
            __gate-decide_parse_subcommand -r 1 'request-id=' 'here' 'reason=' 'hub=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'ask'
            __gate-decide_parse_subcommand 1 'why=' 'impact=' 'risk=' 'recommend=' 'timeout=' 'agent=' 'swarm=' 'hub=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'hook'
            __gate-decide_parse_subcommand 0 'agent=' 'timeout=' 'on-timeout=' 'fail=' 'setup=' 'write' 'hub=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'serve'
            __gate-decide_parse_subcommand 0 'timeout=' 'hub=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'help'
            __gate-decide_parse_subcommand -r 1 'version'
        end
    end
end

function __gate-decide_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __gate-decide_parse_subcommand -S -a positional_count
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

function __gate-decide_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __gate-decide_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__gate-decide_tokens -p)
    if test -z "$(__gate-decide_tokens -t)"
        set -l index (count (__gate-decide_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens 2>/dev/null
end

complete -c 'gate-decide' -f
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide" version' -l 'version' -d 'Show the version.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_positional "gate-decide" -eq 1' -fa 'list' -d 'List waiting gates'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_positional "gate-decide" -eq 1' -fa 'show' -d 'Show a gate and every attempt to decide it'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_positional "gate-decide" -eq 1' -fa 'approve' -d 'Approve gates'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_positional "gate-decide" -eq 1' -fa 'reject' -d 'Reject gates'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_positional "gate-decide" -eq 1' -fa 'ask' -d 'Open a gate and wait for its decision'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_positional "gate-decide" -eq 1' -fa 'hook' -d 'Answer the hook of an agent, by rules or at a gate'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_positional "gate-decide" -eq 1' -fa 'serve' -d 'Decide requests as an MCP permission tool'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_positional "gate-decide" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide list" all' -l 'all' -d 'Include decided gates.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide list" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__gate-decide_custom_completion ---completion list -- --hub (count (__gate-decide_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide list" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide list" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide list" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide list" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide list" version' -l 'version' -d 'Show the version.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide list" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_positional "gate-decide show" -eq 1' -fka '(__gate-decide_custom_completion ---completion show -- positional@0 (count (__gate-decide_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide show" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__gate-decide_custom_completion ---completion show -- --hub (count (__gate-decide_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide show" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide show" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide show" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide show" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide show" version' -l 'version' -d 'Show the version.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide show" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_positional "gate-decide approve" -ge 1' -fka '(__gate-decide_custom_completion ---completion approve -- positional@0 (count (__gate-decide_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide approve" request-id' -l 'request-id' -d 'Idempotency key: a repeated request decides once.' -rfka ''
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide approve" here' -l 'here' -d 'Take a gate back from its hub, and decide it here.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide approve" reason' -l 'reason' -d 'The reason, for the audit log.' -rfka ''
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide approve" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__gate-decide_custom_completion ---completion approve -- --hub (count (__gate-decide_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide approve" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide approve" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide approve" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide approve" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide approve" version' -l 'version' -d 'Show the version.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide approve" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_positional "gate-decide reject" -ge 1' -fka '(__gate-decide_custom_completion ---completion reject -- positional@0 (count (__gate-decide_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide reject" request-id' -l 'request-id' -d 'Idempotency key: a repeated request decides once.' -rfka ''
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide reject" here' -l 'here' -d 'Take a gate back from its hub, and decide it here.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide reject" reason' -l 'reason' -d 'The reason, at least 10 characters.' -rfka ''
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide reject" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__gate-decide_custom_completion ---completion reject -- --hub (count (__gate-decide_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide reject" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide reject" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide reject" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide reject" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide reject" version' -l 'version' -d 'Show the version.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide reject" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide ask" why' -l 'why' -d 'The reason for the question.' -rfka ''
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide ask" impact' -l 'impact' -d 'The effect of an approval.' -rfka ''
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide ask" risk' -l 'risk' -d 'The risk of an approval.' -rfka ''
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide ask" recommend' -l 'recommend' -d 'The decision that you recommend.' -rfka ''
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide ask" timeout' -l 'timeout' -d 'Reject the gate after this time.' -rfka ''
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide ask" agent' -l 'agent' -d 'The agent that waits.' -rfka '(__gate-decide_custom_completion ---completion ask -- --agent (count (__gate-decide_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide ask" swarm' -l 'swarm' -d 'The swarm that waits.' -rfka '(__gate-decide_custom_completion ---completion ask -- --swarm (count (__gate-decide_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide ask" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__gate-decide_custom_completion ---completion ask -- --hub (count (__gate-decide_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide ask" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide ask" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide ask" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide ask" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide ask" version' -l 'version' -d 'Show the version.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide ask" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide hook" agent' -l 'agent' -d 'The agent; by default it is recognised.' -rfka 'claude codex gemini'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide hook" timeout' -l 'timeout' -d 'Give up after this time, 570s by default, 55s for gemini.' -rfka ''
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide hook" on-timeout' -l 'on-timeout' -d 'The answer if nobody decides in time.' -rfka 'deny ask'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide hook" fail' -l 'fail' -d 'Deny if the hook fails, or leave the call to the agent.' -rfka 'closed open'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide hook" setup' -l 'setup' -d 'Print the settings of this agent that run the hook.' -rfka 'claude codex gemini'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide hook" write' -l 'write' -d 'With --setup, add the settings to the agent\'s file.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide hook" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__gate-decide_custom_completion ---completion hook -- --hub (count (__gate-decide_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide hook" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide hook" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide hook" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide hook" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide hook" version' -l 'version' -d 'Show the version.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide hook" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide serve" timeout' -l 'timeout' -d 'Deny a request after this time, 570s by default.' -rfka ''
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide serve" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__gate-decide_custom_completion ---completion serve -- --hub (count (__gate-decide_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide serve" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide serve" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide serve" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide serve" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide serve" version' -l 'version' -d 'Show the version.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide serve" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'gate-decide' -n '__gate-decide_should_offer_completions_for_flags_or_options "gate-decide help" version' -l 'version' -d 'Show the version.'
