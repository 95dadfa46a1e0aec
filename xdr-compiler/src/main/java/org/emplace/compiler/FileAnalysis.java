// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler;

import java.util.List;
import org.emplace.compiler.source.Dependencies;
import org.emplace.compiler.source.SourceFile;

/**
 * What some files mean.
 *
 * @param files that were read, for quoting from them
 * @param dependencies where they are, and where others were looked for
 */
public record FileAnalysis(Analysis analysis, List<SourceFile> files, Dependencies dependencies) {

    public FileAnalysis {
        files = List.copyOf(files);
    }
}
