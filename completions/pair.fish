function __pair_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __pair_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __pair_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __pair_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __pair_parse_tokens -S
    set -l unparsed_tokens (__pair_tokens -pc)
    switch $unparsed_tokens[1]
    case 'pair'
        __pair_parse_subcommand 0 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'start'
            __pair_parse_subcommand 0 'hub=' 'ttl=' 'ascii' 'png=' 'level=' 'print-payload' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'complete'
            __pair_parse_subcommand 1 'code=' 'qr=' 'payload=' 'name=' 'device-name=' 'allow-http' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'status'
            __pair_parse_subcommand 1 'watch' 'allow-http' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'devices'
            __pair_parse_subcommand 0 'host=' 'allow-http' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'revoke'
            __pair_parse_subcommand 1 'host=' 'allow-http' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'disconnect'
            __pair_parse_subcommand 1 'allow-http' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'hosts'
            __pair_parse_subcommand 0 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'forget'
            __pair_parse_subcommand 1 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'register'
            __pair_parse_subcommand 1 'code=' 'name=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'page'
            __pair_parse_subcommand 0 'hub=' 'scope=' 'name=' 'ascii' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'help'
            __pair_parse_subcommand -r 1 'version'
        end
    end
end

function __pair_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __pair_parse_subcommand -S -a positional_count
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

function __pair_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __pair_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__pair_tokens -p)
    if test -z "$(__pair_tokens -t)"
        set -l index (count (__pair_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens 2>/dev/null
end

complete -c 'pair' -f
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair" version' -l 'version' -d 'Show the version.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'pair' -n '__pair_should_offer_completions_for_positional "pair" -eq 1' -fa 'start' -d 'Show a pairing code and wait for a device'
complete -c 'pair' -n '__pair_should_offer_completions_for_positional "pair" -eq 1' -fa 'complete' -d 'Pair this machine with a host'
complete -c 'pair' -n '__pair_should_offer_completions_for_positional "pair" -eq 1' -fa 'status' -d 'Show whether a device is connected'
complete -c 'pair' -n '__pair_should_offer_completions_for_positional "pair" -eq 1' -fa 'devices' -d 'List the devices paired with a host'
complete -c 'pair' -n '__pair_should_offer_completions_for_positional "pair" -eq 1' -fa 'revoke' -d 'Revoke a device\'s access to a host'
complete -c 'pair' -n '__pair_should_offer_completions_for_positional "pair" -eq 1' -fa 'disconnect' -d 'Disconnect from a host until the next pairing'
complete -c 'pair' -n '__pair_should_offer_completions_for_positional "pair" -eq 1' -fa 'hosts' -d 'List known hosts'
complete -c 'pair' -n '__pair_should_offer_completions_for_positional "pair" -eq 1' -fa 'forget' -d 'Forget a host'
complete -c 'pair' -n '__pair_should_offer_completions_for_positional "pair" -eq 1' -fa 'register' -d 'Register this machine with a hub'
complete -c 'pair' -n '__pair_should_offer_completions_for_positional "pair" -eq 1' -fa 'page' -d 'Create a link that signs a browser in to the hub\'s page'
complete -c 'pair' -n '__pair_should_offer_completions_for_positional "pair" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair start" hub' -l 'hub' -d 'The hub\'s URL; the hub of this machine by default.' -rfka ''
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair start" ttl' -l 'ttl' -d 'Lifetime of the code, from 30s to 10m.' -rfka ''
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair start" ascii' -l 'ascii' -d 'Draw the QR code in ASCII.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair start" png' -l 'png' -d 'Also write the QR code as a PNG image.' -rF
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair start" level' -l 'level' -d 'Error correction of the QR code: L, M, Q or H.' -rfka 'L M Q H'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair start" print-payload' -l 'print-payload' -d 'Also write the text of the QR code, which is secret.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair start" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair start" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair start" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair start" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair start" version' -l 'version' -d 'Show the version.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair start" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair complete" code' -l 'code' -d 'The six digits that the host shows.' -rfka ''
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair complete" qr' -l 'qr' -d 'An image of the QR code that the host shows.' -rF
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair complete" payload' -l 'payload' -d 'The text of the QR code; \'-\' reads it from stdin.' -rfka ''
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair complete" name' -l 'name' -d 'A name for the host; from its URL by default.' -rfka ''
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair complete" device-name' -l 'device-name' -d 'A name for this machine; its host name by default.' -rfka ''
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair complete" allow-http' -l 'allow-http' -d 'Allow plain HTTP to public addresses.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair complete" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair complete" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair complete" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair complete" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair complete" version' -l 'version' -d 'Show the version.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair complete" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair status" watch' -l 'watch' -d 'Keep running and write each change.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair status" allow-http' -l 'allow-http' -d 'Allow plain HTTP to public addresses.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair status" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair status" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair status" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair status" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair status" version' -l 'version' -d 'Show the version.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair status" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair devices" host' -l 'host' -d 'Use this paired host: a name or a URL.' -rfka '(__pair_custom_completion ---completion devices -- --host (count (__pair_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair devices" allow-http' -l 'allow-http' -d 'Allow plain HTTP to public addresses.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair devices" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair devices" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair devices" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair devices" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair devices" version' -l 'version' -d 'Show the version.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair devices" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair revoke" host' -l 'host' -d 'Use this paired host: a name or a URL.' -rfka '(__pair_custom_completion ---completion revoke -- --host (count (__pair_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair revoke" allow-http' -l 'allow-http' -d 'Allow plain HTTP to public addresses.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair revoke" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair revoke" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair revoke" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair revoke" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair revoke" version' -l 'version' -d 'Show the version.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair revoke" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair disconnect" allow-http' -l 'allow-http' -d 'Allow plain HTTP to public addresses.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair disconnect" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair disconnect" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair disconnect" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair disconnect" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair disconnect" version' -l 'version' -d 'Show the version.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair disconnect" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair hosts" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair hosts" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair hosts" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair hosts" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair hosts" version' -l 'version' -d 'Show the version.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair hosts" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'pair' -n '__pair_should_offer_completions_for_positional "pair forget" -eq 1' -fka '(__pair_custom_completion ---completion forget -- positional@0 (count (__pair_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair forget" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair forget" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair forget" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair forget" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair forget" version' -l 'version' -d 'Show the version.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair forget" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair register" code' -l 'code' -d 'The code from \'hub-serve register-code\'.' -rfka ''
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair register" name' -l 'name' -d 'A name for this machine; its host name by default.' -rfka ''
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair register" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair register" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair register" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair register" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair register" version' -l 'version' -d 'Show the version.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair register" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair page" hub' -l 'hub' -d 'The hub: a URL or a configured name; the hub of this machine by default.' -rfka ''
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair page" scope' -l 'scope' -d 'The browser\'s access; decide by default.' -rfka 'read decide steer'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair page" name' -l 'name' -d 'A name for the browser.' -rfka ''
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair page" ascii' -l 'ascii' -d 'Draw the QR code in ASCII.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair page" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair page" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair page" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair page" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair page" version' -l 'version' -d 'Show the version.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair page" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'pair' -n '__pair_should_offer_completions_for_flags_or_options "pair help" version' -l 'version' -d 'Show the version.'
