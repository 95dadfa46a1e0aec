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

// All fill failure and return false.

static inline bool fail_system(struct failure *failure, const char *function, int error)
{
    // Some verbs providers return negative error numbers.
    *failure = (struct failure){FAILURE_SYSTEM, function, error < 0 ? -error : error};
    return false;
}

static inline bool fail_handle(struct failure *failure, const char *kind)
{
    *failure = (struct failure){FAILURE_HANDLE, kind, 0};
    return false;
}

static inline bool fail_argument(struct failure *failure, const char *sentence)
{
    *failure = (struct failure){FAILURE_ARGUMENT, sentence, 0};
    return false;
}

#endif
