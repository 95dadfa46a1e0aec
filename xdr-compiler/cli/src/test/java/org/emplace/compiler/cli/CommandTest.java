// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** A test that runs xdrc in a folder of its own. */
abstract class CommandTest {

    @TempDir
    Path folder = Path.of("");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    /** Makes a file, or writes another text into it. */
    String file(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text).toString();
    }

    int run(String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return Xdrc.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }

    /** Compiles into the folder {@code output}, to the package {@code p}. */
    int compile(String... filesAndOptions) {
        String[] arguments = new String[filesAndOptions.length + 5];
        System.arraycopy(filesAndOptions, 0, arguments, 5, filesAndOptions.length);
        arguments[0] = "compile";
        arguments[1] = "--output";
        arguments[2] = output().toString();
        arguments[3] = "--package";
        arguments[4] = "p";
        return run(arguments);
    }

    Path output() {
        return folder.resolve("output");
    }

    /** What the last run wrote to standard output. */
    String out() {
        return out.toString();
    }

    /** What it wrote to standard error. */
    String err() {
        return err.toString();
    }
}
