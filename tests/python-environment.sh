# To be sourced. `new_environment HOME WANTED` makes an empty Python environment in HOME/venv if HOME/installed differs from WANTED or
# the environment's Python is gone, and returns 1 if what is there can stay. The caller installs into it, then writes WANTED to
# HOME/installed.
new_environment() {
    [ "$(cat "$1/installed" 2>/dev/null)" != "$2" ] || ! "$1/venv/bin/pip" --version > /dev/null 2>&1 || return 1
    # `set -e` is off in a condition.
    { rm -rf "$1" && mkdir -p "$1" && python3 -m venv "$1/venv"; } || exit 1
}
