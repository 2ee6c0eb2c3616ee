# Mends what ArgumentParser generates for bash; -v tool=NAME -v verbs=NUMBER -v usual=VERB where one
# may be left out, -v valued=OPTIONS where a command stands behind the options, -v tools=LIST where
# other tools are run, as 'name:what it does|…'.

BEGIN {
  count = split(tools, told, "|")
  for (place = 1; place <= count; place++) {
    other = told[place]
    sub(/:.*/, "", other)
    others = others (others ? "|" : "") other
  }
  offered = others
  gsub(/\|/, " ", offered)
}

# 'help' alone is no verb to offer where operands are wanted.
verbs == 1 && /^    # Offer subcommand / { skipping = 1; next }
verbs == 1 && $0 == "_" tool "_help() {" { skipping = 1; next }
skipping && /^}/ { skipping = 0; if (helped++) next }
skipping { next }

# readline completes files itself, with their quotes, spaces and tildes.
/_add_completions -f$/ { sub(/_[^ ]*_add_completions/, "compopt -o default 2>/dev/null || &") }
/_add_completions -d$/ { sub(/_[^ ]*_add_completions/, "compopt -o dirnames 2>/dev/null || &") }

# What a tool cannot complete it keeps to itself.
/^    "\$\{COMP_WORDS\[0\]\}"/ { sub(/"/, "SAP_TITLES=1 &"); sub(/$/, " 2>/dev/null") }

# A name may be completed by any part of it.
/_add_completions -W "\$\(.*_custom_complete / {
  sub(/_add_completions -W/, "_add_names")
  names = 1
}

/^    local -r prev="\$\{3\}"$/ {
  if (!valued) {
    print "    # A name with colons is one word."
    print "    local -a joined=()"
    print "    local -i last=-1"
    print "    local word rest=\"${COMP_LINE}\""
    print "    for word in \"${COMP_WORDS[@]::COMP_CWORD + 1}\"; do"
    print "        if ((last >= 0)) && [[ \"${rest}\" != [[:space:]]* &&"
    print "            (\"${word}\" == :* || \"${joined[last]}\" == *:) ]]; then"
    print "            joined[last]+=\"${word}\""
    print "        else"
    print "            joined[++last]=\"${word}\""
    print "        fi"
    print "        rest=\"${rest#*\"${word}\"}\""
    print "    done"
    print "    local -a COMP_WORDS=(\"${joined[@]}\")"
    print "    local -i COMP_CWORD=last"
  }
  print "    local prev=\"${COMP_WORDS[COMP_CWORD - 1]}\""
  print "    # '--option=value' is three words."
  print "    if [[ \"${COMP_WORDS[COMP_CWORD]}\" == '=' ]]; then"
  print "        prev=\"${COMP_WORDS[COMP_CWORD - 1]}\""
  print "    elif [[ \"${prev}\" == '=' ]]; then"
  print "        prev=\"${COMP_WORDS[COMP_CWORD - 2]}\""
  print "    fi"
  if (valued) print "    __" tool "_command && return"
  next
}

# What is no verb is the usual one's.
usual && /^        # Offer subcommand completions$/ {
  print "        # The verb '" usual "' may be left out."
  print "        COMPREPLY=()"
  print "        unparsed_words=(\"${COMP_WORDS[@]:1:${COMP_CWORD}}\")"
  print "        \"_" tool "_" usual "\""
  getline
  sub(/COMPREPLY/, "[[ \"${prev}\" == -* ]] || &")
  if (others) sub(/ help'/, " help " offered "'")
}

# The words behind a tool are that tool's.
others && /^    \*\)$/ {
  print "    " others ")"
  print "        COMPREPLY=()"
  print "        __" tool "_run \"${subcommand}\""
  print "        ;;"
}

others && $0 == "_" tool "() {" {
  print "# Completes the words behind a tool as if it stood alone."
  print "__" tool "_run() {"
  print "    local -r line=\"${COMP_LINE#*\"${COMP_WORDS[0]}\"}\""
  print "    local -r rest=\"${line#\"${line%%[![:space:]]*}\"}\""
  print "    ((COMP_POINT -= ${#COMP_LINE} - ${#rest}))"
  print "    COMP_LINE=\"${rest}\""
  print "    COMP_WORDS=(\"${COMP_WORDS[@]:1}\")"
  print "    ((--COMP_CWORD))"
  print "    # bash-completion loads what is not loaded."
  print "    declare -F \"_${1}\" >/dev/null || _completion_loader \"${1}\" 2>/dev/null"
  print "    declare -F \"_${1}\" >/dev/null || return"
  print "    \"_${1}\" \"${1}\" \"${cur}\" \"${prev}\""
  print "}"
  print ""
}

$0 == "_" tool "() {" {
  print "# Adds names, the newest first. If none begins with the word, those that contain it are added."
  print "# A list of several shows their titles."
  print "__" tool "_add_names() {"
  print "    local word=\"${COMP_LINE:0:COMP_POINT}\" colons='' line"
  print "    local -a begun=() other=() names=()"
  print "    word=\"${word##*[[:space:]=\\'\\\"]}\""
  print "    # readline replaces what stands behind the last colon."
  print "    [[ \"${COMP_WORDBREAKS}\" != *:* ]] || colons=\"${word%\"${word##*:}\"}\""
  print "    while IFS='' read -r line; do"
  print "        if [[ \"${line}\" == \"${word}\"* ]]; then"
  print "            begun+=(\"${line#\"${colons}\"}\")"
  print "        elif [[ -n \"${line}\" && -z \"${colons}\" && \"${line%%$'\\t'*}\" == *\"${word}\"* ]]; then"
  print "            other+=(\"${line}\")"
  print "        fi"
  print "    done <<<\"${1}\""
  print "    names=(\"${begun[@]}\")"
  print "    ((${#begun[@]})) || names=(\"${other[@]}\")"
  print "    compopt +o filenames -o nosort 2>/dev/null"
  print "    # A menu (37) and 'insert all' (42) put what they show into the line."
  print "    if ((${#names[@]} < 2 || COMP_TYPE == 37 || COMP_TYPE == 42)); then"
  print "        COMPREPLY+=(\"${names[@]%%$'\\t'*}\")"
  print "        return"
  print "    fi"
  print "    COMPREPLY+=(\"${names[@]/$'\\t'/  }\")"
  print "    # What the names have in common would replace a word that none begins with."
  print "    ((${#begun[@]})) || COMPREPLY+=(' ')"
  print "}"
  print ""
}

valued && $0 == "_" tool "() {" {
  print "# Completes the command behind the options as if it stood alone."
  print "__" tool "_command() {"
  print "    local -i start=1 ended=0"
  print "    while ((start < COMP_CWORD)); do"
  print "        case \"${COMP_WORDS[start]}\" in"
  print "        --)"
  print "            ((++start, ended = 1))"
  print "            break"
  print "            ;;"
  print "        " valued ")"
  print "            [[ \"${COMP_WORDS[start + 1]}\" != '=' ]] || ((++start))"
  print "            ((start += 2))"
  print "            ;;"
  print "        -?*) ((++start)) ;;"
  print "        *) break ;;"
  print "        esac"
  print "    done"
  print "    ((start <= COMP_CWORD)) || return 1"
  print "    ((ended)) || [[ \"${COMP_WORDS[start]}\" != -* ]] || return 1"
  print "    local -r of=$(compgen -A function -X '!@(_comp|)_command_offset')"
  print "    if [[ -n \"${of}\" ]]; then"
  print "        # bash-completion knows what it takes."
  print "        \"${of%%[[:space:]]*}\" \"${start}\""
  print "    elif ((start == COMP_CWORD)); then"
  print "        __" tool "_add_completions -c"
  print "    else"
  print "        compopt -o default 2>/dev/null || __" tool "_add_completions -f"
  print "    fi"
  print "    return 0"
  print "}"
  print ""
}

{ print }
