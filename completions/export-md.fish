function __export-md_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __export-md_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __export-md_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __export-md_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __export-md_parse_tokens -S
    set -l unparsed_tokens (__export-md_tokens -pc)
    switch $unparsed_tokens[1]
    case 'export-md'
        __export-md_parse_subcommand 0 'into=' 'template=' 'fields=' 'dry-run' 'replace' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'help'
            __export-md_parse_subcommand -r 1 'version'
        end
    end
end

function __export-md_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __export-md_parse_subcommand -S -a positional_count
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

function __export-md_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __export-md_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__export-md_tokens -p)
    if test -z "$(__export-md_tokens -t)"
        set -l index (count (__export-md_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens 2>/dev/null
end

complete -c 'export-md' -f
complete -c 'export-md' -n '__export-md_should_offer_completions_for_flags_or_options "export-md" into' -l 'into' -d 'The target folder; ~/Documents/AgentOS by default.' -rfa '(__export-md_complete_directories)'
complete -c 'export-md' -n '__export-md_should_offer_completions_for_flags_or_options "export-md" template' -l 'template' -d 'Path of each file, such as {project}/{role}-{date}.md.' -rfka ''
complete -c 'export-md' -n '__export-md_should_offer_completions_for_flags_or_options "export-md" fields' -l 'fields' -d 'Front matter, such as title,author,fetchedAt; or all.' -rfka ''
complete -c 'export-md' -n '__export-md_should_offer_completions_for_flags_or_options "export-md" dry-run' -l 'dry-run' -d 'Show what would be written; write nothing.'
complete -c 'export-md' -n '__export-md_should_offer_completions_for_flags_or_options "export-md" replace' -l 'replace' -d 'Overwrite files that were edited by hand.'
complete -c 'export-md' -n '__export-md_should_offer_completions_for_flags_or_options "export-md" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'export-md' -n '__export-md_should_offer_completions_for_flags_or_options "export-md" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'export-md' -n '__export-md_should_offer_completions_for_flags_or_options "export-md" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'export-md' -n '__export-md_should_offer_completions_for_flags_or_options "export-md" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'export-md' -n '__export-md_should_offer_completions_for_flags_or_options "export-md" version' -l 'version' -d 'Show the version.'
complete -c 'export-md' -n '__export-md_should_offer_completions_for_flags_or_options "export-md" h help' -s 'h' -l 'help' -d 'Show help information.'
