# shellcheck shell=bash
# Long work that says little: its output goes to a log, and one line says how far it is. Sourced by the other scripts. Nothing is
# written to standard output.

# Seconds between two lines where there is no terminal, so that a log stays short.
: "${CONPOLE_PROGRESS_SECONDS:=30}"

# time_left DONE TOTAL SECONDS: what is left after SECONDS, if the rest goes as fast; nothing where it is too early to tell.
time_left() {
  local completed=$1 total=$2 seconds=$3 left
  if ((seconds < 5 || completed == 0 || completed >= total || 20 * completed < total)); then return; fi
  left=$((seconds * (total - completed) / completed))
  if ((left < 60)); then echo ", less than a minute left"; else echo ", about $(((left + 30) / 60)) min left"; fi
}

# show_progress: reads lines "DONE TOTAL WHAT". On a terminal they are one line that moves; elsewhere one is printed now and then.
show_progress() {
  local completed total what width begin=$SECONDS last=$SECONDS
  width=$(tput cols 2>/dev/null || echo 80)
  while read -r completed total what; do
    what+=$(time_left "$completed" "$total" "$((SECONDS - begin))")
    if [[ -t 2 ]]; then
      printf '\r[%s/%s] %.*s\033[K' "$completed" "$total" "$((width > 40 ? width - 20 : 20))" "$what" >&2
    elif ((SECONDS - last >= CONPOLE_PROGRESS_SECONDS)); then
      last=$SECONDS
      echo "[$completed/$total] $what" >&2
    fi
  done
  if [[ -t 2 ]]; then printf '\r\033[K' >&2; fi
}

# say_failure STATUS LOG COMMAND...: the lines of the log that matter, and where the rest is.
say_failure() {
  local status=$1 log=$2
  shift 2
  # Ninja goes on with what it began, so the error is not at the end.
  if grep -q '^FAILED: ' "$log"; then
    sed -n '/^FAILED: /,$p' "$log" | head -n 40 >&2
  else
    tail -n 20 "$log" >&2
  fi
  echo "failed (status $status): $*" >&2
  echo "All that it said is in $PWD/$log" >&2
}

# run_logged LOG STEPS COMMAND...: runs the command without input and with its output in the file LOG. STEPS is a command that
# turns the output into the lines that show_progress reads. If the command fails, the end of the log is shown.
run_logged() {
  local log=$1 steps=$2
  local -a statuses
  shift 2
  "$@" </dev/null 2>&1 | tee "$log" | "$steps" | show_progress && statuses=("${PIPESTATUS[@]}") || statuses=("${PIPESTATUS[@]}")
  if ((statuses[0] != 0)); then say_failure "${statuses[0]}" "$log" "$@"; fi
  return "${statuses[0]}"
}

# The STEPS of a command that does not say how far it is.
no_steps() { cat >/dev/null; }

# The STEPS of Ninja: [12/345] Building CXX object src/util/CMakeFiles/conpole_util.dir/text.cc.o; files that are compiled together
# have the name of their library.
ninja_steps() {
  sed -nuE -e 's|^\[([0-9]+)/([0-9]+)\] Building CXX object .*/conpole_([^/]+)\.dir/Unity/[^/]+$|\1 \2 \3|' \
    -e 's|^\[([0-9]+)/([0-9]+)\] Building [A-Z]+ object .*/([^/]+)\.o$|\1 \2 \3|' -e 's|^\[([0-9]+)/([0-9]+)\] |\1 \2 |' \
    -e '/^[0-9]+ [0-9]+ /p'
}
