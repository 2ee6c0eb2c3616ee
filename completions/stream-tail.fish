function __stream-tail_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __stream-tail_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __stream-tail_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __stream-tail_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __stream-tail_parse_tokens -S
    set -l unparsed_tokens (__stream-tail_tokens -pc)
    switch $unparsed_tokens[1]
    case 'stream-tail'
        __stream-tail_parse_subcommand -r 1 'f/follow' 'hub=' 'level=' 'swarm=+' 'agent=+' 'skill=+' 'type=+' 'incident=+' 'since=' 'until=' 'match=' 'n/last=' 'after=' 'max-rate=' 'strict' 'long' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'help'
            __stream-tail_parse_subcommand -r 1 'version'
        end
    end
end

function __stream-tail_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __stream-tail_parse_subcommand -S -a positional_count
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

function __stream-tail_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __stream-tail_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__stream-tail_tokens -p)
    if test -z "$(__stream-tail_tokens -t)"
        set -l index (count (__stream-tail_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens 2>/dev/null
end

complete -c 'stream-tail' -f
complete -c 'stream-tail' -n '__stream-tail_should_offer_completions_for_positional "stream-tail" -ge 1' -F
complete -c 'stream-tail' -n '__stream-tail_should_offer_completions_for_flags_or_options "stream-tail" f follow' -l 'follow' -s 'f' -d 'Keep running and show new events.'
complete -c 'stream-tail' -n '__stream-tail_should_offer_completions_for_flags_or_options "stream-tail" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__stream-tail_custom_completion ---completion -- --hub (count (__stream-tail_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'stream-tail' -n '__stream-tail_should_offer_completions_for_flags_or_options "stream-tail" level' -l 'level' -d 'Only events of at least this level.' -rfka 'debug info warn error critical'
complete -c 'stream-tail' -n '__stream-tail_should_offer_completions_for_flags_or_options "stream-tail"' -l 'swarm' -d 'Only events of this swarm.' -rfka '(__stream-tail_custom_completion ---completion -- --swarm (count (__stream-tail_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'stream-tail' -n '__stream-tail_should_offer_completions_for_flags_or_options "stream-tail"' -l 'agent' -d 'Only events of this agent.' -rfka '(__stream-tail_custom_completion ---completion -- --agent (count (__stream-tail_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'stream-tail' -n '__stream-tail_should_offer_completions_for_flags_or_options "stream-tail"' -l 'skill' -d 'Only events of this skill.' -rfka '(__stream-tail_custom_completion ---completion -- --skill (count (__stream-tail_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'stream-tail' -n '__stream-tail_should_offer_completions_for_flags_or_options "stream-tail"' -l 'type' -d 'Only records of this type.' -rfka 'alert approvalGate control gap log metric traceEvent'
complete -c 'stream-tail' -n '__stream-tail_should_offer_completions_for_flags_or_options "stream-tail"' -l 'incident' -d 'Only events of this incident.' -rfka '(__stream-tail_custom_completion ---completion -- --incident (count (__stream-tail_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'stream-tail' -n '__stream-tail_should_offer_completions_for_flags_or_options "stream-tail" since' -l 'since' -d 'Only events since a time, or an age such as 10m.' -rfka ''
complete -c 'stream-tail' -n '__stream-tail_should_offer_completions_for_flags_or_options "stream-tail" until' -l 'until' -d 'Only events up to a time, or an age such as 10m.' -rfka ''
complete -c 'stream-tail' -n '__stream-tail_should_offer_completions_for_flags_or_options "stream-tail" match' -l 'match' -d 'Only lines that contain this text.' -rfka ''
complete -c 'stream-tail' -n '__stream-tail_should_offer_completions_for_flags_or_options "stream-tail" last n' -s 'n' -l 'last' -d 'Only this many latest events; 10 with --follow.' -rfka ''
complete -c 'stream-tail' -n '__stream-tail_should_offer_completions_for_flags_or_options "stream-tail" after' -l 'after' -d 'Only events logged after this one.' -rfka ''
complete -c 'stream-tail' -n '__stream-tail_should_offer_completions_for_flags_or_options "stream-tail" max-rate' -l 'max-rate' -d 'Limit events per second; count the others.' -rfka ''
complete -c 'stream-tail' -n '__stream-tail_should_offer_completions_for_flags_or_options "stream-tail" strict' -l 'strict' -d 'Fail if events are missing.'
complete -c 'stream-tail' -n '__stream-tail_should_offer_completions_for_flags_or_options "stream-tail" long' -l 'long' -d 'Do not shorten lines of text.'
complete -c 'stream-tail' -n '__stream-tail_should_offer_completions_for_flags_or_options "stream-tail" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'stream-tail' -n '__stream-tail_should_offer_completions_for_flags_or_options "stream-tail" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'stream-tail' -n '__stream-tail_should_offer_completions_for_flags_or_options "stream-tail" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'stream-tail' -n '__stream-tail_should_offer_completions_for_flags_or_options "stream-tail" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'stream-tail' -n '__stream-tail_should_offer_completions_for_flags_or_options "stream-tail" version' -l 'version' -d 'Show the version.'
complete -c 'stream-tail' -n '__stream-tail_should_offer_completions_for_flags_or_options "stream-tail" h help' -s 'h' -l 'help' -d 'Show help information.'
