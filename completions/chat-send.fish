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
        __chat-send_parse_subcommand 1 'continue' 'chat=' 'project=' 'model=+' 'fallback=' 'system=' 'attach=+' 'temperature=' 'effort=' 'max-tokens=' 'stop=+' 'schema=' 'repair=' 'cache' 'n/no-input' 'stream' 'no-store' 'trace' 'host=' 'allow-http' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
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
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" continue' -l 'continue' -d 'Go on with the last chat.'
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" chat' -l 'chat' -d 'Go on with this chat.' -rfka '(__chat-send_custom_completion ---completion -- --chat (count (__chat-send_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" project' -l 'project' -d 'A folder, or the name of a known project.' -rfka '(__chat-send_custom_completion ---completion -- --project (count (__chat-send_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send"' -l 'model' -d 'Ask this model; may be repeated.' -rfka '(__chat-send_custom_completion ---completion -- --model (count (__chat-send_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" fallback' -l 'fallback' -d 'Ask it where a model cannot be asked.' -rfka '(__chat-send_custom_completion ---completion -- --fallback (count (__chat-send_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" system' -l 'system' -d 'Instruct the models.' -rfka ''
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send"' -l 'attach' -d 'Send a picture, a PDF or a text along; may be repeated.' -rF
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" temperature' -l 'temperature' -d 'The sampling temperature.' -rfka ''
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" effort' -l 'effort' -d 'How hard models think: low, medium, high …' -rfka ''
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" max-tokens' -l 'max-tokens' -d 'The most tokens of an answer; 32000 otherwise.' -rfka ''
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send"' -l 'stop' -d 'End an answer at this text; may be repeated.' -rfka ''
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" schema' -l 'schema' -d 'Have answers be JSON that fits this JSON Schema.' -rF
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" repair' -l 'repair' -d 'Ask so often again for JSON that fits.' -rfka ''
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" cache' -l 'cache' -d 'Keep a single prompt in the provider\'s cache, too.'
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" n no-input' -s 'n' -l 'no-input' -d 'Leave stdin alone.'
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" stream' -l 'stream' -d 'Write what models say as it comes, too.'
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" no-store' -l 'no-store' -d 'Keep neither prompt nor answers, only what they cost.'
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" trace' -l 'trace' -d 'Show on stderr what goes over the wire, without secrets.'
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" host' -l 'host' -d 'Ask a host that this machine paired with, by its name or URL.' -rfka '(__chat-send_custom_completion ---completion -- --host (count (__chat-send_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" allow-http' -l 'allow-http' -d 'Send HTTP in the clear to addresses of the whole world, too.'
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" json' -l 'json' -d 'Write NDJSON, on a terminal too.'
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" text' -l 'text' -d 'Write text for people, in a pipe too.'
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" color' -l 'color' -d 'Colour text: auto, always or never.' -rfka 'auto always never'
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" v verbose' -l 'verbose' -s 'v' -d 'Tell on stderr what is done.'
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" version' -l 'version' -d 'Show the version.'
complete -c 'chat-send' -n '__chat-send_should_offer_completions_for_flags_or_options "chat-send" h help' -s 'h' -l 'help' -d 'Show help information.'
