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

# What a tool cannot complete it keeps to itself.
{ sub(/"\$\{command_line\[@\]\}"\)"\}"\)$/, "\"${command_line[@]}\" 2>/dev/null)\"}\")") }

{ print }

# The command behind '--' is completed as if it stood alone.
command && $0 == "_" tool "() {" {
  print "    local -i terminator=\"${words[(ie)--]}\""
  print "    if ((terminator < CURRENT)); then"
  print "        shift terminator words"
  print "        ((CURRENT -= terminator))"
  print "        _normal"
  print "        return"
  print "    fi"
  print ""
}
