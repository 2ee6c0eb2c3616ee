# Tells which word is the command's name, by its number; fails if it is not yet reached.
function __agent-run_start
    set -l tokens (commandline -opc)
    set -l start 2
    set -l ended 0
    while test $start -le (count $tokens)
        switch $tokens[$start]
            case --
                set start (math $start + 1)
                set ended 1
                break
            case --swarm --agent --task --heartbeat --hub --spool --color
                set start (math $start + 2)
            case '-*'
                set start (math $start + 1)
            case '*'
                break
        end
    end
    test $start -le (math (count $tokens) + 1); or return
    if test $start -gt (count $tokens) -a $ended = 0
        string match -q -- '-*' (commandline -ct); and return 1
    end
    echo $start
end

# Completes the command behind the options as if it stood alone.
function __agent-run_command
    set -l start (__agent-run_start); or return
    set -l tokens (commandline -opc)
    set -l words
    if test $start -le (count $tokens)
        set words (string escape -- $tokens[$start..])
    end
    complete -C (string join ' ' -- $words (commandline -ct))
end

function __agent-run_should_offer_completions_for_flags_or_options -a expected_commands
    # Options behind the command's name are the command's.
    __agent-run_start >/dev/null; and return 1
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __agent-run_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __agent-run_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __agent-run_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __agent-run_parse_tokens -S
    set -l unparsed_tokens (__agent-run_tokens -pc)
    switch $unparsed_tokens[1]
    case 'agent-run'
        __agent-run_parse_subcommand -r 1 'swarm=' 'agent=' 'task=' 'heartbeat=' 'hub=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'help'
            __agent-run_parse_subcommand -r 1 'version'
        end
    end
end

function __agent-run_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __agent-run_parse_subcommand -S -a positional_count
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

function __agent-run_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __agent-run_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__agent-run_tokens -p)
    if test -z "$(__agent-run_tokens -t)"
        set -l index (count (__agent-run_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens 2>/dev/null
end

complete -c 'agent-run' -f
complete -c 'agent-run' -n '__agent-run_should_offer_completions_for_flags_or_options "agent-run" swarm' -l 'swarm' -d 'The swarm that the agent is part of.' -rfka '(__agent-run_custom_completion ---completion -- --swarm (count (__agent-run_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-run' -n '__agent-run_should_offer_completions_for_flags_or_options "agent-run" agent' -l 'agent' -d 'The agent\'s id, else one is made.' -rfka '(__agent-run_custom_completion ---completion -- --agent (count (__agent-run_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-run' -n '__agent-run_should_offer_completions_for_flags_or_options "agent-run" task' -l 'task' -d 'What the agent does, else the command\'s name.' -rfka ''
complete -c 'agent-run' -n '__agent-run_should_offer_completions_for_flags_or_options "agent-run" heartbeat' -l 'heartbeat' -d 'How often it is told that the agent runs: 15s, 1m.' -rfka ''
complete -c 'agent-run' -n '__agent-run_should_offer_completions_for_flags_or_options "agent-run" hub' -l 'hub' -d 'Ask this hub, by its URL or its name in the configuration.' -rfka '(__agent-run_custom_completion ---completion -- --hub (count (__agent-run_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'agent-run' -n '__agent-run_should_offer_completions_for_flags_or_options "agent-run" json' -l 'json' -d 'Write NDJSON, on a terminal too.'
complete -c 'agent-run' -n '__agent-run_should_offer_completions_for_flags_or_options "agent-run" text' -l 'text' -d 'Write text for people, in a pipe too.'
complete -c 'agent-run' -n '__agent-run_should_offer_completions_for_flags_or_options "agent-run" color' -l 'color' -d 'Colour text: auto, always or never.' -rfka 'auto always never'
complete -c 'agent-run' -n '__agent-run_should_offer_completions_for_flags_or_options "agent-run" v verbose' -l 'verbose' -s 'v' -d 'Tell on stderr what is done.'
complete -c 'agent-run' -n '__agent-run_should_offer_completions_for_flags_or_options "agent-run" version' -l 'version' -d 'Show the version.'
complete -c 'agent-run' -n '__agent-run_should_offer_completions_for_flags_or_options "agent-run" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'agent-run' -n '__agent-run_start >/dev/null' -fa '(__agent-run_command)'
