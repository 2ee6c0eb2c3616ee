# Mends what ArgumentParser generates for fish; variables as in bash.awk.

# The options of the verb that may be left out, as the root takes them.
BEGIN {
  while (usual && (getline line < ARGV[1]) > 0)
    if (line == "        case '" usual "'") {
      getline options < ARGV[1]
      sub(/^.*_parse_subcommand (-r )?[0-9]+ /, "", options)
    }
  if (usual) close(ARGV[1])
  count = split(tools, told, "|")
  for (place = 1; place <= count; place++) {
    name = told[place]
    sub(/:.*/, "", name)
    others = others " " name
  }
}

# 'help' alone is no verb to offer where operands are wanted.
verbs == 1 && / -fa 'help' -d / { next }
verbs == 1 && index($0, "\"" tool " help\"") { next }

# What a tool cannot complete it keeps to itself.
/^    command \$tokens\[1\]/ { sub(/$/, " 2>/dev/null") }

# fish 3 has no cursor of a token that it is asked for beside tokens.
{ gsub("\\(__" tool "_tokens -tC\\)", "(string length -- \"$(commandline -ct)\")") }

# Options without a verb are those of the usual one.
usual && /^        __.*_parse_subcommand 0 / { sub(/_parse_subcommand 0 .*/, "_parse_subcommand 0 " options) }
usual && index($0, "_flags_or_options \"" tool " " usual "\" ") && !/ (version|h help)' -/ {
  line = $0
  sub("\"" tool " " usual "\"", "\"" tool "\"", line)
  print line
}

valued && $0 == "function __" tool "_should_offer_completions_for_flags_or_options -a expected_commands" {
  gsub(/\|/, " ", valued)
  print "# Tells which word is the command's name, by its number; fails if it is not yet reached."
  print "function __" tool "_start"
  print "    set -l tokens (commandline -opc)"
  print "    set -l start 2"
  print "    set -l ended 0"
  print "    while test $start -le (count $tokens)"
  print "        switch $tokens[$start]"
  print "            case --"
  print "                set start (math $start + 1)"
  print "                set ended 1"
  print "                break"
  print "            case " valued
  print "                set start (math $start + 2)"
  print "            case '-*'"
  print "                set start (math $start + 1)"
  print "            case '*'"
  print "                break"
  print "        end"
  print "    end"
  print "    test $start -le (math (count $tokens) + 1); or return"
  print "    if test $start -gt (count $tokens) -a $ended = 0"
  print "        string match -q -- '-*' (commandline -ct); and return 1"
  print "    end"
  print "    echo $start"
  print "end"
  print ""
  print "# Completes the command behind the options as if it stood alone."
  print "function __" tool "_command"
  print "    set -l start (__" tool "_start); or return"
  print "    set -l tokens (commandline -opc)"
  print "    set -l words"
  print "    if test $start -le (count $tokens)"
  print "        set words (string escape -- $tokens[$start..])"
  print "    end"
  print "    complete -C (string join ' ' -- $words (commandline -ct))"
  print "end"
  print ""
  print
  print "    # Options behind the command's name are the command's."
  print "    __" tool "_start >/dev/null; and return 1"
  next
}

tools && $0 == "function __" tool "_should_offer_completions_for_flags_or_options -a expected_commands" {
  print "# Succeeds if another tool is named, whose words follow."
  print "function __" tool "_runs"
  print "    set -l tokens (commandline -opc)"
  print "    contains -- \"$tokens[2]\"" others
  print "end"
  print ""
  print "# Completes the words behind a tool as if it stood alone."
  print "function __" tool "_run"
  print "    set -l tokens (commandline -opc)"
  print "    complete -C (string join ' ' -- (string escape -- $tokens[2..]) (commandline -ct))"
  print "end"
  print ""
  print
  print "    __" tool "_runs; and return 1"
  next
}

tools && $0 ~ "^function __" tool "_should_offer_completions_for_positional " {
  print
  print "    __" tool "_runs; and return 1"
  next
}

# Other tools are offered with the verbs.
tools && / -fa 'help' -d / {
  for (place = 1; place <= count; place++) {
    line = $0
    name = about = told[place]
    sub(/:.*/, "", name)
    sub(/^[^:]*:/, "", about)
    gsub(/'/, "\\\\'", about)
    sub(/ -fa .*/, "", line)
    print line " -fa '" name "' -d '" about "'"
  }
}

{ print }

END {
  if (tools) print "complete -c '" tool "' -n '__" tool "_runs' -fa '(__" tool "_run)'"
  if (valued) {
    print "complete -c '" tool "' -n '__" tool "_start >/dev/null' -fa '(__" tool "_command)'"
  }
}
