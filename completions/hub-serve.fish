function __hub-serve_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __hub-serve_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __hub-serve_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __hub-serve_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __hub-serve_parse_tokens -S
    set -l unparsed_tokens (__hub-serve_tokens -pc)
    switch $unparsed_tokens[1]
    case 'hub-serve'
        __hub-serve_parse_subcommand 0 'listen=' 'tls-certificate=' 'tls-key=' 'page' 'auth=' 'keep-events=' 'keep-bytes=' 'keep-days=' 'otlp=' 'otlp-listen=' 'records=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'serve'
            __hub-serve_parse_subcommand 0 'listen=' 'tls-certificate=' 'tls-key=' 'page' 'auth=' 'keep-events=' 'keep-bytes=' 'keep-days=' 'otlp=' 'otlp-listen=' 'records=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'register-code'
            __hub-serve_parse_subcommand 0 'scope=' 'name=' 'records=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'devices'
            __hub-serve_parse_subcommand 0 'records=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'revoke'
            __hub-serve_parse_subcommand 1 'records=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'migrate'
            __hub-serve_parse_subcommand 0 'records=' 'grant=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'help'
            __hub-serve_parse_subcommand -r 1 'version'
        end
    end
end

function __hub-serve_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __hub-serve_parse_subcommand -S -a positional_count
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

function __hub-serve_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __hub-serve_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__hub-serve_tokens -p)
    if test -z "$(__hub-serve_tokens -t)"
        set -l index (count (__hub-serve_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens 2>/dev/null
end

complete -c 'hub-serve' -f
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve" version' -l 'version' -d 'Show the version.'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_positional "hub-serve" -eq 1' -fa 'serve' -d 'Start the server'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_positional "hub-serve" -eq 1' -fa 'register-code' -d 'Create a registration code for a device'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_positional "hub-serve" -eq 1' -fa 'devices' -d 'List registered devices'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_positional "hub-serve" -eq 1' -fa 'revoke' -d 'Revoke a device\'s access'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_positional "hub-serve" -eq 1' -fa 'migrate' -d 'Create or update the tables that hubs share'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_positional "hub-serve" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve" listen' -l 'listen' -d 'Listen on this address; port 0 picks a free port.' -rfka ''
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve serve" listen' -l 'listen' -d 'Listen on this address; port 0 picks a free port.' -rfka ''
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve" tls-certificate' -l 'tls-certificate' -d 'Serve TLS with this certificate chain.' -rF
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve serve" tls-certificate' -l 'tls-certificate' -d 'Serve TLS with this certificate chain.' -rF
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve" tls-key' -l 'tls-key' -d 'The private key of the certificate.' -rF
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve serve" tls-key' -l 'tls-key' -d 'The private key of the certificate.' -rF
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve" page' -l 'page' -d 'Serve a page for browsers, which \'pair page\' signs in.'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve serve" page' -l 'page' -d 'Serve a page for browsers, which \'pair page\' signs in.'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve" auth' -l 'auth' -d 'How companions authenticate.' -rfka 'address strict'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve serve" auth' -l 'auth' -d 'How companions authenticate.' -rfka 'address strict'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve" keep-events' -l 'keep-events' -d 'Keep at most this many events.' -rfka ''
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve serve" keep-events' -l 'keep-events' -d 'Keep at most this many events.' -rfka ''
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve" keep-bytes' -l 'keep-bytes' -d 'Keep at most this many bytes of events.' -rfka ''
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve serve" keep-bytes' -l 'keep-bytes' -d 'Keep at most this many bytes of events.' -rfka ''
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve" keep-days' -l 'keep-days' -d 'Keep events for this many days.' -rfka ''
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve serve" keep-days' -l 'keep-days' -d 'Keep events for this many days.' -rfka ''
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve" otlp' -l 'otlp' -d 'Forward events to this URL as OTLP/JSON.' -rfka ''
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve serve" otlp' -l 'otlp' -d 'Forward events to this URL as OTLP/JSON.' -rfka ''
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve" otlp-listen' -l 'otlp-listen' -d 'Receive OTLP over gRPC on this address.' -rfka ''
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve serve" otlp-listen' -l 'otlp-listen' -d 'Receive OTLP over gRPC on this address.' -rfka ''
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve" records' -l 'records' -d 'Share the records in this PostgreSQL database.' -rfka ''
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve serve" records' -l 'records' -d 'Share the records in this PostgreSQL database.' -rfka ''
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve serve" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve serve" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve serve" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve serve" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve serve" version' -l 'version' -d 'Show the version.'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve serve" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve register-code" scope' -l 'scope' -d 'The scope of the device\'s access.' -rfka 'all events hub read decide steer'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve register-code" name' -l 'name' -d 'The device\'s name, in place of its own.' -rfka ''
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve register-code" records' -l 'records' -d 'Share the records in this PostgreSQL database.' -rfka ''
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve register-code" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve register-code" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve register-code" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve register-code" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve register-code" version' -l 'version' -d 'Show the version.'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve register-code" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve devices" records' -l 'records' -d 'Share the records in this PostgreSQL database.' -rfka ''
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve devices" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve devices" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve devices" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve devices" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve devices" version' -l 'version' -d 'Show the version.'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve devices" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve revoke" records' -l 'records' -d 'Share the records in this PostgreSQL database.' -rfka ''
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve revoke" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve revoke" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve revoke" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve revoke" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve revoke" version' -l 'version' -d 'Show the version.'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve revoke" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve migrate" records' -l 'records' -d 'The PostgreSQL database, with a role that owns it.' -rfka ''
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve migrate" grant' -l 'grant' -d 'Grant this role the rights of a hub.' -rfka ''
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve migrate" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve migrate" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve migrate" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve migrate" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve migrate" version' -l 'version' -d 'Show the version.'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve migrate" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'hub-serve' -n '__hub-serve_should_offer_completions_for_flags_or_options "hub-serve help" version' -l 'version' -d 'Show the version.'
