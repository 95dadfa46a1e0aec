// SPDX-License-Identifier: Apache-2.0
// Why a function failed. Functions with a failure parameter return false (or null) on failure, and fill it.
#ifndef EMPLACE_FAILURE_H
#define EMPLACE_FAILURE_H

#include <stdbool.h>

enum failure_kind {
    FAILURE_SYSTEM,   // a system or library call failed; subject is its name
    FAILURE_HANDLE,   // a handle names no open object; subject is the expected kind of object
    FAILURE_ARGUMENT, // an argument is invalid; subject is a sentence
};

struct failure {
    enum failure_kind kind;
    const char *subject; // a literal
    int error;           // the error number of FAILURE_SYSTEM
};

// Both fill failure and return false.
bool fail_system(struct failure *failure, const char *function, int error);
bool fail_handle(struct failure *failure, const char *kind);
bool fail_argument(struct failure *failure, const char *sentence);

#endif
