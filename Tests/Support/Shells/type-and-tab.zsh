# Types each line of stdin and Tab at a shell on a terminal of its own, and tells what the line is
# then, and what the shell complained of.
# usage: zsh -f type-and-tab.zsh bash|zsh DIRECTORY-OF-COMPLETIONS [FILE-THAT-BASH-READS-BEFORE]
setopt extended_glob
zmodload zsh/zpty
export COMPLETIONS=$2 LIBRARY=${3-} TYPED=$PWD/.typed
settings=$PWD/.settings
mkdir -p $settings
cat >$settings/bashrc <<'END'
unset HISTFILE
PS1='ready> '
bind 'set enable-bracketed-paste off'
for file in $LIBRARY "$COMPLETIONS"/*.bash; do . "$file"; done
typed() { printf '%s|\n' "$READLINE_LINE" >"$TYPED"; READLINE_LINE=; }
bind -x '"\C-xs": typed'
END
cat >$settings/.zshrc <<'END'
unset HISTFILE
unsetopt zle_bracketed_paste prompt_sp
PS1='ready> '
fpath=($COMPLETIONS $fpath)
autoload -Uz compinit && compinit -u -D
bindkey -e
typed() { print -r -- "$BUFFER|" >$TYPED; BUFFER= }
zle -N typed
bindkey '^Xs' typed
END
while IFS= read -r line; do
  case $1 in
  bash) zpty terminal bash --noprofile --rcfile $settings/bashrc -i ;;
  zsh) zpty terminal env ZDOTDIR=$settings zsh -d -i ;;
  esac
  zpty -r terminal screen '*ready> '
  zpty -w -n terminal $line$'\t\Cxs'
  zpty -w terminal exit
  screen=
  while zpty -r terminal part; do screen+=$part; done
  zpty -d terminal
  print -r -- "$line<Tab> $(<$TYPED)"
  for said in ${(f)${screen//$'\r'}}; do
    if [[ $said = *[a-z](#c2,):*[a-z0-9]:\ * ]]; then print -r -- "  $said"; fi
  done
  rm -f $TYPED
done
rm -r $settings
