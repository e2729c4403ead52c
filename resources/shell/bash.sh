# SPDX-License-Identifier: GPL-3.0-or-later
# Waferpair's terminal starts bash with this file (--init-file): the user's own first, then marks (OSC 133) that tell
# where a prompt, what is typed, and an output begin and end, and the folder (OSC 7).
[ -r ~/.bashrc ] && . ~/.bashrc

if [[ $- == *i* && -z ${__waferpair_marks-} && ${BASH_VERSINFO[0]} -ge 5 ]]; then
  __waferpair_marks=1

  __waferpair_before() {
    local status=$? LC_ALL=C path= i byte code
    for ((i = 0; i < ${#PWD}; ++i)); do
      byte=${PWD:i:1}
      case $byte in
        [a-zA-Z0-9/._~-]) path+=$byte ;;
        *) printf -v code %d "'$byte"; printf -v code '%%%02X' $((code & 255)); path+=$code ;;
      esac
    done
    printf '\e]133;D;%s\a\e]7;file://%s%s\a' "$status" "$HOSTNAME" "$path"
    return "$status"
  }

  # What comes before may have set the prompt anew.
  __waferpair_after() {
    local status=$?
    [[ $PS1 == *'133;A'* ]] || PS1='\[\e]133;A\a\]'$PS1'\[\e]133;B\a\]'
    [[ $PS0 == *'133;C'* ]] || PS0=$PS0'\e]133;C\a'
    return "$status"
  }

  if [[ $(declare -p PROMPT_COMMAND 2>/dev/null) == 'declare -a'* ]]; then
    PROMPT_COMMAND=(__waferpair_before "${PROMPT_COMMAND[@]}" __waferpair_after)
  else
    PROMPT_COMMAND="__waferpair_before${PROMPT_COMMAND:+; ${PROMPT_COMMAND%;}}; __waferpair_after"
  fi
fi
