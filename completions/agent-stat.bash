#!/bin/bash

__agent-stat_cursor_index_in_current_word() {
    local remaining="${COMP_LINE}"

    local word
    for word in "${COMP_WORDS[@]::COMP_CWORD}"; do
        remaining="${remaining##*([[:space:]])"${word}"*([[:space:]])}"
    done

    local -ir index="$((COMP_POINT - ${#COMP_LINE} + ${#remaining}))"
    if [[ "${index}" -le 0 ]]; then
        printf 0
    else
        printf %s "${index}"
    fi
}

# positional arguments:
#
# - 1: the current (sub)command's count of positional arguments
#
# required variables:
#
# - repeating_flags: the repeating flags that the current (sub)command can accept
# - non_repeating_flags: the non-repeating flags that the current (sub)command can accept
# - repeating_options: the repeating options that the current (sub)command can accept
# - non_repeating_options: the non-repeating options that the current (sub)command can accept
# - positional_number: value ignored
# - unparsed_words: unparsed words from the current command line
#
# modified variables:
#
# - non_repeating_flags: remove flags for this (sub)command that are already on the command line
# - non_repeating_options: remove options for this (sub)command that are already on the command line
# - positional_number: set to the current positional number
# - unparsed_words: remove all flags, options, and option values for this (sub)command
__agent-stat_offer_flags_options() {
    local -ir positional_count="${1}"
    positional_number=0

    local was_flag_option_terminator_seen=false
    local is_parsing_option_value=false

    local -ar unparsed_word_indices=("${!unparsed_words[@]}")
    local -i word_index
    for word_index in "${unparsed_word_indices[@]}"; do
        if "${is_parsing_option_value}"; then
            # This word is an option value:
            # Reset marker for next word iff not currently the last word
            [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]] && is_parsing_option_value=false
            unset "unparsed_words[${word_index}]"
            # Do not process this word as a flag or an option
            continue
        fi

        local word="${unparsed_words["${word_index}"]}"
        if ! "${was_flag_option_terminator_seen}"; then
            case "${word}" in
            --)
                unset "unparsed_words[${word_index}]"
                # by itself -- is a flag/option terminator, but if it is the last word, it is the start of a completion
                if [[ "${word_index}" -ne "${unparsed_word_indices[${#unparsed_word_indices[@]} - 1]}" ]]; then
                    was_flag_option_terminator_seen=true
                fi
                continue
                ;;
            -*)
                # ${word} is a flag or an option
                # If ${word} is an option, mark that the next word to be parsed is an option value
                local option
                for option in "${repeating_options[@]}" "${non_repeating_options[@]}"; do
                    [[ "${word}" = "${option}" ]] && is_parsing_option_value=true && break
                done

                # Remove ${word} from ${non_repeating_flags} or ${non_repeating_options} so it isn't offered again
                local not_found=true
                local -i index
                for index in "${!non_repeating_flags[@]}"; do
                    if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                        unset "non_repeating_flags[${index}]"
                        non_repeating_flags=("${non_repeating_flags[@]}")
                        not_found=false
                        break
                    fi
                done
                if "${not_found}"; then
                    for index in "${!non_repeating_flags[@]}"; do
                        if [[ "${non_repeating_flags[${index}]}" = "${word}" ]]; then
                            unset "non_repeating_flags[${index}]"
                            non_repeating_flags=("${non_repeating_flags[@]}")
                            break
                        fi
                    done
                fi
                unset "unparsed_words[${word_index}]"
                continue
                ;;
            esac
        fi

        # ${word} is neither a flag, nor an option, nor an option value
        if [[ "${positional_number}" -lt "${positional_count}" || "${positional_count}" -lt 0 ]]; then
            # ${word} is a positional
            ((positional_number++))
            unset "unparsed_words[${word_index}]"
        else
            if [[ -z "${word}" ]]; then
                # Could be completing a flag, option, or subcommand
                positional_number=-1
            else
                # ${word} is a subcommand or invalid, so stop processing this (sub)command
                positional_number=-2
            fi
            break
        fi
    done

    unparsed_words=("${unparsed_words[@]}")

    if\
        ! "${was_flag_option_terminator_seen}"\
        && ! "${is_parsing_option_value}"\
        && [[ ("${cur}" = -* && "${positional_number}" -ge 0) || "${positional_number}" -eq -1 ]]
    then
        COMPREPLY+=($(compgen -W "${repeating_flags[*]} ${non_repeating_flags[*]} ${repeating_options[*]} ${non_repeating_options[*]}" -- "${cur}"))
    fi
}

__agent-stat_add_completions() {
    local completion
    while IFS='' read -r completion; do
        COMPREPLY+=("${completion}")
    done < <(IFS=$'\n' compgen "${@}" -- "${cur}")
}

__agent-stat_custom_complete() {
    if [[ -n "${cur}" || -z ${COMP_WORDS[${COMP_CWORD}]} || "${COMP_LINE:${COMP_POINT}:1}" != ' ' ]]; then
        local -ar words=("${COMP_WORDS[@]}")
    else
        local -ar words=("${COMP_WORDS[@]::${COMP_CWORD}}" '' "${COMP_WORDS[@]:${COMP_CWORD}}")
    fi

    SAP_TITLES=1 "${COMP_WORDS[0]}" "${@}" "${words[@]}" 2>/dev/null
}

# Adds names, the newest first. If none begins with the word, those that contain it are added.
# A list of several shows their titles.
__agent-stat_add_names() {
    local word="${COMP_LINE:0:COMP_POINT}" colons='' line
    local -a begun=() other=() names=()
    word="${word##*[[:space:]=\'\"]}"
    # readline replaces what stands behind the last colon.
    [[ "${COMP_WORDBREAKS}" != *:* ]] || colons="${word%"${word##*:}"}"
    while IFS='' read -r line; do
        if [[ "${line}" == "${word}"* ]]; then
            begun+=("${line#"${colons}"}")
        elif [[ -n "${line}" && -z "${colons}" && "${line%%$'\t'*}" == *"${word}"* ]]; then
            other+=("${line}")
        fi
    done <<<"${1}"
    names=("${begun[@]}")
    ((${#begun[@]})) || names=("${other[@]}")
    compopt +o filenames -o nosort 2>/dev/null
    # A menu (37) and 'insert all' (42) put what they show into the line.
    if ((${#names[@]} < 2 || COMP_TYPE == 37 || COMP_TYPE == 42)); then
        COMPREPLY+=("${names[@]%%$'\t'*}")
        return
    fi
    COMPREPLY+=("${names[@]/$'\t'/  }")
    # What the names have in common would replace a word that none begins with.
    ((${#begun[@]})) || COMPREPLY+=(' ')
}

_agent-stat() {
    local state
    state="$(shopt -p;shopt -po)"
    trap "${state//$'\n'/;}" RETURN
    shopt -s extglob
    set +o history +o posix

    local -xr SAP_SHELL=bash
    local -x SAP_SHELL_VERSION
    SAP_SHELL_VERSION="$(IFS='.';printf %s "${BASH_VERSINFO[*]}")"
    local -r SAP_SHELL_VERSION

    local -r cur="${2}"
    # A name with colons is one word.
    local -a joined=()
    local -i last=-1
    local word rest="${COMP_LINE}"
    for word in "${COMP_WORDS[@]::COMP_CWORD + 1}"; do
        if ((last >= 0)) && [[ "${rest}" != [[:space:]]* &&
            ("${word}" == :* || "${joined[last]}" == *:) ]]; then
            joined[last]+="${word}"
        else
            joined[++last]="${word}"
        fi
        rest="${rest#*"${word}"}"
    done
    local -a COMP_WORDS=("${joined[@]}")
    local -i COMP_CWORD=last
    local prev="${COMP_WORDS[COMP_CWORD - 1]}"
    # '--option=value' is three words.
    if [[ "${COMP_WORDS[COMP_CWORD]}" == '=' ]]; then
        prev="${COMP_WORDS[COMP_CWORD - 1]}"
    elif [[ "${prev}" == '=' ]]; then
        prev="${COMP_WORDS[COMP_CWORD - 2]}"
    fi

    local -i positional_number
    local -a unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")

    local -a repeating_flags=()
    local -a non_repeating_flags=(--version -h --help)
    local -a repeating_options=()
    local -a non_repeating_options=()
    __agent-stat_offer_flags_options 0

    # Offer subcommand / subcommand argument completions
    local -r subcommand="${unparsed_words[0]}"
    unset 'unparsed_words[0]'
    unparsed_words=("${unparsed_words[@]}")
    case "${subcommand}" in
    overview|swarms|swarm|agents|agent|wait|incidents|incident|response|context|skills|skill|usage|terminals|thresholds|audit|help)
        # Offer subcommand argument completions
        "_agent-stat_${subcommand}"
        ;;
    *)
        # The verb 'overview' may be left out.
        COMPREPLY=()
        unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")
        "_agent-stat_overview"
        [[ "${prev}" == -* ]] || COMPREPLY+=($(compgen -W 'overview swarms swarm agents agent wait incidents incident response context skills skill usage terminals thresholds audit help' -- "${cur}"))
        ;;
    esac
}

_agent-stat_overview() {
    repeating_flags=()
    non_repeating_flags=(--watch --json --text --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--hub --color)
    __agent-stat_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--hub')
        __agent-stat_add_names "$(__agent-stat_custom_complete ---completion overview -- --hub "${COMP_CWORD}" "$(__agent-stat_cursor_index_in_current_word)")"
        return
        ;;
    '--color')
        __agent-stat_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_agent-stat_swarms() {
    repeating_flags=()
    non_repeating_flags=(--watch --json --text --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--status --hub --color)
    __agent-stat_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--status')
        __agent-stat_add_completions -W 'running'$'\n''paused'$'\n''error'$'\n''waiting'$'\n''finished'$'\n''terminated'$'\n''lost'
        return
        ;;
    '--hub')
        __agent-stat_add_names "$(__agent-stat_custom_complete ---completion swarms -- --hub "${COMP_CWORD}" "$(__agent-stat_cursor_index_in_current_word)")"
        return
        ;;
    '--color')
        __agent-stat_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_agent-stat_swarm() {
    repeating_flags=()
    non_repeating_flags=(--watch --json --text --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--hub --color)
    __agent-stat_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--hub')
        __agent-stat_add_names "$(__agent-stat_custom_complete ---completion swarm -- --hub "${COMP_CWORD}" "$(__agent-stat_cursor_index_in_current_word)")"
        return
        ;;
    '--color')
        __agent-stat_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __agent-stat_add_names "$(__agent-stat_custom_complete ---completion swarm -- positional@0 "${COMP_CWORD}" "$(__agent-stat_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_agent-stat_agents() {
    repeating_flags=()
    non_repeating_flags=(--watch --json --text --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--swarm --status --limit --hub --color)
    __agent-stat_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--swarm')
        __agent-stat_add_names "$(__agent-stat_custom_complete ---completion agents -- --swarm "${COMP_CWORD}" "$(__agent-stat_cursor_index_in_current_word)")"
        return
        ;;
    '--status')
        __agent-stat_add_completions -W 'running'$'\n''paused'$'\n''error'$'\n''waiting'$'\n''finished'$'\n''terminated'$'\n''lost'
        return
        ;;
    '--limit')
        return
        ;;
    '--hub')
        __agent-stat_add_names "$(__agent-stat_custom_complete ---completion agents -- --hub "${COMP_CWORD}" "$(__agent-stat_cursor_index_in_current_word)")"
        return
        ;;
    '--color')
        __agent-stat_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_agent-stat_agent() {
    repeating_flags=()
    non_repeating_flags=(--json --text --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--events --hub --color)
    __agent-stat_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--events')
        return
        ;;
    '--hub')
        __agent-stat_add_names "$(__agent-stat_custom_complete ---completion agent -- --hub "${COMP_CWORD}" "$(__agent-stat_cursor_index_in_current_word)")"
        return
        ;;
    '--color')
        __agent-stat_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __agent-stat_add_names "$(__agent-stat_custom_complete ---completion agent -- positional@0 "${COMP_CWORD}" "$(__agent-stat_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_agent-stat_wait() {
    repeating_flags=()
    non_repeating_flags=(--json --text --verbose -v --version -h --help)
    repeating_options=(--for)
    non_repeating_options=(--agent --status --timeout --hub --color)
    __agent-stat_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--agent')
        __agent-stat_add_names "$(__agent-stat_custom_complete ---completion wait -- --agent "${COMP_CWORD}" "$(__agent-stat_cursor_index_in_current_word)")"
        return
        ;;
    '--status')
        __agent-stat_add_completions -W 'waiting'$'\n''ended'$'\n''error'
        return
        ;;
    '--for')
        __agent-stat_add_completions -W 'permission'$'\n''question'$'\n''prompt'$'\n''limit'
        return
        ;;
    '--timeout')
        return
        ;;
    '--hub')
        __agent-stat_add_names "$(__agent-stat_custom_complete ---completion wait -- --hub "${COMP_CWORD}" "$(__agent-stat_cursor_index_in_current_word)")"
        return
        ;;
    '--color')
        __agent-stat_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_agent-stat_incidents() {
    repeating_flags=()
    non_repeating_flags=(--all --watch --json --text --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--swarm --hub --color)
    __agent-stat_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--swarm')
        __agent-stat_add_names "$(__agent-stat_custom_complete ---completion incidents -- --swarm "${COMP_CWORD}" "$(__agent-stat_cursor_index_in_current_word)")"
        return
        ;;
    '--hub')
        __agent-stat_add_names "$(__agent-stat_custom_complete ---completion incidents -- --hub "${COMP_CWORD}" "$(__agent-stat_cursor_index_in_current_word)")"
        return
        ;;
    '--color')
        __agent-stat_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_agent-stat_incident() {
    repeating_flags=()
    non_repeating_flags=(--json --text --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--hub --color)
    __agent-stat_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--hub')
        __agent-stat_add_names "$(__agent-stat_custom_complete ---completion incident -- --hub "${COMP_CWORD}" "$(__agent-stat_cursor_index_in_current_word)")"
        return
        ;;
    '--color')
        __agent-stat_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __agent-stat_add_names "$(__agent-stat_custom_complete ---completion incident -- positional@0 "${COMP_CWORD}" "$(__agent-stat_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_agent-stat_response() {
    repeating_flags=()
    non_repeating_flags=(--json --text --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--since --hub --color)
    __agent-stat_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--since')
        return
        ;;
    '--hub')
        __agent-stat_add_names "$(__agent-stat_custom_complete ---completion response -- --hub "${COMP_CWORD}" "$(__agent-stat_cursor_index_in_current_word)")"
        return
        ;;
    '--color')
        __agent-stat_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_agent-stat_context() {
    repeating_flags=()
    non_repeating_flags=(--watch --json --text --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--swarm --hub --color)
    __agent-stat_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--swarm')
        __agent-stat_add_names "$(__agent-stat_custom_complete ---completion context -- --swarm "${COMP_CWORD}" "$(__agent-stat_cursor_index_in_current_word)")"
        return
        ;;
    '--hub')
        __agent-stat_add_names "$(__agent-stat_custom_complete ---completion context -- --hub "${COMP_CWORD}" "$(__agent-stat_cursor_index_in_current_word)")"
        return
        ;;
    '--color')
        __agent-stat_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_agent-stat_skills() {
    repeating_flags=()
    non_repeating_flags=(--watch --json --text --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--hub --color)
    __agent-stat_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--hub')
        __agent-stat_add_names "$(__agent-stat_custom_complete ---completion skills -- --hub "${COMP_CWORD}" "$(__agent-stat_cursor_index_in_current_word)")"
        return
        ;;
    '--color')
        __agent-stat_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_agent-stat_skill() {
    repeating_flags=()
    non_repeating_flags=(--json --text --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--hub --color)
    __agent-stat_offer_flags_options 1

    # Offer option value completions
    case "${prev}" in
    '--hub')
        __agent-stat_add_names "$(__agent-stat_custom_complete ---completion skill -- --hub "${COMP_CWORD}" "$(__agent-stat_cursor_index_in_current_word)")"
        return
        ;;
    '--color')
        __agent-stat_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac

    # Offer positional completions
    case "${positional_number}" in
    1)
        __agent-stat_add_names "$(__agent-stat_custom_complete ---completion skill -- positional@0 "${COMP_CWORD}" "$(__agent-stat_cursor_index_in_current_word)")"
        return
        ;;
    esac
}

_agent-stat_usage() {
    repeating_flags=()
    non_repeating_flags=(--watch --json --text --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--by --since --hub --color)
    __agent-stat_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--by')
        __agent-stat_add_completions -W 'day'$'\n''model'$'\n''swarm'$'\n''tool'$'\n''session'$'\n''run'
        return
        ;;
    '--since')
        return
        ;;
    '--hub')
        __agent-stat_add_names "$(__agent-stat_custom_complete ---completion usage -- --hub "${COMP_CWORD}" "$(__agent-stat_cursor_index_in_current_word)")"
        return
        ;;
    '--color')
        __agent-stat_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_agent-stat_terminals() {
    repeating_flags=()
    non_repeating_flags=(--watch --json --text --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--hub --color)
    __agent-stat_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--hub')
        __agent-stat_add_names "$(__agent-stat_custom_complete ---completion terminals -- --hub "${COMP_CWORD}" "$(__agent-stat_cursor_index_in_current_word)")"
        return
        ;;
    '--color')
        __agent-stat_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_agent-stat_thresholds() {
    repeating_flags=()
    non_repeating_flags=(--json --text --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--hub --color)
    __agent-stat_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--hub')
        __agent-stat_add_names "$(__agent-stat_custom_complete ---completion thresholds -- --hub "${COMP_CWORD}" "$(__agent-stat_cursor_index_in_current_word)")"
        return
        ;;
    '--color')
        __agent-stat_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_agent-stat_audit() {
    repeating_flags=()
    non_repeating_flags=(--json --text --verbose -v --version -h --help)
    repeating_options=()
    non_repeating_options=(--last --hub --color)
    __agent-stat_offer_flags_options 0

    # Offer option value completions
    case "${prev}" in
    '--last')
        return
        ;;
    '--hub')
        __agent-stat_add_names "$(__agent-stat_custom_complete ---completion audit -- --hub "${COMP_CWORD}" "$(__agent-stat_cursor_index_in_current_word)")"
        return
        ;;
    '--color')
        __agent-stat_add_completions -W 'auto'$'\n''always'$'\n''never'
        return
        ;;
    esac
}

_agent-stat_help() {
    repeating_flags=()
    non_repeating_flags=(--version)
    repeating_options=()
    non_repeating_options=()
    __agent-stat_offer_flags_options -1
}

complete -o filenames -F _agent-stat agent-stat
