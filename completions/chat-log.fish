function __chat-log_should_offer_completions_for_flags_or_options -a expected_commands
    set -l non_repeating_flags_or_options $argv[2..]
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __chat-log_parse_tokens
    test "$commands" = "$expected_commands"; and return $non_repeating_flags_or_options_absent
end

function __chat-log_should_offer_completions_for_positional -a expected_commands positional_index_comparison expected_positional_index
    set -l non_repeating_flags_or_options
    set -l non_repeating_flags_or_options_absent 0
    set -l positional_index 0
    set -l commands
    __chat-log_parse_tokens
    test "$commands" = "$expected_commands" -a \( "$positional_index" "$positional_index_comparison" "$expected_positional_index" \)
end

function __chat-log_parse_tokens -S
    set -l unparsed_tokens (__chat-log_tokens -pc)
    switch $unparsed_tokens[1]
    case 'chat-log'
        __chat-log_parse_subcommand 0 'version' 'h/help'
        switch $unparsed_tokens[1]
        case 'projects'
            __chat-log_parse_subcommand -r 1 'host=' 'allow-http' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'list'
            __chat-log_parse_subcommand 0 'project=' 'host=' 'allow-http' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'show'
            __chat-log_parse_subcommand 1 'cursor=' 'limit=' 'attachments-into=' 'host=' 'allow-http' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'search'
            __chat-log_parse_subcommand 1 'limit=' 'since=' 'until=' 'role=' 'model=' 'project=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'export'
            __chat-log_parse_subcommand -r 1 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'import'
            __chat-log_parse_subcommand 1 'from-llm=' 'from-claude' 'from-codex' 'from-opencode' 'from-gemini' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'rename'
            __chat-log_parse_subcommand 2 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'delete'
            __chat-log_parse_subcommand -r 1 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'choose'
            __chat-log_parse_subcommand 1 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'usage'
            __chat-log_parse_subcommand 0 'by=' 'since=' 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'rekey'
            __chat-log_parse_subcommand 0 'json' 'text' 'color=' 'v/verbose' 'version' 'h/help'
        case 'help'
            __chat-log_parse_subcommand -r 1 'version'
        end
    end
end

function __chat-log_tokens
    if test (string split -m 1 -f 1 -- . "$FISH_VERSION") -gt 3
        commandline --tokens-raw $argv
    else
        commandline -o $argv
    end
end

function __chat-log_parse_subcommand -S -a positional_count
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

function __chat-log_complete_directories
    set -l token (commandline -t)
    string match -- '*/' $token
    set -l subdirs $token*/
    printf %s\n $subdirs
end

function __chat-log_custom_completion
    set -x SAP_SHELL fish
    set -x SAP_SHELL_VERSION $FISH_VERSION
    set -l tokens (__chat-log_tokens -p)
    if test -z "$(__chat-log_tokens -t)"
        set -l index (count (__chat-log_tokens -pc))
        set tokens $tokens[..$index] \'\' $tokens[(math $index + 1)..]
    end
    command $tokens[1] $argv $tokens 2>/dev/null
end

complete -c 'chat-log' -f
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log" version' -l 'version' -d 'Show the version.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_positional "chat-log" -eq 1' -fa 'projects' -d 'List projects, or add a folder as a project'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_positional "chat-log" -eq 1' -fa 'list' -d 'List chats, newest first'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_positional "chat-log" -eq 1' -fa 'show' -d 'Show the messages of a chat'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_positional "chat-log" -eq 1' -fa 'search' -d 'Find messages that contain all words, newest first'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_positional "chat-log" -eq 1' -fa 'export' -d 'Write chats as records that \'import\' reads'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_positional "chat-log" -eq 1' -fa 'import' -d 'Import exported chats, skipping known messages'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_positional "chat-log" -eq 1' -fa 'rename' -d 'Rename a chat'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_positional "chat-log" -eq 1' -fa 'delete' -d 'Delete chats or messages'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_positional "chat-log" -eq 1' -fa 'choose' -d 'Choose the answer that a chat continues with'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_positional "chat-log" -eq 1' -fa 'usage' -d 'Add up the tokens and costs of answers'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_positional "chat-log" -eq 1' -fa 'rekey' -d 'Encrypt everything again with a new key'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_positional "chat-log" -eq 1' -fa 'help' -d 'Show subcommand help information.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_positional "chat-log projects" -ge 1' -fa '(__chat-log_complete_directories)'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log projects" host' -l 'host' -d 'Use this paired host: a name or a URL.' -rfka '(__chat-log_custom_completion ---completion projects -- --host (count (__chat-log_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log projects" allow-http' -l 'allow-http' -d 'Allow plain HTTP to public addresses.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log projects" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log projects" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log projects" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log projects" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log projects" version' -l 'version' -d 'Show the version.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log projects" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log list" project' -l 'project' -d 'List only this project: a folder or a name.' -rfka '(__chat-log_custom_completion ---completion list -- --project (count (__chat-log_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log list" host' -l 'host' -d 'Use this paired host: a name or a URL.' -rfka '(__chat-log_custom_completion ---completion list -- --host (count (__chat-log_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log list" allow-http' -l 'allow-http' -d 'Allow plain HTTP to public addresses.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log list" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log list" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log list" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log list" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log list" version' -l 'version' -d 'Show the version.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log list" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_positional "chat-log show" -eq 1' -fka '(__chat-log_custom_completion ---completion show -- positional@0 (count (__chat-log_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log show" cursor' -l 'cursor' -d 'Skip this many messages.' -rfka ''
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log show" limit' -l 'limit' -d 'Show at most this many messages.' -rfka ''
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log show" attachments-into' -l 'attachments-into' -d 'Write attachments into this folder.' -rfa '(__chat-log_complete_directories)'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log show" host' -l 'host' -d 'Use this paired host: a name or a URL.' -rfka '(__chat-log_custom_completion ---completion show -- --host (count (__chat-log_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log show" allow-http' -l 'allow-http' -d 'Allow plain HTTP to public addresses.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log show" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log show" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log show" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log show" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log show" version' -l 'version' -d 'Show the version.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log show" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log search" limit' -l 'limit' -d 'Show at most this many.' -rfka ''
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log search" since' -l 'since' -d 'Search messages from this time on: a time, or an age such as 3d.' -rfka ''
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log search" until' -l 'until' -d 'Search messages up to this time.' -rfka ''
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log search" role' -l 'role' -d 'Search messages of this role.' -rfka 'user assistant system tool'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log search" model' -l 'model' -d 'Search answers of this model: a name, or its beginning.' -rfka '(__chat-log_custom_completion ---completion search -- --model (count (__chat-log_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log search" project' -l 'project' -d 'Search only this project: a folder or a name.' -rfka '(__chat-log_custom_completion ---completion search -- --project (count (__chat-log_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log search" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log search" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log search" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log search" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log search" version' -l 'version' -d 'Show the version.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log search" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_positional "chat-log export" -ge 1' -fka '(__chat-log_custom_completion ---completion export -- positional@0 (count (__chat-log_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log export" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log export" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log export" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log export" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log export" version' -l 'version' -d 'Show the version.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log export" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_positional "chat-log import" -eq 1' -F
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log import" from-llm' -l 'from-llm' -d 'Import the logs.db of the program llm.' -rF
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log import" from-claude' -l 'from-claude' -d 'Import sessions of Claude Code.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log import" from-codex' -l 'from-codex' -d 'Import sessions of Codex.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log import" from-opencode' -l 'from-opencode' -d 'Import sessions of OpenCode.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log import" from-gemini' -l 'from-gemini' -d 'Import sessions of Gemini CLI.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log import" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log import" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log import" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log import" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log import" version' -l 'version' -d 'Show the version.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log import" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_positional "chat-log rename" -eq 1' -fka '(__chat-log_custom_completion ---completion rename -- positional@0 (count (__chat-log_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log rename" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log rename" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log rename" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log rename" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log rename" version' -l 'version' -d 'Show the version.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log rename" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_positional "chat-log delete" -ge 1' -fka '(__chat-log_custom_completion ---completion delete -- positional@0 (count (__chat-log_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log delete" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log delete" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log delete" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log delete" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log delete" version' -l 'version' -d 'Show the version.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log delete" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_positional "chat-log choose" -eq 1' -fka '(__chat-log_custom_completion ---completion choose -- positional@0 (count (__chat-log_tokens -pc)) (string length -- "$(commandline -ct)"))'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log choose" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log choose" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log choose" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log choose" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log choose" version' -l 'version' -d 'Show the version.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log choose" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log usage" by' -l 'by' -d 'Group the sums by this.' -rfka 'day model swarm tool project session'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log usage" since' -l 'since' -d 'First day to count: a time, or an age such as 3d.' -rfka ''
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log usage" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log usage" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log usage" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log usage" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log usage" version' -l 'version' -d 'Show the version.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log usage" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log rekey" json' -l 'json' -d 'Write NDJSON, even to a terminal.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log rekey" text' -l 'text' -d 'Write text, even to a pipe.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log rekey" color' -l 'color' -d 'Colour.' -rfka 'auto always never'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log rekey" v verbose' -l 'verbose' -s 'v' -d 'Report each step on stderr.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log rekey" version' -l 'version' -d 'Show the version.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log rekey" h help' -s 'h' -l 'help' -d 'Show help information.'
complete -c 'chat-log' -n '__chat-log_should_offer_completions_for_flags_or_options "chat-log help" version' -l 'version' -d 'Show the version.'
