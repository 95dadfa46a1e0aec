// SPDX-License-Identifier: Apache-2.0
// Why a function of the core could not do what it was asked. Such functions return false (or null) and fill one of these.
#ifndef EMPLACE_FAILURE_H
#define EMPLACE_FAILURE_H

#include <stdbool.h>

enum failure_kind {
    FAILURE_SYSTEM,   // a call to the system failed; subject is its name
    FAILURE_HANDLE,   // a handle names no open object; subject is the kind of object that was wanted
    FAILURE_ARGUMENT, // an argument is out of its bounds; subject is a sentence
};

struct failure {
    enum failure_kind kind;
    const char *subject; // a literal
    int error;           // the error number of FAILURE_SYSTEM
};

// Fill a failure, and return false.
bool fail_system(struct failure *failure, const char *function, int error);
bool fail_handle(struct failure *failure, const char *kind);
bool fail_argument(struct failure *failure, const char *sentence);

#endif
