# SPDX-License-Identifier: GPL-3.0-or-later
# Waferpair's terminal has zsh read this file first (ZDOTDIR): it gives the user's own folder back, reads the user's
# file, and marks (OSC 133) where a prompt, what is typed, and an output begin and end; the folder, too (OSC 7).
if [[ -n ${WAFERPAIR_USER_ZDOTDIR+x} ]]; then
  export ZDOTDIR=$WAFERPAIR_USER_ZDOTDIR
  unset WAFERPAIR_USER_ZDOTDIR
else
  unset ZDOTDIR
fi
[[ -r ${ZDOTDIR:-$HOME}/.zshenv ]] && . "${ZDOTDIR:-$HOME}/.zshenv"

if [[ -o interactive && -z ${__waferpair_marks-} ]]; then
  __waferpair_marks=1

  __waferpair_precmd() {
    local code=$?
    # The user's files may have added others behind this one, which set the prompt.
    if [[ ${precmd_functions[-1]} != __waferpair_precmd ]]; then
      precmd_functions=(${precmd_functions:#__waferpair_precmd} __waferpair_precmd)
    fi
    local LC_ALL=C folder= byte
    for byte in ${(s::)PWD}; do
      case $byte in
        [a-zA-Z0-9/._~-]) folder+=$byte ;;
        *) folder+=%$(( [##16] #byte & 255 )) ;;
      esac
    done
    printf '\e]133;D;%s\a\e]7;file://%s%s\a' $code $HOST $folder
    [[ $PS1 == *'133;A'* ]] || PS1=$'%{\e]133;A\a%}'$PS1$'%{\e]133;B\a%}'
  }
  __waferpair_preexec() { printf '\e]133;C\a' }

  typeset -ga precmd_functions preexec_functions
  precmd_functions+=(__waferpair_precmd)
  preexec_functions+=(__waferpair_preexec)
fi
