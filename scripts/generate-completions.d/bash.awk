# Mends what ArgumentParser generates for bash; -v tool=NAME -v verbs=NUMBER -v command=1 where one
# stands behind '--'.

# 'help' alone is no verb to offer where operands are wanted.
verbs == 1 && /^    # Offer subcommand / { skipping = 1; next }
verbs == 1 && $0 == "_" tool "_help() {" { skipping = 1; next }
skipping && /^}/ { skipping = 0; if (helped++) next }
skipping { next }

# readline completes files itself, with their quotes, spaces and tildes.
/_add_completions -f$/ { sub(/_[^ ]*_add_completions/, "compopt -o default 2>/dev/null || &") }
/_add_completions -d$/ { sub(/_[^ ]*_add_completions/, "compopt -o dirnames 2>/dev/null || &") }

# What a tool cannot complete it keeps to itself.
/^    "\$\{COMP_WORDS\[0\]\}"/ { sub(/$/, " 2>/dev/null") }

/^    local -r prev="\$\{3\}"$/ {
  print "    local prev=\"${3}\""
  print "    # '--option=value' is three words."
  print "    if [[ \"${COMP_WORDS[COMP_CWORD]}\" == '=' ]]; then"
  print "        prev=\"${COMP_WORDS[COMP_CWORD - 1]}\""
  print "    elif [[ \"${prev}\" == '=' ]]; then"
  print "        prev=\"${COMP_WORDS[COMP_CWORD - 2]}\""
  print "    fi"
  if (command) print "    __" tool "_command && return"
  next
}

command && $0 == "_" tool "() {" {
  print "# Completes the command behind '--' as if it stood alone."
  print "__" tool "_command() {"
  print "    local -i start"
  print "    for ((start = 1; start < COMP_CWORD; start++)); do"
  print "        [[ \"${COMP_WORDS[start]}\" == -- ]] && break"
  print "    done"
  print "    ((++start <= COMP_CWORD)) || return 1"
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
