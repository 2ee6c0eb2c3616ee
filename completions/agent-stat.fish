function __agent-stat_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __agent-stat_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __agent-stat_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __agent-stat_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __agent-stat_parse_tokens -S
    set -l unparsed_tokens (__agent-stat_tokens -pc)
    switch $unparsed_tokens[1]
    case 'agent-stat'
        __agent-stat_parse_subcommand 0 'watch' 'hub=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'overview'
            __agent-stat_parse_subcommand 0 'watch' 'hub=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'swarms'
            __agent-stat_parse_subcommand 0 'status=' 'watch' 'hub=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'swarm'
            __agent-stat_parse_subcommand 1 'watch' 'hub=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'agents'
            __agent-stat_parse_subcommand 0 'swarm=' 'status=' 'limit=' 'watch' 'hub=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'agent'
            __agent-stat_parse_subcommand 1 'events=' 'hub=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'wait'
            __agent-stat_parse_subcommand 0 'agent=' 'status=' 'for=+' 'timeout=' 'hub=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'incidents'
            __agent-stat_parse_subcommand 0 'all' 'swarm=' 'watch' 'hub=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'incident'
            __agent-stat_parse_subcommand 1 'hub=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'response'
            __agent-stat_parse_subcommand 0 'since=' 'hub=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'context'
            __agent-stat_parse_subcommand 1 'swarm=' 'watch' 'hub=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'skills'
            __agent-stat_parse_subcommand 0 'watch' 'hub=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'skill'
            __agent-stat_parse_subcommand 1 'hub=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'usage'
            __agent-stat_parse_subcommand 0 'by=' 'since=' 'watch' 'hub=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'terminals'
            __agent-stat_parse_subcommand 0 'watch' 'hub=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'thresholds'
            __agent-stat_parse_subcommand 0 'hub=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'audit'
            __agent-stat_parse_subcommand 0 'last=' 'hub=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'help'
            __agent-stat_parse_subcommand -r 1 'version'
        end
    end
end

function __agent-stat_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __agent-stat_parse_subcommand -S -a positional_count
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

function __agent-stat_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __agent-stat_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__agent-stat_tokens -p)
    if test -z "$(__agent-stat_tokens -t)"
        set -l index (count (__agent-stat_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens 2>/dev/null
end

complete -c 'agent-stat' -f
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat" version' -l 'version' -d 'Show the version.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_positional "agent-stat" -eq 1' -fa 'overview' -d 'Summarize the current state'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_positional "agent-stat" -eq 1' -fa 'swarms' -d 'List swarms'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_positional "agent-stat" -eq 1' -fa 'swarm' -d 'Show a swarm, its agents and open incidents'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_positional "agent-stat" -eq 1' -fa 'agents' -d 'List agents, newest first'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_positional "agent-stat" -eq 1' -fa 'agent' -d 'Show an agent, its context, failing skills and latest events'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_positional "agent-stat" -eq 1' -fa 'wait' -d 'Wait until an agent waits, ends or fails'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_positional "agent-stat" -eq 1' -fa 'incidents' -d 'List open incidents'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_positional "agent-stat" -eq 1' -fa 'incident' -d 'Show an incident and its latest events'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_positional "agent-stat" -eq 1' -fa 'response' -d 'Show how fast people responded to alerts'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_positional "agent-stat" -eq 1' -fa 'context' -d 'List the context usage of conversations'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_positional "agent-stat" -eq 1' -fa 'skills' -d 'List the failure rates of skills and tools'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_positional "agent-stat" -eq 1' -fa 'skill' -d 'Show the failure rates of a skill'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_positional "agent-stat" -eq 1' -fa 'usage' -d 'Add up the tokens and costs of model calls'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_positional "agent-stat" -eq 1' -fa 'terminals' -d 'List the tmux sessions of this machine and their agents'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_positional "agent-stat" -eq 1' -fa 'thresholds' -d 'List the thresholds for alerts'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_positional "agent-stat" -eq 1' -fa 'audit' -d 'Show the audit log of decisions and controls'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_positional "agent-stat" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat" watch' -l 'watch' -d 'Keep running and show changes.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat overview" watch' -l 'watch' -d 'Keep running and show changes.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__agent-stat_custom_completion ---completion overview -- --hub (count (__agent-stat_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat overview" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__agent-stat_custom_completion ---completion overview -- --hub (count (__agent-stat_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat overview" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat overview" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat overview" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat overview" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat overview" version' -l 'version' -d 'Show the version.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat overview" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat swarms" status' -l 'status' -d 'Show only this status.' -rfka 'running paused error waiting finished terminated lost'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat swarms" watch' -l 'watch' -d 'Keep running and show changes.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat swarms" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__agent-stat_custom_completion ---completion swarms -- --hub (count (__agent-stat_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat swarms" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat swarms" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat swarms" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat swarms" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat swarms" version' -l 'version' -d 'Show the version.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat swarms" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_positional "agent-stat swarm" -eq 1' -fka '(__agent-stat_custom_completion ---completion swarm -- positional@0 (count (__agent-stat_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat swarm" watch' -l 'watch' -d 'Keep running and show changes.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat swarm" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__agent-stat_custom_completion ---completion swarm -- --hub (count (__agent-stat_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat swarm" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat swarm" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat swarm" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat swarm" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat swarm" version' -l 'version' -d 'Show the version.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat swarm" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat agents" swarm' -l 'swarm' -d 'Show only this swarm.' -rfka '(__agent-stat_custom_completion ---completion agents -- --swarm (count (__agent-stat_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat agents" status' -l 'status' -d 'Show only this status.' -rfka 'running paused error waiting finished terminated lost'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat agents" limit' -l 'limit' -d 'Show at most this many.' -rfka ''
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat agents" watch' -l 'watch' -d 'Keep running and show changes.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat agents" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__agent-stat_custom_completion ---completion agents -- --hub (count (__agent-stat_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat agents" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat agents" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat agents" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat agents" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat agents" version' -l 'version' -d 'Show the version.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat agents" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_positional "agent-stat agent" -eq 1' -fka '(__agent-stat_custom_completion ---completion agent -- positional@0 (count (__agent-stat_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat agent" events' -l 'events' -d 'Show this many of its latest events.' -rfka ''
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat agent" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__agent-stat_custom_completion ---completion agent -- --hub (count (__agent-stat_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat agent" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat agent" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat agent" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat agent" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat agent" version' -l 'version' -d 'Show the version.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat agent" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat wait" agent' -l 'agent' -d 'Wait for this agent only.' -rfka '(__agent-stat_custom_completion ---completion wait -- --agent (count (__agent-stat_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat wait" status' -l 'status' -d 'Wait for this state; ended by default.' -rfka 'waiting ended error'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat wait"' -l 'for' -d 'Wait for an agent that waits for this; may be repeated.' -rfka 'permission question prompt limit'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat wait" timeout' -l 'timeout' -d 'Wait at most this long.' -rfka ''
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat wait" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__agent-stat_custom_completion ---completion wait -- --hub (count (__agent-stat_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat wait" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat wait" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat wait" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat wait" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat wait" version' -l 'version' -d 'Show the version.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat wait" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat incidents" all' -l 'all' -d 'Include closed incidents.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat incidents" swarm' -l 'swarm' -d 'Show only this swarm.' -rfka '(__agent-stat_custom_completion ---completion incidents -- --swarm (count (__agent-stat_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat incidents" watch' -l 'watch' -d 'Keep running and show changes.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat incidents" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__agent-stat_custom_completion ---completion incidents -- --hub (count (__agent-stat_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat incidents" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat incidents" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat incidents" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat incidents" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat incidents" version' -l 'version' -d 'Show the version.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat incidents" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_positional "agent-stat incident" -eq 1' -fka '(__agent-stat_custom_completion ---completion incident -- positional@0 (count (__agent-stat_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat incident" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__agent-stat_custom_completion ---completion incident -- --hub (count (__agent-stat_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat incident" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat incident" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat incident" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat incident" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat incident" version' -l 'version' -d 'Show the version.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat incident" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat response" since' -l 'since' -d 'First alerts to count: a time, or an age; 7d by default.' -rfka ''
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat response" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__agent-stat_custom_completion ---completion response -- --hub (count (__agent-stat_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat response" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat response" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat response" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat response" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat response" version' -l 'version' -d 'Show the version.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat response" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat context" swarm' -l 'swarm' -d 'Show only this swarm.' -rfka '(__agent-stat_custom_completion ---completion context -- --swarm (count (__agent-stat_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat context" watch' -l 'watch' -d 'Keep running and show changes.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat context" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__agent-stat_custom_completion ---completion context -- --hub (count (__agent-stat_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat context" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat context" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat context" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat context" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat context" version' -l 'version' -d 'Show the version.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat context" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat skills" watch' -l 'watch' -d 'Keep running and show changes.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat skills" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__agent-stat_custom_completion ---completion skills -- --hub (count (__agent-stat_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat skills" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat skills" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat skills" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat skills" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat skills" version' -l 'version' -d 'Show the version.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat skills" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_positional "agent-stat skill" -eq 1' -fka '(__agent-stat_custom_completion ---completion skill -- positional@0 (count (__agent-stat_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat skill" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__agent-stat_custom_completion ---completion skill -- --hub (count (__agent-stat_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat skill" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat skill" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat skill" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat skill" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat skill" version' -l 'version' -d 'Show the version.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat skill" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat usage" by' -l 'by' -d 'Group the sums by this.' -rfka 'day model swarm tool session run'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat usage" since' -l 'since' -d 'First day to count: a time, or an age such as 3d.' -rfka ''
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat usage" watch' -l 'watch' -d 'Keep running and show changes.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat usage" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__agent-stat_custom_completion ---completion usage -- --hub (count (__agent-stat_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat usage" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat usage" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat usage" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat usage" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat usage" version' -l 'version' -d 'Show the version.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat usage" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat terminals" watch' -l 'watch' -d 'Keep running and show changes.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat terminals" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__agent-stat_custom_completion ---completion terminals -- --hub (count (__agent-stat_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat terminals" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat terminals" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat terminals" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat terminals" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat terminals" version' -l 'version' -d 'Show the version.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat terminals" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat thresholds" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__agent-stat_custom_completion ---completion thresholds -- --hub (count (__agent-stat_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat thresholds" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat thresholds" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat thresholds" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat thresholds" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat thresholds" version' -l 'version' -d 'Show the version.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat thresholds" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat audit" last' -l 'last' -d 'Show only this many of the newest entries.' -rfka ''
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat audit" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__agent-stat_custom_completion ---completion audit -- --hub (count (__agent-stat_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat audit" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat audit" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat audit" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat audit" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat audit" version' -l 'version' -d 'Show the version.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat audit" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'agent-stat' -n '__agent-stat_should_offer_completions_for_flags_or_options "agent-stat help" version' -l 'version' -d 'Show the version.'
