// SPDX-License-Identifier: Apache-2.0
package org.emplace.maven;

/**
 * The result of an execution.
 *
 * @param isUpToDate whether nothing had to be done
 * @param generated the number of its sources
 * @param messages of the compiler; if there are errors, nothing was changed
 */
record GenerateResult(boolean isUpToDate, int generated, Messages messages) {

    static GenerateResult upToDate(int generated) {
        return new GenerateResult(true, generated, Messages.NONE);
    }
}
