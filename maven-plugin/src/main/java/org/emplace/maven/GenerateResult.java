// SPDX-License-Identifier: Apache-2.0
package org.emplace.maven;

import java.util.List;

/**
 * What an execution did.
 *
 * @param isUpToDate whether nothing had to be done
 * @param generated how many sources it generated
 * @param errors as the user is to read them; nothing was changed if there are any
 * @param warnings likewise
 */
record GenerateResult(boolean isUpToDate, int generated, List<String> errors, List<String> warnings) {

    static GenerateResult upToDate(int generated) {
        return new GenerateResult(true, generated, List.of(), List.of());
    }
}
