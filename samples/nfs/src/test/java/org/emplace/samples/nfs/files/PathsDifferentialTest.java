// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.emplace.samples.nfs.client.command.ServedExport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Paths of {@code nfs://} behave like paths of the default file system with the same text. */
class PathsDifferentialTest {
    private static final List<String> PIECES = List.of("a", "b", "\u00fc", ".", "..", "/", "/", "/", "a-");

    @TempDir
    private Path temporary = Path.of("");

    @Test
    void allMethodsAgree() throws Exception {
        long seed = Long.getLong("files.seed", System.nanoTime());
        Random random = new Random(seed);
        try (ServedExport served = new ServedExport("tcp", temporary);
                FileSystem nfs = FileSystems.newFileSystem(served.fileSystem(), Map.of())) {
            for (int i = 0; i < 5_000; i++) {
                String first = text(random);
                String second = text(random);
                assertThat(all(nfs, first, second))
                        .as("'%s' and '%s', -Dfiles.seed=%d", first, second, seed)
                        .isEqualTo(all(FileSystems.getDefault(), first, second));
            }
        }
    }

    private static String text(Random random) {
        return random.ints(random.nextInt(7), 0, PIECES.size())
                .mapToObj(PIECES::get)
                .collect(Collectors.joining());
    }

    /** A method of paths. */
    @FunctionalInterface
    private interface Question {
        @Nullable
        Object answer();
    }

    private static String asked(Question question) {
        try {
            return String.valueOf(question.answer());
        } catch (RuntimeException e) {
            return e.getClass().getSimpleName();
        }
    }

    private static List<String> all(FileSystem fileSystem, String first, String second) {
        Path path = fileSystem.getPath(first);
        Path other = fileSystem.getPath(second);
        return List.of(
                asked(path::toString),
                asked(path::isAbsolute),
                asked(path::getRoot),
                asked(path::getFileName),
                asked(path::getParent),
                asked(path::getNameCount),
                asked(() -> path.getName(0)),
                asked(() -> path.subpath(0, 2)),
                asked(() -> path.startsWith(other)),
                asked(() -> path.endsWith(other)),
                asked(() -> path.startsWith(second)),
                asked(path::normalize),
                asked(() -> path.resolve(other)),
                asked(() -> path.resolveSibling(other)),
                asked(() -> path.relativize(other)),
                asked(() -> Integer.signum(path.compareTo(other))),
                asked(() -> path.equals(other)),
                asked(() -> StreamSupport.stream(path.spliterator(), false).toList()),
                asked(() -> fileSystem.getPathMatcher("glob:{a,[!b]}*/**").matches(path)));
    }
}
