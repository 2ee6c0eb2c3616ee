# Succeeds if another tool is named, whose words follow.
function __agentpipes_runs
    set -l tokens (commandline -opc)
    contains -- "$tokens[2]" agent-adopt agent-control agent-run agent-stat ceo-plan chat-log chat-send export-md gate-decide hub-serve image-make key-store link-open model-list pair push-notify stage-run stream-tail tmux-attach tool-call web-fetch
end

# Completes the words behind a tool as if it stood alone.
function __agentpipes_run
    set -l tokens (commandline -opc)
    complete -C (string join ' ' -- (string escape -- $tokens[2..]) (commandline -ct))
end

function __agentpipes_should_offer_completions_for_flags_or_options -a expected_commands
    __agentpipes_runs; and return 1
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __agentpipes_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __agentpipes_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    __agentpipes_runs; and return 1
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
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_positional "agentpipes" -eq 1' -fa 'agent-adopt' -d 'Report sessions of other programs as agents'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_positional "agentpipes" -eq 1' -fa 'agent-control' -d 'Pause, resume and terminate agents'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_positional "agentpipes" -eq 1' -fa 'agent-run' -d 'Run any command as a watched, steerable agent'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_positional "agentpipes" -eq 1' -fa 'agent-stat' -d 'Show the state of agents'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_positional "agentpipes" -eq 1' -fa 'ceo-plan' -d 'Turn a goal into a pipeline of stages'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_positional "agentpipes" -eq 1' -fa 'chat-log' -d 'List, search and move chats'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_positional "agentpipes" -eq 1' -fa 'chat-send' -d 'Send a prompt to one or more models'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_positional "agentpipes" -eq 1' -fa 'export-md' -d 'Write records as Markdown files'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_positional "agentpipes" -eq 1' -fa 'gate-decide' -d 'Approve or reject gates'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_positional "agentpipes" -eq 1' -fa 'hub-serve' -d 'Serve the live stream and the API'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_positional "agentpipes" -eq 1' -fa 'image-make' -d 'Make pictures from a description'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_positional "agentpipes" -eq 1' -fa 'key-store' -d 'Keep secrets in the system\'s keyring'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_positional "agentpipes" -eq 1' -fa 'link-open' -d 'Open an ayna: link, once you agree'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_positional "agentpipes" -eq 1' -fa 'model-list' -d 'List and describe models'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_positional "agentpipes" -eq 1' -fa 'pair' -d 'Pair devices with hosts'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_positional "agentpipes" -eq 1' -fa 'push-notify' -d 'Send alerts to people'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_positional "agentpipes" -eq 1' -fa 'stage-run' -d 'Run stages, in order, with approval'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_positional "agentpipes" -eq 1' -fa 'stream-tail' -d 'Follow live events'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_positional "agentpipes" -eq 1' -fa 'tmux-attach' -d 'See a remote tmux session, read-only'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_positional "agentpipes" -eq 1' -fa 'tool-call' -d 'List, search and call tools'
complete -c 'agentpipes' -n '__agentpipes_should_offer_completions_for_positional "agentpipes" -eq 1' -fa 'web-fetch' -d 'Turn URLs into clean text'
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
complete -c 'agentpipes' -n '__agentpipes_runs' -fa '(__agentpipes_run)'
