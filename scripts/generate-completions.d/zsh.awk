# Mends what ArgumentParser generates for zsh; variables as in bash.awk.

# 'help' alone is no verb to offer where operands are wanted, and _arguments takes the rest but once.
verbs == 1 && (/^        '\(-\): :->command'$/ || /^        '\(-\)\*:: :->arg'$/) { next }
verbs == 1 && /^    case "\$\{state\}" in$/ { skipping = 1 }
verbs == 1 && $0 == "_" tool "_help() {" { skipping = 1; isHelp = 1 }
skipping && /^    esac$/ && !isHelp { skipping = 0; next }
skipping && /^}$/ { skipping = isHelp = 0; getline; next }
skipping { next }

# A value may stand behind '=', too.
/^        '\*?--[a-z-]+\[.*\]:/ { sub(/\[/, "=[") }

# Beside an operand without an action _arguments completes no options.
/^        '(\*)?:[^:]*:'$/ { sub(/'$/, "{:}'") }

# What a tool cannot complete it keeps to itself.
{ sub(/"\$\{command_line\[@\]\}"\)"\}"\)$/, "\"${command_line[@]}\" 2>/dev/null)\"}\")") }

# A name may be completed by any part of it.
$0 == "        __" tool "_complete \"${completions[@]:0:-1}\"" {
  print "        __" tool "_add_names \"${completions[@]:0:-1}\""
  next
}

$0 == "__" tool "_custom_complete() {" {
  print "# Adds names, the newest first. If none begins with the word, those that contain it are added."
  print "__" tool "_add_names() {"
  print "    local -r word=\"${(Q)PREFIX}\" colon=$'\\1'"
  print "    local -a begun=() other=()"
  print "    local line name"
  print "    for line in \"${@}\"; do"
  print "        name=\"${line//\\\\:/${colon}}\""
  print "        name=\"${${name%%:*}//${colon}/:}\""
  print "        if [[ \"${name}\" == \"${word}\"* ]]; then"
  print "            begun+=(\"${line}\")"
  print "        elif [[ \"${name}\" == *\"${word}\"* ]]; then"
  print "            other+=(\"${line}\")"
  print "        fi"
  print "    done"
  print "    if ((${#begun} || !${#other})); then"
  print "        __" tool "_complete \"${begun[@]}\""
  print "        return"
  print "    fi"
  print "    _describe -V '' other -U -i \"${IPREFIX}\""
  print "    # What the names have in common would replace the word."
  print "    if ((${#other} > 1)); then"
  print "        compstate[insert]=''"
  print "        compstate[list]='list force'"
  print "    fi"
  print "}"
  print ""
}

# Other tools are offered with the verbs, and complete the words behind them.
tools && /^            'help:/ {
  count = split(tools, told, "|")
  for (place = 1; place <= count; place++) {
    match(told[place], /:/)
    about = substr(told[place], RSTART + 1)
    gsub(/:/, "\\\\:", about)
    gsub(/'/, "'\\''", about)
    print "            '" substr(told[place], 1, RSTART) about "'"
  }
}
tools && /^            "_.*_\$\{words\[1\]\}" && ret=0$/ {
  print
  getline
  print
  print "        *)"
  print "            _normal && ret=0"
}

{ print }

# Options without a verb are those of the usual one.
usual && /^    local -ir current_word_index=/ && !done++ {
  print ""
  print "    # The verb '" usual "' may be left out."
  print "    if [[ \"${words[2]}\" == -* ]]; then"
  print "        \"_" tool "_" usual "\""
  print "        return"
  print "    fi"
}

# The command behind the options is completed as if it stood alone.
valued && $0 == "_" tool "() {" {
  print "    local -i start=2 ended=0"
  print "    while ((start < CURRENT)); do"
  print "        case \"${words[start]}\" in"
  print "        --)"
  print "            ((++start, ended = 1))"
  print "            break"
  print "            ;;"
  print "        " valued ") ((start += 2)) ;;"
  print "        -?*) ((++start)) ;;"
  print "        *) break ;;"
  print "        esac"
  print "    done"
  print "    if ((start <= CURRENT)) && { ((ended)) || [[ \"${words[start]}\" != -* ]]; }; then"
  print "        ((--start))"
  print "        shift start words"
  print "        ((CURRENT -= start))"
  print "        _normal"
  print "        return"
  print "    fi"
  print ""
}
