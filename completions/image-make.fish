function __image-make_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __image-make_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __image-make_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __image-make_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __image-make_parse_tokens -S
    set -l unparsed_tokens (__image-make_tokens -pc)
    switch $unparsed_tokens[1]
    case 'image-make'
        __image-make_parse_subcommand 1 'model=' 'size=' 'count=' 'quality=' 'into=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'help'
            __image-make_parse_subcommand -r 1 'version'
        end
    end
end

function __image-make_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __image-make_parse_subcommand -S -a positional_count
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

function __image-make_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __image-make_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__image-make_tokens -p)
    if test -z "$(__image-make_tokens -t)"
        set -l index (count (__image-make_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens 2>/dev/null
end

complete -c 'image-make' -f
complete -c 'image-make' -n '__image-make_should_offer_completions_for_flags_or_options "image-make" model' -l 'model' -d 'The model to use: NAME or PROVIDER/NAME.' -rfka '(__image-make_custom_completion ---completion -- --model (count (__image-make_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'image-make' -n '__image-make_should_offer_completions_for_flags_or_options "image-make" size' -l 'size' -d 'The size in pixels, such as 1024x1024.' -rfka ''
complete -c 'image-make' -n '__image-make_should_offer_completions_for_flags_or_options "image-make" count' -l 'count' -d 'The number of pictures.' -rfka ''
complete -c 'image-make' -n '__image-make_should_offer_completions_for_flags_or_options "image-make" quality' -l 'quality' -d 'The quality, in the provider\'s terms.' -rfka ''
complete -c 'image-make' -n '__image-make_should_offer_completions_for_flags_or_options "image-make" into' -l 'into' -d 'Write into this folder.' -rfa '(__image-make_complete_directories)'
complete -c 'image-make' -n '__image-make_should_offer_completions_for_flags_or_options "image-make" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'image-make' -n '__image-make_should_offer_completions_for_flags_or_options "image-make" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'image-make' -n '__image-make_should_offer_completions_for_flags_or_options "image-make" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'image-make' -n '__image-make_should_offer_completions_for_flags_or_options "image-make" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'image-make' -n '__image-make_should_offer_completions_for_flags_or_options "image-make" version' -l 'version' -d 'Show the version.'
complete -c 'image-make' -n '__image-make_should_offer_completions_for_flags_or_options "image-make" h help' -s 'h' -l 'help' -d 'Show help information.'
