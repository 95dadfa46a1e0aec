// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler;

import java.util.List;
import org.emplace.compiler.source.Dependencies;
import org.emplace.compiler.source.SourceFile;

/**
 * The result of analyzing files.
 *
 * @param files that were read, for quoting
 * @param dependencies the files that the result depends on
 */
public record FileAnalysis(Analysis analysis, List<SourceFile> files, Dependencies dependencies) {

    public FileAnalysis {
        files = List.copyOf(files);
    }
}
