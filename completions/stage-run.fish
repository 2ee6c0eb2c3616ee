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
        __stage-run_parse_subcommand 1 'resume' 'yolo' 'max-cost=' 'max-total-tokens=' 'wait=' 'gate-timeout=' 'stream' 'jobs=' 'model=' 'effort=' 'team=' 'list' 'status=' 'limit=' 'show=' 'cancel=' 'delete=' 'hub=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
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
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" resume' -l 'resume' -d 'Resume unfinished pipelines; do not read stdin.'
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" yolo' -l 'yolo' -d 'Approve every result without asking.'
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" max-cost' -l 'max-cost' -d 'Pause before a pipeline exceeds this cost.' -rfka ''
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" max-total-tokens' -l 'max-total-tokens' -d 'Pause before a pipeline exceeds this many tokens.' -rfka ''
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" wait' -l 'wait' -d 'Wait for gate-decide; without a value, forever.' -rfka ''
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" gate-timeout' -l 'gate-timeout' -d 'Reject a gate after this time.' -rfka ''
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" stream' -l 'stream' -d 'Write \'delta\' records while answers arrive.'
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" jobs' -l 'jobs' -d 'Run this many pipelines at once.' -rfka ''
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" model' -l 'model' -d 'The model to use: NAME or PROVIDER/NAME.' -rfka '(__stage-run_custom_completion ---completion -- --model (count (__stage-run_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" effort' -l 'effort' -d 'Reasoning effort: low, medium, high …' -rfka ''
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" team' -l 'team' -d 'Read each role\'s model, temperature and prompt.' -rF
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" list' -l 'list' -d 'List stored pipelines, newest first.'
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" status' -l 'status' -d 'With --list, show only this status.' -rfka 'waiting running paused completed failed cancelled'
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" limit' -l 'limit' -d 'With --list, show at most this many.' -rfka ''
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" show' -l 'show' -d 'Write all records of a stored pipeline.' -rfka '(__stage-run_custom_completion ---completion -- --show (count (__stage-run_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" cancel' -l 'cancel' -d 'Cancel a pipeline that is not running.' -rfka ''
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" delete' -l 'delete' -d 'Delete a plan that was never run.' -rfka ''
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" hub' -l 'hub' -d 'Use this hub, or A,B: URLs or configured names.' -rfka '(__stage-run_custom_completion ---completion -- --hub (count (__stage-run_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" version' -l 'version' -d 'Show the version.'
complete -c 'stage-run' -n '__stage-run_should_offer_completions_for_flags_or_options "stage-run" h help' -s 'h' -l 'help' -d 'Show help information.'
