// SPDX-License-Identifier: Apache-2.0
package org.emplace.texts;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/** The files below a folder that people write: not those of the build, nor of hidden folders. */
final class SourceTree {
    private static final List<String> TEXTS = List.of(".md", ".java", ".c", ".h", ".x", ".ulb", ".g4", ".xml", ".sh");

    private SourceTree() {}

    /** The files below a folder in which somebody writes prose: pages, sources and build files. */
    static List<Path> texts(Path root) throws IOException {
        List<Path> files = new ArrayList<>();
        for (String ending : TEXTS) {
            files.addAll(files(root, ending));
        }
        return files;
    }

    /** The files whose names end so, in any order. */
    static List<Path> files(Path root, String ending) throws IOException {
        List<Path> files = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                String name = directory.getFileName().toString();
                boolean left = name.startsWith(".") || name.equals("target");
                return left && !directory.equals(root) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.getFileName().toString().endsWith(ending)) {
                    files.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return files;
    }
}
