# SPDX-License-Identifier: Apache-2.0
# To be sourced by the lab's tests, here and in the guest. Each statement about the code under test is one line of output,
# `ok - STATEMENT` or `not ok - STATEMENT` followed by what the command said; ./check counts these lines.
# shellcheck shell=bash
failures=0

# expect STATEMENT COMMAND...: the statement holds if the command succeeds.
expect() {
  local statement=$1 output
  shift
  if output=$("$@" 2>&1 </dev/null); then
    echo "ok - $statement"
  else
    echo "not ok - $statement"
    head -n 20 <<<"$output" | sed 's/^/  # /'
    failures=$((failures + 1))
  fi
}

# fails_saying TEXT COMMAND...: succeeds if the command fails and its output contains the text.
fails_saying() {
  local text=$1 output
  shift
  if output=$("$@" 2>&1); then
    echo "succeeded: $output"
    return 1
  fi
  [[ $output == *"$text"* ]] || { echo "$output"; return 1; }
}

# within SECONDS COMMAND...: repeats the command until it succeeds, for so long at most.
within() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [ $SECONDS -lt $end ] || { echo "not within the time: $*" >&2; return 1; }
    sleep 0.2
  done
}
