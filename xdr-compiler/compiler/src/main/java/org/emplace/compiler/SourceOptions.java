// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler;

import java.util.List;
import org.emplace.compiler.preprocess.Definitions;
import org.emplace.compiler.preprocess.IncludePath;

/**
 * How to read source files.
 *
 * @param definitions the macros that are defined
 * @param includePath the directories of included files, searched after that of the including file
 * @param standardOnly whether extensions of RFC 4506 and RFC 5531 are errors
 */
public record SourceOptions(Definitions definitions, List<IncludePath.Directory> includePath, boolean standardOnly) {

    /** No macros beyond those that rpcgen defines, no directories, and extensions accepted. */
    public static final SourceOptions DEFAULT = new SourceOptions(Definitions.DEFAULT, List.of(), false);

    public SourceOptions {
        includePath = List.copyOf(includePath);
    }
}
