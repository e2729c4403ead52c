# SPDX-License-Identifier: GPL-3.0-or-later
# Waferpair's terminal has fish read this file after the user's own (--init-command): it marks (OSC 133) where a prompt,
# what is typed, and an output begin and end, and tells the folder (OSC 7).
if status is-interactive; and not set -q __waferpair_marks
    set -g __waferpair_marks 1

    function __waferpair_before --on-event fish_prompt
        printf '\e]7;file://%s%s\a\e]133;A\a' $hostname (string escape --style=url -- $PWD)
    end
    function __waferpair_run --on-event fish_preexec
        printf '\e]133;C\a'
    end
    function __waferpair_done --on-event fish_postexec
        printf '\e]133;D;%s\a' $status
    end
    functions --copy fish_prompt __waferpair_user_prompt
    function fish_prompt
        __waferpair_user_prompt
        printf '\e]133;B\a'
    end
end
