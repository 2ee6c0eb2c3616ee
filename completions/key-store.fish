function __key-store_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __key-store_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __key-store_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __key-store_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __key-store_parse_tokens -S
    set -l unparsed_tokens (__key-store_tokens -pc)
    switch $unparsed_tokens[1]
    case 'key-store'
        __key-store_parse_subcommand 0 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'set'
            __key-store_parse_subcommand -r 2 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'get'
            __key-store_parse_subcommand -r 2 'reveal' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'check'
            __key-store_parse_subcommand -r 2 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'list'
            __key-store_parse_subcommand -r 1 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'delete'
            __key-store_parse_subcommand -r 2 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'import'
            __key-store_parse_subcommand -r 1 'from-environment' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'login'
            __key-store_parse_subcommand -r 2 'device' 'web' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'help'
            __key-store_parse_subcommand -r 1 'version'
        end
    end
end

function __key-store_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __key-store_parse_subcommand -S -a positional_count
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

function __key-store_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __key-store_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__key-store_tokens -p)
    if test -z "$(__key-store_tokens -t)"
        set -l index (count (__key-store_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens 2>/dev/null
end

complete -c 'key-store' -f
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store" version' -l 'version' -d 'Show the version.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_positional "key-store" -eq 1' -fa 'set' -d 'Store a secret read from stdin or from a hidden prompt'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_positional "key-store" -eq 1' -fa 'get' -d 'Show a secret, masked'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_positional "key-store" -eq 1' -fa 'check' -d 'Ask the provider whether it accepts the key'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_positional "key-store" -eq 1' -fa 'list' -d 'List available secrets, masked'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_positional "key-store" -eq 1' -fa 'delete' -d 'Delete a stored secret'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_positional "key-store" -eq 1' -fa 'import' -d 'Store the secrets found in the environment'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_positional "key-store" -eq 1' -fa 'login' -d 'Log in to GitHub and store the token'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_positional "key-store" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_positional "key-store set" -eq 1' -fka '(__key-store_custom_completion ---completion set -- positional@0 (count (__key-store_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store set" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store set" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store set" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store set" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store set" version' -l 'version' -d 'Show the version.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store set" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_positional "key-store get" -eq 1' -fka '(__key-store_custom_completion ---completion get -- positional@0 (count (__key-store_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store get" reveal' -l 'reveal' -d 'Write only the secret, unmasked.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store get" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store get" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store get" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store get" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store get" version' -l 'version' -d 'Show the version.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store get" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_positional "key-store check" -eq 1' -fka '(__key-store_custom_completion ---completion check -- positional@0 (count (__key-store_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store check" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store check" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store check" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store check" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store check" version' -l 'version' -d 'Show the version.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store check" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store list" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store list" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store list" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store list" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store list" version' -l 'version' -d 'Show the version.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store list" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_positional "key-store delete" -eq 1' -fka '(__key-store_custom_completion ---completion delete -- positional@0 (count (__key-store_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store delete" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store delete" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store delete" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store delete" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store delete" version' -l 'version' -d 'Show the version.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store delete" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store import" from-environment' -l 'from-environment' -d 'Read the providers\' usual variables.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store import" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store import" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store import" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store import" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store import" version' -l 'version' -d 'Show the version.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store import" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_positional "key-store login" -eq 1' -fka 'github'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store login" device' -l 'device' -d 'Enter a code on any device; the default.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store login" web' -l 'web' -d 'Log in with the browser on this machine.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store login" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store login" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store login" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store login" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store login" version' -l 'version' -d 'Show the version.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store login" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'key-store' -n '__key-store_should_offer_completions_for_flags_or_options "key-store help" version' -l 'version' -d 'Show the version.'
