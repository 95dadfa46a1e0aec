// SPDX-License-Identifier: Apache-2.0
package org.emplace.maven;

/**
 * What an execution did.
 *
 * @param isUpToDate whether nothing had to be done
 * @param generated how many sources there are of it
 * @param messages of the compiler; nothing was changed if there are errors
 */
record GenerateResult(boolean isUpToDate, int generated, Messages messages) {

    static GenerateResult upToDate(int generated) {
        return new GenerateResult(true, generated, Messages.NONE);
    }
}
