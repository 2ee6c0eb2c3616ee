# Mends what ArgumentParser generates for fish; variables as in bash.awk.

# 'help' alone is no verb to offer where operands are wanted.
verbs == 1 && / -fa 'help' -d / { next }
verbs == 1 && index($0, "\"" tool " help\"") { next }

# What a tool cannot complete it keeps to itself.
/^    command \$tokens\[1\]/ { sub(/$/, " 2>/dev/null") }

# fish 3 has no cursor of a token that it is asked for beside tokens.
{ gsub("\\(__" tool "_tokens -tC\\)", "(string length -- \"$(commandline -ct)\")") }

command && $0 == "complete -c '" tool "' -f" {
  print "# Completes the command behind '--' as if it stood alone."
  print "function __" tool "_command"
  print "    set -l tokens (commandline -opc)"
  print "    set -l terminator (contains -i -- -- $tokens); or return"
  print "    set -l words (string escape -- $tokens[(math $terminator + 1)..])"
  print "    complete -C (string join ' ' -- $words (commandline -ct))"
  print "end"
  print ""
}

{ print }

END {
  if (command) {
    print "complete -c '" tool "' -n 'contains -- -- (commandline -opc)' -fa '(__" tool "_command)'"
  }
}
