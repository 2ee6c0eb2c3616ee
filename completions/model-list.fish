function __model-list_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __model-list_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __model-list_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __model-list_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __model-list_parse_tokens -S
    set -l unparsed_tokens (__model-list_tokens -pc)
    switch $unparsed_tokens[1]
    case 'model-list'
        __model-list_parse_subcommand 0 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'list'
            __model-list_parse_subcommand 0 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'show'
            __model-list_parse_subcommand 1 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'add'
            __model-list_parse_subcommand 1 'provider=' 'endpoint=' 'kind=' 'key=' 'context=' 'input-price=' 'output-price=' 'cache-read-price=' 'cache-write-price=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'remove'
            __model-list_parse_subcommand 1 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'default'
            __model-list_parse_subcommand 1 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'alias'
            __model-list_parse_subcommand 2 'remove' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'refresh'
            __model-list_parse_subcommand -r 1 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'prices'
            __model-list_parse_subcommand 0 'from=' 'yes' 'accept=+' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'check'
            __model-list_parse_subcommand 1 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'help'
            __model-list_parse_subcommand -r 1 'version'
        end
    end
end

function __model-list_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __model-list_parse_subcommand -S -a positional_count
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

function __model-list_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __model-list_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__model-list_tokens -p)
    if test -z "$(__model-list_tokens -t)"
        set -l index (count (__model-list_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens 2>/dev/null
end

complete -c 'model-list' -f
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list" version' -l 'version' -d 'Show the version.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_positional "model-list" -eq 1' -fa 'list' -d 'List built-in, added and downloaded models'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_positional "model-list" -eq 1' -fa 'show' -d 'Show the facts about a model'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_positional "model-list" -eq 1' -fa 'add' -d 'Add a model, or replace its description'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_positional "model-list" -eq 1' -fa 'remove' -d 'Remove an added model'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_positional "model-list" -eq 1' -fa 'default' -d 'Set the default model'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_positional "model-list" -eq 1' -fa 'alias' -d 'Give a model a short name'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_positional "model-list" -eq 1' -fa 'refresh' -d 'Download the model lists of providers'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_positional "model-list" -eq 1' -fa 'prices' -d 'Store the prices of a published table'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_positional "model-list" -eq 1' -fa 'check' -d 'Test a model with a short request, which costs a little'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_positional "model-list" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list list" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list list" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list list" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list list" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list list" version' -l 'version' -d 'Show the version.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list list" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_positional "model-list show" -eq 1' -fka '(__model-list_custom_completion ---completion show -- positional@0 (count (__model-list_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list show" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list show" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list show" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list show" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list show" version' -l 'version' -d 'Show the version.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list show" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list add" provider' -l 'provider' -d 'The provider: anthropic, openai, azure, github, local.' -rfka 'anthropic openai azure local github'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list add" endpoint' -l 'endpoint' -d 'The base URL of the server.' -rfka ''
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list add" kind' -l 'kind' -d 'The API of the server: chat, responses or image.' -rfka 'chat responses image'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list add" key' -l 'key' -d 'The name of its key; the provider\'s by default.' -rfka '(__model-list_custom_completion ---completion add -- --key (count (__model-list_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list add" context' -l 'context' -d 'The context window, in tokens.' -rfka ''
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list add" input-price' -l 'input-price' -d 'US dollars per million input tokens.' -rfka ''
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list add" output-price' -l 'output-price' -d 'US dollars per million output tokens.' -rfka ''
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list add" cache-read-price' -l 'cache-read-price' -d 'US dollars per million tokens read from a cache.' -rfka ''
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list add" cache-write-price' -l 'cache-write-price' -d 'US dollars per million tokens written to a cache.' -rfka ''
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list add" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list add" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list add" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list add" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list add" version' -l 'version' -d 'Show the version.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list add" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_positional "model-list remove" -eq 1' -fka '(__model-list_custom_completion ---completion remove -- positional@0 (count (__model-list_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list remove" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list remove" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list remove" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list remove" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list remove" version' -l 'version' -d 'Show the version.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list remove" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_positional "model-list default" -eq 1' -fka '(__model-list_custom_completion ---completion default -- positional@0 (count (__model-list_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list default" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list default" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list default" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list default" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list default" version' -l 'version' -d 'Show the version.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list default" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_positional "model-list alias" -eq 1' -fka '(__model-list_custom_completion ---completion alias -- positional@1 (count (__model-list_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list alias" remove' -l 'remove' -d 'Remove the short name.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list alias" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list alias" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list alias" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list alias" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list alias" version' -l 'version' -d 'Show the version.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list alias" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_positional "model-list refresh" -ge 1' -fka 'anthropic openai azure local github'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list refresh" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list refresh" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list refresh" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list refresh" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list refresh" version' -l 'version' -d 'Show the version.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list refresh" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list prices" from' -l 'from' -d 'The table: genai-prices\' data.json or prices.ndjson.' -rF
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list prices" yes' -l 'yes' -d 'Store changes without asking, except tenfold ones.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list prices"' -l 'accept' -d 'Store tenfold changes of this model too.' -rfka ''
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list prices" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list prices" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list prices" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list prices" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list prices" version' -l 'version' -d 'Show the version.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list prices" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_positional "model-list check" -eq 1' -fka '(__model-list_custom_completion ---completion check -- positional@0 (count (__model-list_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list check" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list check" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list check" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list check" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list check" version' -l 'version' -d 'Show the version.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list check" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'model-list' -n '__model-list_should_offer_completions_for_flags_or_options "model-list help" version' -l 'version' -d 'Show the version.'
