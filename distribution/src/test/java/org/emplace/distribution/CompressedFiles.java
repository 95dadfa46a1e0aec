// SPDX-License-Identifier: Apache-2.0
package org.emplace.distribution;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** Compresses files as Debian's packages have them: manual pages and changes, without time and name. */
final class CompressedFiles {
    private CompressedFiles() {}

    /** {@code arguments} are the folder to write to and what to compress: files, or folders of which all files are meant. */
    public static void main(String[] arguments) throws IOException {
        Path target = Files.createDirectories(Path.of(arguments[0]));
        for (String source : Arrays.asList(arguments).subList(1, arguments.length)) {
            for (Path file : filesOf(Path.of(source))) {
                try (OutputStream out = new Best(Files.newOutputStream(target.resolve(file.getFileName() + ".gz")))) {
                    Files.copy(file, out);
                }
            }
        }
    }

    private static List<Path> filesOf(Path source) throws IOException {
        try (Stream<Path> files = Files.walk(source, 1)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    /** Compresses as {@code gzip -9} does. */
    private static final class Best extends GZIPOutputStream {
        Best(OutputStream out) throws IOException {
            super(out);
            def.setLevel(Deflater.BEST_COMPRESSION);
        }
    }
}
