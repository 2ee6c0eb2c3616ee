function __chat-send_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __chat-send_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __chat-send_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __chat-send_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __chat-send_parse_tokens -S
    set -l unparsed_tokens (__chat-send_tokens -pc)
    switch $unparsed_tokens[1]
    case 'chat-send'
        __chat-send_parse_subcommand 1 'continue' 'chat=' 'project=' 'model=+' 'fallback=' 'system=' 'attach=+' 'temperature=' 'effort=' 'max-tokens=' 'schema=' 'n/no-input' 'tool=+' 'allow=+' 'max-cost=' 'stream' 'no-store' 'host=' 'allow-http' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'help'
            __chat-send_parse_subcommand -r 1 'version'
        end
    end
end

function __chat-send_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __chat-send_parse_subcommand -S -a positional_count
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

function __chat-send_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __chat-send_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__chat-send_tokens -p)
    if test -z "$(__chat-send_tokens -t)"
        set -l index (count (__chat-send_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens 2>/dev/null
end

complete -c 'chat-send' -f
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" continue' -l 'continue' -d 'Continue the last chat.'
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" chat' -l 'chat' -d 'Continue this chat.' -rfka '(__chat-send_custom_completion ---completion -- --chat (count (__chat-send_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" project' -l 'project' -d 'The chat\'s project: a folder or a name.' -rfka '(__chat-send_custom_completion ---completion -- --project (count (__chat-send_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send"' -l 'model' -d 'The model to use; may be repeated.' -rfka '(__chat-send_custom_completion ---completion -- --model (count (__chat-send_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" fallback' -l 'fallback' -d 'Use this model if another one is unavailable.' -rfka '(__chat-send_custom_completion ---completion -- --fallback (count (__chat-send_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" system' -l 'system' -d 'The system prompt.' -rfka ''
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send"' -l 'attach' -d 'Attach an image, a PDF or a text; may be repeated.' -rF
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" temperature' -l 'temperature' -d 'Sampling temperature.' -rfka ''
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" effort' -l 'effort' -d 'Reasoning effort: low, medium, high …' -rfka ''
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" max-tokens' -l 'max-tokens' -d 'Token limit of an answer; 32000 by default.' -rfka ''
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" schema' -l 'schema' -d 'Request JSON that matches this JSON Schema.' -rF
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" n no-input' -s 'n' -l 'no-input' -d 'Do not read stdin.'
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send"' -l 'tool' -d 'Offer these tools to the model; may be repeated.' -rfka '(__chat-send_custom_completion ---completion -- --tool (count (__chat-send_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send"' -l 'allow' -d 'Call these tools without asking; may be repeated.' -rfka '(__chat-send_custom_completion ---completion -- --allow (count (__chat-send_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" max-cost' -l 'max-cost' -d 'Stop before the run exceeds this cost.' -rfka ''
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" stream' -l 'stream' -d 'Write \'delta\' records while answers arrive.'
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" no-store' -l 'no-store' -d 'Store only the cost, not the prompt or the answers.'
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" host' -l 'host' -d 'Use this paired host: a name or a URL.' -rfka '(__chat-send_custom_completion ---completion -- --host (count (__chat-send_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" allow-http' -l 'allow-http' -d 'Allow plain HTTP to public addresses.'
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" version' -l 'version' -d 'Show the version.'
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" h help' -s 'h' -l 'help' -d 'Show help information.'
