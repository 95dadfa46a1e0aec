// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler;

import java.util.List;
import org.emplace.compiler.source.SourceFile;

/**
 * What some files mean.
 *
 * @param files that were read, for quoting from them
 */
public record FileAnalysis(Analysis analysis, List<SourceFile> files) {

    public FileAnalysis {
        files = List.copyOf(files);
    }
}
