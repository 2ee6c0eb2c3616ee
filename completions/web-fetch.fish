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
        __web-fetch_parse_subcommand -r 1 'max-characters=' 'offset=' 'format=' 'select=' 'whole' 'show-hidden' 'images' 'expand' 'html' 'files=' 'timeout=' 'parallel=' 'per-host=' 'ordered' 'cache' 'no-robots' 'header=+' 'allow-private' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
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
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" max-characters' -l 'max-characters' -d 'Cut the text there; 0 keeps all.' -rfka ''
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" offset' -l 'offset' -d 'Pass over the start of the text.' -rfka ''
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" format' -l 'format' -d 'Keep one: text or markdown.' -rfka 'text markdown'
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" select' -l 'select' -d 'Keep the elements that a CSS selector names.' -rfka ''
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" whole' -l 'whole' -d 'Keep navigation and all.'
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" show-hidden' -l 'show-hidden' -d 'Keep hidden text, marked.'
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" images' -l 'images' -d 'Name images in Markdown.'
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" expand' -l 'expand' -d 'Write the entries of feeds and sitemaps as url records.'
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" html' -l 'html' -d 'Read files, and \'-\' or nothing as a document on stdin, as HTML.'
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" files' -l 'files' -d 'Read the files named there; \'-\' is stdin.' -rF
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" timeout' -l 'timeout' -d 'Give a page up after so long; 15 s.' -rfka ''
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" parallel' -l 'parallel' -d 'Fetch so many pages at once.' -rfka ''
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" per-host' -l 'per-host' -d 'Send one host so many requests at once.' -rfka ''
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" ordered' -l 'ordered' -d 'Write pages in the order of their URLs.'
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" cache' -l 'cache' -d 'Keep answers, and use them as HTTP allows.'
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" no-robots' -l 'no-robots' -d 'Fetch what robots.txt does not allow, too.'
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch"' -l 'header' -d 'Send a field: \'Name: value\', or @FILE with some.' -rfka ''
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" allow-private' -l 'allow-private' -d 'Fetch from private and loopback addresses too.'
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" json' -l 'json' -d 'Write NDJSON, on a terminal too.'
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" text' -l 'text' -d 'Write text for people, in a pipe too.'
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" color' -l 'color' -d 'Colour text: auto, always or never.' -rfka 'auto always never'
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" v verbose' -l 'verbose' -s 'v' -d 'Tell on stderr what is done.'
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" version' -l 'version' -d 'Show the version.'
complete -c 'web-fetch' -n '__web-fetch_should_offer_completions_for_flags_or_options "web-fetch" h help' -s 'h' -l 'help' -d 'Show help information.'
