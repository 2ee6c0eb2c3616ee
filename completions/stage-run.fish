function __stage-run_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __stage-run_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __stage-run_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __stage-run_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __stage-run_parse_tokens -S
    set -l unparsed_tokens (__stage-run_tokens -pc)
    switch $unparsed_tokens[1]
    case 'stage-run'
        __stage-run_parse_subcommand 1 'resume' 'yolo' 'max-cost=' 'max-total-tokens=' 'wait=' 'gate-timeout=' 'stream' 'jobs=' 'model=' 'effort=' 'team=' 'allow-private' 'list' 'status=' 'limit=' 'show=' 'cancel=' 'delete=' 'hub=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'help'
            __stage-run_parse_subcommand -r 1 'version'
        end
    end
end

function __stage-run_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __stage-run_parse_subcommand -S -a positional_count
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

function __stage-run_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __stage-run_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__stage-run_tokens -p)
    if test -z "$(__stage-run_tokens -t)"
        set -l index (count (__stage-run_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens 2>/dev/null
end

complete -c 'stage-run' -f
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_positional "stage-run" -eq 1' -fka '(__stage-run_custom_completion ---completion -- positional@0 (count (__stage-run_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" resume' -l 'resume' -d 'Go on with begun pipelines; stdin is not read.'
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" yolo' -l 'yolo' -d 'Approve every result without asking.'
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" max-cost' -l 'max-cost' -d 'Stop before a pipeline costs more.' -rfka ''
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" max-total-tokens' -l 'max-total-tokens' -d 'Stop before it uses more.' -rfka ''
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" wait' -l 'wait' -d 'Wait for gate-decide so long; without a value, on.' -rfka ''
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" gate-timeout' -l 'gate-timeout' -d 'Reject what nobody decided in time.' -rfka ''
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" stream' -l 'stream' -d 'Write answers as they arrive, as \'delta\' records.'
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" jobs' -l 'jobs' -d 'Run so many pipelines at once.' -rfka ''
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" model' -l 'model' -d 'Ask this model: NAME or PROVIDER/NAME.' -rfka '(__stage-run_custom_completion ---completion -- --model (count (__stage-run_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" effort' -l 'effort' -d 'How hard models think: low, medium, high …' -rfka ''
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" team' -l 'team' -d 'Take models, temperatures and prompts by role.' -rF
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" allow-private' -l 'allow-private' -d 'Read pages on private addresses too.'
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" list' -l 'list' -d 'List stored pipelines, the newest first.'
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" status' -l 'status' -d 'With --list: those of one status only.' -rfka 'waiting running paused completed failed cancelled'
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" limit' -l 'limit' -d 'With --list: at most so many.' -rfka ''
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" show' -l 'show' -d 'Write one stored pipeline whole.' -rfka '(__stage-run_custom_completion ---completion -- --show (count (__stage-run_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" cancel' -l 'cancel' -d 'End one that is not run, for good.' -rfka ''
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" delete' -l 'delete' -d 'Remove a plan that was never run.' -rfka ''
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" hub' -l 'hub' -d 'Ask this hub, by its URL or its name in the configuration.' -rfka '(__stage-run_custom_completion ---completion -- --hub (count (__stage-run_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" json' -l 'json' -d 'Write NDJSON, on a terminal too.'
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" text' -l 'text' -d 'Write text for people, in a pipe too.'
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" color' -l 'color' -d 'Colour text: auto, always or never.' -rfka 'auto always never'
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" v verbose' -l 'verbose' -s 'v' -d 'Tell on stderr what is done.'
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" version' -l 'version' -d 'Show the version.'
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" h help' -s 'h' -l 'help' -d 'Show help information.'
