# SPDX-License-Identifier: Apache-2.0
# Sourced by the lab's tests, here and in the guest. Each statement about the code under test is one line of output,
# `ok - STATEMENT`, or `not ok - STATEMENT` followed by the command's output. ./check counts these lines.
# shellcheck shell=bash
failures=0

# expect STATEMENT COMMAND...: prints the statement as ok if the command succeeds.
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

# within SECONDS COMMAND...: repeats the command until it succeeds, for at most this time.
within() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [ $SECONDS -lt $end ] || { echo "timed out: $*" >&2; return 1; }
    sleep 0.2
  done
}
