function __tmux-attach_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __tmux-attach_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __tmux-attach_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __tmux-attach_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __tmux-attach_parse_tokens -S
    set -l unparsed_tokens (__tmux-attach_tokens -pc)
    switch $unparsed_tokens[1]
    case 'tmux-attach'
        __tmux-attach_parse_subcommand 0 'agent=' 'hub=' 'i/identity=+' 'passphrase-file=' 'J/jump=' 'host-key=' 'trust=' 'timeout=' 'keepalive=' 'ssh-config=' 'enable-input' 'fit' 'history=' 'tmux-path=' 'reconnect=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'attach'
            __tmux-attach_parse_subcommand 2 'agent=' 'hub=' 'i/identity=+' 'passphrase-file=' 'J/jump=' 'host-key=' 'trust=' 'timeout=' 'keepalive=' 'ssh-config=' 'enable-input' 'fit' 'history=' 'tmux-path=' 'reconnect=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'list'
            __tmux-attach_parse_subcommand 1 'i/identity=+' 'passphrase-file=' 'J/jump=' 'host-key=' 'trust=' 'timeout=' 'keepalive=' 'ssh-config=' 'tmux-path=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'create'
            __tmux-attach_parse_subcommand -r 3 'i/identity=+' 'passphrase-file=' 'J/jump=' 'host-key=' 'trust=' 'timeout=' 'keepalive=' 'ssh-config=' 'directory=' 'size=' 'tmux-path=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'kill'
            __tmux-attach_parse_subcommand 2 'i/identity=+' 'passphrase-file=' 'J/jump=' 'host-key=' 'trust=' 'timeout=' 'keepalive=' 'ssh-config=' 'tmux-path=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'watch'
            __tmux-attach_parse_subcommand 2 'agent=' 'hub=' 'i/identity=+' 'passphrase-file=' 'J/jump=' 'host-key=' 'trust=' 'timeout=' 'keepalive=' 'ssh-config=' 'tmux-path=' 'reconnect=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'snapshot'
            __tmux-attach_parse_subcommand 2 'agent=' 'hub=' 'i/identity=+' 'passphrase-file=' 'J/jump=' 'host-key=' 'trust=' 'timeout=' 'keepalive=' 'ssh-config=' 'escapes' 'history=' 'tmux-path=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'trust'
            __tmux-attach_parse_subcommand 1 'i/identity=+' 'passphrase-file=' 'J/jump=' 'host-key=' 'trust=' 'timeout=' 'keepalive=' 'ssh-config=' 'reset' 'confirm=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'key'
            __tmux-attach_parse_subcommand 0 'version' 'h/help'
            switch $unparsed_tokens[1]
            case 'generate'
                __tmux-attach_parse_subcommand 1 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
            case 'import'
                __tmux-attach_parse_subcommand 2 'passphrase-file=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
            case 'list'
                __tmux-attach_parse_subcommand 0 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
            case 'show'
                __tmux-attach_parse_subcommand 1 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
            case 'remove'
                __tmux-attach_parse_subcommand 1 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
            end
        case 'help'
            __tmux-attach_parse_subcommand -r 1 'version'
        end
    end
end

function __tmux-attach_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __tmux-attach_parse_subcommand -S -a positional_count
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

function __tmux-attach_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __tmux-attach_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__tmux-attach_tokens -p)
    if test -z "$(__tmux-attach_tokens -t)"
        set -l index (count (__tmux-attach_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens 2>/dev/null
end

complete -c 'tmux-attach' -f
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach" version' -l 'version' -d 'Show the version.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_positional "tmux-attach" -eq 1' -fa 'attach' -d 'Show a session on the terminal'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_positional "tmux-attach" -eq 1' -fa 'list' -d 'List the sessions of a host or of this machine'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_positional "tmux-attach" -eq 1' -fa 'create' -d 'Create a session without attaching to it'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_positional "tmux-attach" -eq 1' -fa 'kill' -d 'End a session and its programs'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_positional "tmux-attach" -eq 1' -fa 'watch' -d 'Follow a session\'s output as records'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_positional "tmux-attach" -eq 1' -fa 'snapshot' -d 'Show the current screen of a session'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_positional "tmux-attach" -eq 1' -fa 'trust' -d 'Record the key of a host'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_positional "tmux-attach" -eq 1' -fa 'key' -d 'Generate and store SSH keys'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_positional "tmux-attach" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach" agent' -l 'agent' -d 'Use the session of this agent.' -rfka '(__tmux-attach_custom_completion ---completion attach -- --agent (count (__tmux-attach_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach attach" agent' -l 'agent' -d 'Use the session of this agent.' -rfka '(__tmux-attach_custom_completion ---completion attach -- --agent (count (__tmux-attach_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__tmux-attach_custom_completion ---completion attach -- --hub (count (__tmux-attach_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach attach" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__tmux-attach_custom_completion ---completion attach -- --hub (count (__tmux-attach_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach attach"' -l 'identity' -s 'i' -d 'The private key file.' -rF
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach" passphrase-file' -l 'passphrase-file' -d 'Read the key\'s passphrase from this file.' -rF
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach attach" passphrase-file' -l 'passphrase-file' -d 'Read the key\'s passphrase from this file.' -rF
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach" J jump' -s 'J' -l 'jump' -d 'Jump hosts, separated by commas, or \'none\'.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach attach" J jump' -s 'J' -l 'jump' -d 'Jump hosts, separated by commas, or \'none\'.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach" host-key' -l 'host-key' -d 'Require this host key.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach attach" host-key' -l 'host-key' -d 'Require this host key.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach" trust' -l 'trust' -d 'Policy for unknown hosts.' -rfka 'accept-new strict'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach attach" trust' -l 'trust' -d 'Policy for unknown hosts.' -rfka 'accept-new strict'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach" timeout' -l 'timeout' -d 'Time limit for connecting and login.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach attach" timeout' -l 'timeout' -d 'Time limit for connecting and login.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach" keepalive' -l 'keepalive' -d 'Interval between keepalives.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach attach" keepalive' -l 'keepalive' -d 'Interval between keepalives.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach" ssh-config' -l 'ssh-config' -d 'Use this file instead of ~/.ssh/config.' -rF
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach attach" ssh-config' -l 'ssh-config' -d 'Use this file instead of ~/.ssh/config.' -rF
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach" enable-input' -l 'enable-input' -d 'Send keystrokes to the session; Ctrl-] leaves.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach attach" enable-input' -l 'enable-input' -d 'Send keystrokes to the session; Ctrl-] leaves.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach" fit' -l 'fit' -d 'Resize the session\'s window to this terminal.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach attach" fit' -l 'fit' -d 'Resize the session\'s window to this terminal.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach" history' -l 'history' -d 'Print this many lines of scrollback.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach attach" history' -l 'history' -d 'Print this many lines of scrollback.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach" tmux-path' -l 'tmux-path' -d 'Path of tmux on the host, if not in PATH.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach attach" tmux-path' -l 'tmux-path' -d 'Path of tmux on the host, if not in PATH.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach" reconnect' -l 'reconnect' -d 'Retry a lost connection for this long.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach attach" reconnect' -l 'reconnect' -d 'Retry a lost connection for this long.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach attach" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach attach" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach attach" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach attach" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach attach" version' -l 'version' -d 'Show the version.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach attach" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach list"' -l 'identity' -s 'i' -d 'The private key file.' -rF
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach list" passphrase-file' -l 'passphrase-file' -d 'Read the key\'s passphrase from this file.' -rF
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach list" J jump' -s 'J' -l 'jump' -d 'Jump hosts, separated by commas, or \'none\'.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach list" host-key' -l 'host-key' -d 'Require this host key.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach list" trust' -l 'trust' -d 'Policy for unknown hosts.' -rfka 'accept-new strict'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach list" timeout' -l 'timeout' -d 'Time limit for connecting and login.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach list" keepalive' -l 'keepalive' -d 'Interval between keepalives.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach list" ssh-config' -l 'ssh-config' -d 'Use this file instead of ~/.ssh/config.' -rF
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach list" tmux-path' -l 'tmux-path' -d 'Path of tmux on the host, if not in PATH.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach list" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach list" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach list" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach list" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach list" version' -l 'version' -d 'Show the version.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach list" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach create"' -l 'identity' -s 'i' -d 'The private key file.' -rF
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach create" passphrase-file' -l 'passphrase-file' -d 'Read the key\'s passphrase from this file.' -rF
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach create" J jump' -s 'J' -l 'jump' -d 'Jump hosts, separated by commas, or \'none\'.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach create" host-key' -l 'host-key' -d 'Require this host key.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach create" trust' -l 'trust' -d 'Policy for unknown hosts.' -rfka 'accept-new strict'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach create" timeout' -l 'timeout' -d 'Time limit for connecting and login.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach create" keepalive' -l 'keepalive' -d 'Interval between keepalives.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach create" ssh-config' -l 'ssh-config' -d 'Use this file instead of ~/.ssh/config.' -rF
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach create" directory' -l 'directory' -d 'The session\'s working directory.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach create" size' -l 'size' -d 'The window size, such as 200x50.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach create" tmux-path' -l 'tmux-path' -d 'Path of tmux on the host, if not in PATH.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach create" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach create" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach create" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach create" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach create" version' -l 'version' -d 'Show the version.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach create" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach kill"' -l 'identity' -s 'i' -d 'The private key file.' -rF
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach kill" passphrase-file' -l 'passphrase-file' -d 'Read the key\'s passphrase from this file.' -rF
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach kill" J jump' -s 'J' -l 'jump' -d 'Jump hosts, separated by commas, or \'none\'.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach kill" host-key' -l 'host-key' -d 'Require this host key.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach kill" trust' -l 'trust' -d 'Policy for unknown hosts.' -rfka 'accept-new strict'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach kill" timeout' -l 'timeout' -d 'Time limit for connecting and login.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach kill" keepalive' -l 'keepalive' -d 'Interval between keepalives.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach kill" ssh-config' -l 'ssh-config' -d 'Use this file instead of ~/.ssh/config.' -rF
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach kill" tmux-path' -l 'tmux-path' -d 'Path of tmux on the host, if not in PATH.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach kill" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach kill" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach kill" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach kill" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach kill" version' -l 'version' -d 'Show the version.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach kill" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach watch" agent' -l 'agent' -d 'Use the session of this agent.' -rfka '(__tmux-attach_custom_completion ---completion watch -- --agent (count (__tmux-attach_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach watch" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__tmux-attach_custom_completion ---completion watch -- --hub (count (__tmux-attach_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach watch"' -l 'identity' -s 'i' -d 'The private key file.' -rF
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach watch" passphrase-file' -l 'passphrase-file' -d 'Read the key\'s passphrase from this file.' -rF
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach watch" J jump' -s 'J' -l 'jump' -d 'Jump hosts, separated by commas, or \'none\'.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach watch" host-key' -l 'host-key' -d 'Require this host key.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach watch" trust' -l 'trust' -d 'Policy for unknown hosts.' -rfka 'accept-new strict'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach watch" timeout' -l 'timeout' -d 'Time limit for connecting and login.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach watch" keepalive' -l 'keepalive' -d 'Interval between keepalives.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach watch" ssh-config' -l 'ssh-config' -d 'Use this file instead of ~/.ssh/config.' -rF
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach watch" tmux-path' -l 'tmux-path' -d 'Path of tmux on the host, if not in PATH.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach watch" reconnect' -l 'reconnect' -d 'Retry a lost connection for this long.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach watch" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach watch" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach watch" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach watch" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach watch" version' -l 'version' -d 'Show the version.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach watch" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach snapshot" agent' -l 'agent' -d 'Use the session of this agent.' -rfka '(__tmux-attach_custom_completion ---completion snapshot -- --agent (count (__tmux-attach_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach snapshot" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__tmux-attach_custom_completion ---completion snapshot -- --hub (count (__tmux-attach_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach snapshot"' -l 'identity' -s 'i' -d 'The private key file.' -rF
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach snapshot" passphrase-file' -l 'passphrase-file' -d 'Read the key\'s passphrase from this file.' -rF
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach snapshot" J jump' -s 'J' -l 'jump' -d 'Jump hosts, separated by commas, or \'none\'.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach snapshot" host-key' -l 'host-key' -d 'Require this host key.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach snapshot" trust' -l 'trust' -d 'Policy for unknown hosts.' -rfka 'accept-new strict'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach snapshot" timeout' -l 'timeout' -d 'Time limit for connecting and login.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach snapshot" keepalive' -l 'keepalive' -d 'Interval between keepalives.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach snapshot" ssh-config' -l 'ssh-config' -d 'Use this file instead of ~/.ssh/config.' -rF
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach snapshot" escapes' -l 'escapes' -d 'Keep colours and attributes as escape codes.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach snapshot" history' -l 'history' -d 'Include this many lines above the screen.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach snapshot" tmux-path' -l 'tmux-path' -d 'Path of tmux on the host, if not in PATH.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach snapshot" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach snapshot" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach snapshot" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach snapshot" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach snapshot" version' -l 'version' -d 'Show the version.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach snapshot" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach trust"' -l 'identity' -s 'i' -d 'The private key file.' -rF
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach trust" passphrase-file' -l 'passphrase-file' -d 'Read the key\'s passphrase from this file.' -rF
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach trust" J jump' -s 'J' -l 'jump' -d 'Jump hosts, separated by commas, or \'none\'.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach trust" host-key' -l 'host-key' -d 'Require this host key.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach trust" trust' -l 'trust' -d 'Policy for unknown hosts.' -rfka 'accept-new strict'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach trust" timeout' -l 'timeout' -d 'Time limit for connecting and login.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach trust" keepalive' -l 'keepalive' -d 'Interval between keepalives.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach trust" ssh-config' -l 'ssh-config' -d 'Use this file instead of ~/.ssh/config.' -rF
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach trust" reset' -l 'reset' -d 'Replace the recorded keys with the current one.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach trust" confirm' -l 'confirm' -d 'Confirm the new key without a terminal.' -rfka ''
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach trust" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach trust" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach trust" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach trust" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach trust" version' -l 'version' -d 'Show the version.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach trust" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach key" version' -l 'version' -d 'Show the version.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach key" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_positional "tmux-attach key" -eq 1' -fa 'generate' -d 'Generate an Ed25519 key'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_positional "tmux-attach key" -eq 1' -fa 'import' -d 'Import a key from a file'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_positional "tmux-attach key" -eq 1' -fa 'list' -d 'List stored keys'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_positional "tmux-attach key" -eq 1' -fa 'show' -d 'Show a public key'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_positional "tmux-attach key" -eq 1' -fa 'remove' -d 'Delete a stored key'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach key generate" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach key generate" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach key generate" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach key generate" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach key generate" version' -l 'version' -d 'Show the version.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach key generate" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_positional "tmux-attach key import" -eq 1' -F
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach key import" passphrase-file' -l 'passphrase-file' -d 'Read the key\'s passphrase from this file.' -rF
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach key import" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach key import" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach key import" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach key import" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach key import" version' -l 'version' -d 'Show the version.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach key import" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach key list" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach key list" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach key list" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach key list" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach key list" version' -l 'version' -d 'Show the version.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach key list" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_positional "tmux-attach key show" -eq 1' -fka '(__tmux-attach_custom_completion ---completion key show -- positional@0 (count (__tmux-attach_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach key show" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach key show" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach key show" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach key show" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach key show" version' -l 'version' -d 'Show the version.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach key show" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_positional "tmux-attach key remove" -eq 1' -fka '(__tmux-attach_custom_completion ---completion key remove -- positional@0 (count (__tmux-attach_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach key remove" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach key remove" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach key remove" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach key remove" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach key remove" version' -l 'version' -d 'Show the version.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach key remove" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tmux-attach' -n '__tmux-attach_should_offer_completions_for_flags_or_options "tmux-attach help" version' -l 'version' -d 'Show the version.'
