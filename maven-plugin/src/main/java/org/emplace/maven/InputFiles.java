// SPDX-License-Identifier: Apache-2.0
package org.emplace.maven;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.emplace.compiler.CompileRequest.Source;

/** Finds the XDR files that an execution compiles. */
final class InputFiles {
    private static final String EVERY_DEPTH = "**/";

    private InputFiles() {}

    /** The files, sorted by name, each once. */
    static List<Source> of(GenerateRequest request) throws IOException, MisconfiguredException {
        Map<String, Path> found = new TreeMap<>();
        if (Files.isDirectory(request.sourceDirectory())) {
            addAll(found, request, request.sourceDirectory(), request.includes());
        }
        for (Path path : request.files()) {
            if (Files.isDirectory(path)) {
                addAll(found, request, path, List.of("**/*.x"));
            } else if (Files.isRegularFile(path)) {
                found.put(name(request, path), path);
            } else {
                throw new MisconfiguredException("<files> names " + path + ", which does not exist");
            }
        }
        if (found.isEmpty()) {
            throw new MisconfiguredException("there is no .x file in " + request.sourceDirectory()
                    + ": put the protocol there, or name it in <files> or <sourceDirectory>");
        }
        return found.entrySet().stream()
                .map(each -> new Source(each.getValue(), each.getKey()))
                .toList();
    }

    private static void addAll(Map<String, Path> found, GenerateRequest request, Path folder, List<String> patterns)
            throws IOException {
        List<PathMatcher> matchers = matchers(patterns);
        try (Stream<Path> files = Files.walk(folder)) {
            files.filter(Files::isRegularFile)
                    .filter(file -> matchers.stream().anyMatch(each -> each.matches(folder.relativize(file))))
                    .forEach(file -> found.put(name(request, file), file));
        }
    }

    /** As elsewhere in Maven, and unlike a glob, {@code **}{@code /} also matches no folder at all. */
    private static List<PathMatcher> matchers(List<String> patterns) {
        List<PathMatcher> matchers = new ArrayList<>();
        for (String pattern : patterns) {
            matchers.add(FileSystems.getDefault().getPathMatcher("glob:" + pattern));
            if (pattern.startsWith(EVERY_DEPTH)) {
                String here = pattern.substring(EVERY_DEPTH.length());
                matchers.add(FileSystems.getDefault().getPathMatcher("glob:" + here));
            }
        }
        return matchers;
    }

    private static String name(GenerateRequest request, Path file) {
        Path base = request.baseDirectory().toAbsolutePath().normalize();
        return base.relativize(file.toAbsolutePath().normalize()).toString().replace('\\', '/');
    }
}
