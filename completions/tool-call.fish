function __tool-call_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __tool-call_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __tool-call_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __tool-call_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __tool-call_parse_tokens -S
    set -l unparsed_tokens (__tool-call_tokens -pc)
    switch $unparsed_tokens[1]
    case 'tool-call'
        __tool-call_parse_subcommand 0 'allow=+' 'mcp-config=' 'read-only' 'schema=' 'jobs=' 'gate' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'list'
            __tool-call_parse_subcommand 1 'fresh' 'allow=+' 'mcp-config=' 'read-only' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'search'
            __tool-call_parse_subcommand -r 1 'fresh' 'allow=+' 'mcp-config=' 'read-only' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'show'
            __tool-call_parse_subcommand 1 'allow=+' 'mcp-config=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'call'
            __tool-call_parse_subcommand -r 2 'allow=+' 'mcp-config=' 'read-only' 'schema=' 'jobs=' 'gate' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'add'
            __tool-call_parse_subcommand -r 3 'env=+' 'header=+' 'cwd=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'import'
            __tool-call_parse_subcommand 1 'allow=+' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'remove'
            __tool-call_parse_subcommand 1 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'login'
            __tool-call_parse_subcommand 1 'no-browser' 'allow=+' 'mcp-config=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'logout'
            __tool-call_parse_subcommand 1 'allow=+' 'mcp-config=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'forget'
            __tool-call_parse_subcommand 1 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'help'
            __tool-call_parse_subcommand -r 1 'version'
        end
    end
end

function __tool-call_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __tool-call_parse_subcommand -S -a positional_count
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

function __tool-call_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __tool-call_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__tool-call_tokens -p)
    if test -z "$(__tool-call_tokens -t)"
        set -l index (count (__tool-call_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens 2>/dev/null
end

complete -c 'tool-call' -f
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call" version' -l 'version' -d 'Show the version.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_positional "tool-call" -eq 1' -fa 'list' -d 'List tools'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_positional "tool-call" -eq 1' -fa 'search' -d 'Search tools by words, the best match first'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_positional "tool-call" -eq 1' -fa 'show' -d 'Show a tool, its schema and its permission'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_positional "tool-call" -eq 1' -fa 'call' -d 'Call a tool, or the calls on stdin; implied without a command'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_positional "tool-call" -eq 1' -fa 'add' -d 'Add a server, or replace it'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_positional "tool-call" -eq 1' -fa 'import' -d 'Add the servers of another program\'s file'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_positional "tool-call" -eq 1' -fa 'remove' -d 'Remove an added server'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_positional "tool-call" -eq 1' -fa 'login' -d 'Log in at a server'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_positional "tool-call" -eq 1' -fa 'logout' -d 'Delete the login at a server'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_positional "tool-call" -eq 1' -fa 'forget' -d 'Remove agreements to tools and servers'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_positional "tool-call" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_positional "tool-call list" -eq 1' -fka '(__tool-call_custom_completion ---completion list -- positional@0 (count (__tool-call_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call list" fresh' -l 'fresh' -d 'Read the lists now, not from the cache.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call list"' -l 'allow' -d 'Allow tools or servers that match; repeatable.' -rfka ''
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call list" mcp-config' -l 'mcp-config' -d 'Use the servers of this file too, for this run.' -rF
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call list" read-only' -l 'read-only' -d 'Use only tools that are marked as read-only.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call list" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call list" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call list" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call list" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call list" version' -l 'version' -d 'Show the version.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call list" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call search" fresh' -l 'fresh' -d 'Read the lists now, not from the cache.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call search"' -l 'allow' -d 'Allow tools or servers that match; repeatable.' -rfka ''
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call search" mcp-config' -l 'mcp-config' -d 'Use the servers of this file too, for this run.' -rF
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call search" read-only' -l 'read-only' -d 'Use only tools that are marked as read-only.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call search" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call search" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call search" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call search" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call search" version' -l 'version' -d 'Show the version.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call search" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_positional "tool-call show" -eq 1' -fka '(__tool-call_custom_completion ---completion show -- positional@0 (count (__tool-call_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call show"' -l 'allow' -d 'Allow tools or servers that match; repeatable.' -rfka ''
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call show" mcp-config' -l 'mcp-config' -d 'Use the servers of this file too, for this run.' -rF
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call show" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call show" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call show" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call show" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call show" version' -l 'version' -d 'Show the version.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call show" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_positional "tool-call call" -eq 1' -fka '(__tool-call_custom_completion ---completion call -- positional@0 (count (__tool-call_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call call"' -l 'allow' -d 'Allow tools or servers that match; repeatable.' -rfka ''
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call" mcp-config' -l 'mcp-config' -d 'Use the servers of this file too, for this run.' -rF
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call call" mcp-config' -l 'mcp-config' -d 'Use the servers of this file too, for this run.' -rF
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call" read-only' -l 'read-only' -d 'Use only tools that are marked as read-only.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call call" read-only' -l 'read-only' -d 'Use only tools that are marked as read-only.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call" schema' -l 'schema' -d 'Refuse the tool unless its schema is this.' -rF
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call call" schema' -l 'schema' -d 'Refuse the tool unless its schema is this.' -rF
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call" jobs' -l 'jobs' -d 'Run this many calls of stdin at once.' -rfka ''
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call call" jobs' -l 'jobs' -d 'Run this many calls of stdin at once.' -rfka ''
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call" gate' -l 'gate' -d 'Ask for permission by opening a gate.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call call" gate' -l 'gate' -d 'Ask for permission by opening a gate.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call call" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call call" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call call" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call call" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call call" version' -l 'version' -d 'Show the version.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call call" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call add"' -l 'env' -d 'Set a variable of the command: NAME=value or NAME=key:SECRET.' -rfka ''
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call add"' -l 'header' -d 'Send a header: \'Name: value\' or \'Name: key:SECRET\'.' -rfka ''
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call add" cwd' -l 'cwd' -d 'The folder in which the command runs.' -rfa '(__tool-call_complete_directories)'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call add" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call add" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call add" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call add" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call add" version' -l 'version' -d 'Show the version.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call add" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_positional "tool-call import" -eq 1' -F
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call import"' -l 'allow' -d 'Agree to servers that match; repeatable.' -rfka ''
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call import" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call import" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call import" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call import" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call import" version' -l 'version' -d 'Show the version.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call import" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_positional "tool-call remove" -eq 1' -fka '(__tool-call_custom_completion ---completion remove -- positional@0 (count (__tool-call_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call remove" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call remove" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call remove" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call remove" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call remove" version' -l 'version' -d 'Show the version.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call remove" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_positional "tool-call login" -eq 1' -fka '(__tool-call_custom_completion ---completion login -- positional@0 (count (__tool-call_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call login" no-browser' -l 'no-browser' -d 'Print the address of the page, and read the address of the redirect.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call login"' -l 'allow' -d 'Allow tools or servers that match; repeatable.' -rfka ''
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call login" mcp-config' -l 'mcp-config' -d 'Use the servers of this file too, for this run.' -rF
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call login" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call login" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call login" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call login" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call login" version' -l 'version' -d 'Show the version.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call login" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_positional "tool-call logout" -eq 1' -fka '(__tool-call_custom_completion ---completion logout -- positional@0 (count (__tool-call_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call logout"' -l 'allow' -d 'Allow tools or servers that match; repeatable.' -rfka ''
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call logout" mcp-config' -l 'mcp-config' -d 'Use the servers of this file too, for this run.' -rF
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call logout" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call logout" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call logout" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call logout" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call logout" version' -l 'version' -d 'Show the version.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call logout" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call forget" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call forget" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call forget" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call forget" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call forget" version' -l 'version' -d 'Show the version.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call forget" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'tool-call' -n '__tool-call_should_offer_completions_for_flags_or_options "tool-call help" version' -l 'version' -d 'Show the version.'
