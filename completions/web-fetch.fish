function __web-fetch_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __web-fetch_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __web-fetch_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __web-fetch_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __web-fetch_parse_tokens -S
    set -l unparsed_tokens (__web-fetch_tokens -pc)
    switch $unparsed_tokens[1]
    case 'web-fetch'
        __web-fetch_parse_subcommand -r 1 'max-characters=' 'offset=' 'format=' 'select=' 'whole' 'images' 'expand' 'html' 'files=' 'timeout=' 'parallel=' 'ordered' 'cache' 'no-robots' 'header=+' 'allow-private' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'help'
            __web-fetch_parse_subcommand -r 1 'version'
        end
    end
end

function __web-fetch_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __web-fetch_parse_subcommand -S -a positional_count
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

function __web-fetch_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __web-fetch_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__web-fetch_tokens -p)
    if test -z "$(__web-fetch_tokens -t)"
        set -l index (count (__web-fetch_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens 2>/dev/null
end

complete -c 'web-fetch' -f
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_positional "web-fetch" -ge 1' -F
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" max-characters' -l 'max-characters' -d 'Limit of the text; 0 for none.' -rfka ''
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" offset' -l 'offset' -d 'Skip this many characters.' -rfka ''
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" format' -l 'format' -d 'Write only this form.' -rfka 'text markdown'
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" select' -l 'select' -d 'Keep only elements that match this selector.' -rfka ''
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" whole' -l 'whole' -d 'Keep the whole page, with its navigation.'
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" images' -l 'images' -d 'Include images in Markdown.'
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" expand' -l 'expand' -d 'Write feed and sitemap entries as \'url\' records.'
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" html' -l 'html' -d 'Read files, or one document on stdin, as HTML.'
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" files' -l 'files' -d 'Read the files listed in this file, or in \'-\'.' -rF
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" timeout' -l 'timeout' -d 'Time limit for a page; 15 s by default.' -rfka ''
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" parallel' -l 'parallel' -d 'Fetch this many pages at once.' -rfka ''
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" ordered' -l 'ordered' -d 'Write pages in the order of their URLs.'
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" cache' -l 'cache' -d 'Cache responses as HTTP allows.'
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" no-robots' -l 'no-robots' -d 'Ignore robots.txt.'
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch"' -l 'header' -d 'Send a header: \'Name: value\', or @FILE for several.' -rfka ''
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" allow-private' -l 'allow-private' -d 'Allow private and loopback addresses.'
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" version' -l 'version' -d 'Show the version.'
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" h help' -s 'h' -l 'help' -d 'Show help information.'
