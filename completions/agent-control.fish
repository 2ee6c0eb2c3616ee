function __agent-control_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __agent-control_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __agent-control_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __agent-control_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __agent-control_parse_tokens -S
    set -l unparsed_tokens (__agent-control_tokens -pc)
    switch $unparsed_tokens[1]
    case 'agent-control'
        __agent-control_parse_subcommand 0 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'pause'
            __agent-control_parse_subcommand 2 'reason=' 'request-id=' 'wait=' 'hub=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'resume'
            __agent-control_parse_subcommand 2 'reason=' 'request-id=' 'wait=' 'hub=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'terminate'
            __agent-control_parse_subcommand 2 'reason=' 'request-id=' 'wait=' 'confirm=' 'hub=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'threshold'
            __agent-control_parse_subcommand 3 'then=' 'reason=' 'request-id=' 'hub=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'close'
            __agent-control_parse_subcommand -r 2 'reason=' 'request-id=' 'hub=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'reopen'
            __agent-control_parse_subcommand -r 2 'reason=' 'request-id=' 'hub=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'help'
            __agent-control_parse_subcommand -r 1 'version'
        end
    end
end

function __agent-control_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __agent-control_parse_subcommand -S -a positional_count
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

function __agent-control_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __agent-control_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__agent-control_tokens -p)
    if test -z "$(__agent-control_tokens -t)"
        set -l index (count (__agent-control_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens 2>/dev/null
end

complete -c 'agent-control' -f
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control" version' -l 'version' -d 'Show the version.'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_positional "agent-control" -eq 1' -fa 'pause' -d 'Pause agents'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_positional "agent-control" -eq 1' -fa 'resume' -d 'Resume paused agents'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_positional "agent-control" -eq 1' -fa 'terminate' -d 'Terminate agents'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_positional "agent-control" -eq 1' -fa 'threshold' -d 'Set a threshold for alerts'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_positional "agent-control" -eq 1' -fa 'close' -d 'Close incidents'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_positional "agent-control" -eq 1' -fa 'reopen' -d 'Reopen closed incidents'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_positional "agent-control" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_positional "agent-control pause" -eq 1' -fka 'agent swarm session'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_positional "agent-control pause" -eq 2' -fka '(__agent-control_custom_completion ---completion pause -- positional@1 (count (__agent-control_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control pause" reason' -l 'reason' -d 'The reason, for the audit log.' -rfka ''
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control pause" request-id' -l 'request-id' -d 'Idempotency key: a repeated request acts once.' -rfka ''
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control pause" wait' -l 'wait' -d 'Wait this long for the effect.' -rfka ''
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control pause" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__agent-control_custom_completion ---completion pause -- --hub (count (__agent-control_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control pause" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control pause" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control pause" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control pause" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control pause" version' -l 'version' -d 'Show the version.'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control pause" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_positional "agent-control resume" -eq 1' -fka 'agent swarm session'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_positional "agent-control resume" -eq 2' -fka '(__agent-control_custom_completion ---completion resume -- positional@1 (count (__agent-control_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control resume" reason' -l 'reason' -d 'The reason, for the audit log.' -rfka ''
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control resume" request-id' -l 'request-id' -d 'Idempotency key: a repeated request acts once.' -rfka ''
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control resume" wait' -l 'wait' -d 'Wait this long for the effect.' -rfka ''
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control resume" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__agent-control_custom_completion ---completion resume -- --hub (count (__agent-control_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control resume" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control resume" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control resume" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control resume" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control resume" version' -l 'version' -d 'Show the version.'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control resume" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_positional "agent-control terminate" -eq 1' -fka 'agent swarm session'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_positional "agent-control terminate" -eq 2' -fka '(__agent-control_custom_completion ---completion terminate -- positional@1 (count (__agent-control_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control terminate" reason' -l 'reason' -d 'The reason, for the audit log.' -rfka ''
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control terminate" request-id' -l 'request-id' -d 'Idempotency key: a repeated request acts once.' -rfka ''
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control terminate" wait' -l 'wait' -d 'Wait this long for the effect.' -rfka ''
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control terminate" confirm' -l 'confirm' -d 'Pass TERMINATE to confirm without a terminal.' -rfka ''
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control terminate" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__agent-control_custom_completion ---completion terminate -- --hub (count (__agent-control_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control terminate" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control terminate" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control terminate" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control terminate" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control terminate" version' -l 'version' -d 'Show the version.'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control terminate" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_positional "agent-control threshold" -eq 1' -fka 'incident approvalGate contextCapacity redundancySpike skillFailure swarmDegraded stuckAgents swarmCost swarmAgents incidentQuiet'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_positional "agent-control threshold" -eq 2' -fka '(__agent-control_custom_completion ---completion threshold -- positional@1 (count (__agent-control_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control threshold" then' -l 'then' -d 'Act when the value is reached: pause the swarm.' -rfka 'pause'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control threshold" reason' -l 'reason' -d 'The reason, for the audit log.' -rfka ''
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control threshold" request-id' -l 'request-id' -d 'Idempotency key: a repeated request acts once.' -rfka ''
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control threshold" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__agent-control_custom_completion ---completion threshold -- --hub (count (__agent-control_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control threshold" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control threshold" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control threshold" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control threshold" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control threshold" version' -l 'version' -d 'Show the version.'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control threshold" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_positional "agent-control close" -eq 1' -fka 'incident'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_positional "agent-control close" -ge 2' -fka '(__agent-control_custom_completion ---completion close -- positional@1 (count (__agent-control_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control close" reason' -l 'reason' -d 'The reason, for the audit log.' -rfka ''
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control close" request-id' -l 'request-id' -d 'Idempotency key: a repeated request acts once.' -rfka ''
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control close" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__agent-control_custom_completion ---completion close -- --hub (count (__agent-control_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control close" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control close" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control close" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control close" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control close" version' -l 'version' -d 'Show the version.'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control close" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_positional "agent-control reopen" -eq 1' -fka 'incident'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_positional "agent-control reopen" -ge 2' -fka '(__agent-control_custom_completion ---completion reopen -- positional@1 (count (__agent-control_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control reopen" reason' -l 'reason' -d 'The reason, for the audit log.' -rfka ''
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control reopen" request-id' -l 'request-id' -d 'Idempotency key: a repeated request acts once.' -rfka ''
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control reopen" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__agent-control_custom_completion ---completion reopen -- --hub (count (__agent-control_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control reopen" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control reopen" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control reopen" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control reopen" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control reopen" version' -l 'version' -d 'Show the version.'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control reopen" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'agent-control' -n '__agent-control_should_offer_completions_for_flags_or_options "agent-control help" version' -l 'version' -d 'Show the version.'
