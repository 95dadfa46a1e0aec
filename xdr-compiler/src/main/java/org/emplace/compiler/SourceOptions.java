// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler;

import java.util.List;
import org.emplace.compiler.preprocess.Definitions;
import org.emplace.compiler.preprocess.IncludePath;

/**
 * How to read source files.
 *
 * @param definitions what preprocessor conditions see
 * @param includePath where included files are looked for, after the folder of the file that includes them
 * @param standardOnly whether everything that RFC 4506 and RFC 5531 do not have is an error
 */
public record SourceOptions(Definitions definitions, List<IncludePath.Directory> includePath, boolean standardOnly) {

    /** As files usually want to be read. */
    public static final SourceOptions DEFAULT = new SourceOptions(Definitions.DEFAULT, List.of(), false);

    public SourceOptions {
        includePath = List.copyOf(includePath);
    }
}
