// SPDX-License-Identifier: Apache-2.0
#include "failure.h"

bool fail_system(struct failure *failure, const char *function, int error)
{
    // Some verbs providers return negative error numbers.
    *failure = (struct failure){FAILURE_SYSTEM, function, error < 0 ? -error : error};
    return false;
}

bool fail_handle(struct failure *failure, const char *kind)
{
    *failure = (struct failure){FAILURE_HANDLE, kind, 0};
    return false;
}

bool fail_argument(struct failure *failure, const char *sentence)
{
    *failure = (struct failure){FAILURE_ARGUMENT, sentence, 0};
    return false;
}
