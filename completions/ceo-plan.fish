function __ceo-plan_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __ceo-plan_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __ceo-plan_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __ceo-plan_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __ceo-plan_parse_tokens -S
    set -l unparsed_tokens (__ceo-plan_tokens -pc)
    switch $unparsed_tokens[1]
    case 'ceo-plan'
        __ceo-plan_parse_subcommand 1 'project=' 'url=+' 'model=' 'effort=' 'team=' 'temperature=' 'continue' 'parse' 'hub=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'help'
            __ceo-plan_parse_subcommand -r 1 'version'
        end
    end
end

function __ceo-plan_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __ceo-plan_parse_subcommand -S -a positional_count
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

function __ceo-plan_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __ceo-plan_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__ceo-plan_tokens -p)
    if test -z "$(__ceo-plan_tokens -t)"
        set -l index (count (__ceo-plan_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens 2>/dev/null
end

complete -c 'ceo-plan' -f
complete -c 'ceo-plan' -n '__ceo-plan_should_offer_completions_for_flags_or_options "ceo-plan" project' -l 'project' -d 'The project name, for exported files.' -rfka ''
complete -c 'ceo-plan' -n '__ceo-plan_should_offer_completions_for_flags_or_options "ceo-plan"' -l 'url' -d 'A page to use as a source; may be repeated.' -rfka ''
complete -c 'ceo-plan' -n '__ceo-plan_should_offer_completions_for_flags_or_options "ceo-plan" model' -l 'model' -d 'The model to use: NAME or PROVIDER/NAME.' -rfka '(__ceo-plan_custom_completion ---completion -- --model (count (__ceo-plan_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'ceo-plan' -n '__ceo-plan_should_offer_completions_for_flags_or_options "ceo-plan" effort' -l 'effort' -d 'Reasoning effort: low, medium, high …' -rfka ''
complete -c 'ceo-plan' -n '__ceo-plan_should_offer_completions_for_flags_or_options "ceo-plan" team' -l 'team' -d 'Read each role\'s model, temperature and prompt.' -rF
complete -c 'ceo-plan' -n '__ceo-plan_should_offer_completions_for_flags_or_options "ceo-plan" temperature' -l 'temperature' -d 'Sampling temperature, if the model accepts one.' -rfka ''
complete -c 'ceo-plan' -n '__ceo-plan_should_offer_completions_for_flags_or_options "ceo-plan" continue' -l 'continue' -d 'Continue the last exchange.'
complete -c 'ceo-plan' -n '__ceo-plan_should_offer_completions_for_flags_or_options "ceo-plan" parse' -l 'parse' -d 'Parse a reply from stdin instead of asking a model.'
complete -c 'ceo-plan' -n '__ceo-plan_should_offer_completions_for_flags_or_options "ceo-plan" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__ceo-plan_custom_completion ---completion -- --hub (count (__ceo-plan_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'ceo-plan' -n '__ceo-plan_should_offer_completions_for_flags_or_options "ceo-plan" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'ceo-plan' -n '__ceo-plan_should_offer_completions_for_flags_or_options "ceo-plan" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'ceo-plan' -n '__ceo-plan_should_offer_completions_for_flags_or_options "ceo-plan" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'ceo-plan' -n '__ceo-plan_should_offer_completions_for_flags_or_options "ceo-plan" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'ceo-plan' -n '__ceo-plan_should_offer_completions_for_flags_or_options "ceo-plan" version' -l 'version' -d 'Show the version.'
complete -c 'ceo-plan' -n '__ceo-plan_should_offer_completions_for_flags_or_options "ceo-plan" h help' -s 'h' -l 'help' -d 'Show help information.'
