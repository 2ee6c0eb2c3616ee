# Tells what fish offers for each line of stdin.
# usage: fish --no-config complete.fish DIRECTORY-OF-COMPLETIONS
for file in $argv[1]/*.fish
    source $file
end
while read -l line
    echo "$line<Tab>"
    complete -C "$line" | string replace -r '^' '  '
end
