// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.diagnostic;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The explanations of all codes, one file per code beside this class. */
public final class Explanations {

    private static final String SUFFIX = ".md";
    private static final String CODE = "[EWN]\\d{3}";

    private Explanations() {}

    /** The explanation of a code; empty if the code does not exist. */
    public static Optional<Explanation> of(String code) {
        if (!code.matches(CODE)) {
            return Optional.empty();
        }
        try (InputStream in = Explanations.class.getResourceAsStream(code + SUFFIX)) {
            return in == null
                    ? Optional.empty()
                    : Optional.of(Explanation.of(new String(in.readAllBytes(), StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All codes by number; errors before notes before warnings of the same number. */
    public static List<String> codes() {
        @Nullable URL folder = Explanations.class.getResource("E101.md");
        if (folder == null) {
            throw new IllegalStateException("the explanations were not packaged with the compiler");
        }
        try {
            URI uri = folder.toURI();
            if (!"jar".equals(uri.getScheme())) {
                return codes(Path.of(uri).resolveSibling(""));
            }
            String[] jarAndEntry = uri.toString().split("!", 2);
            try (FileSystem jar = FileSystems.newFileSystem(URI.create(jarAndEntry[0]), Map.of())) {
                return codes(jar.getPath(jarAndEntry[1]).resolveSibling(""));
            }
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> codes(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches(CODE + "\\.md"))
                    .map(name -> name.substring(0, name.length() - SUFFIX.length()))
                    .sorted((a, b) -> byNumber(a).compareTo(byNumber(b)))
                    .toList();
        }
    }

    private static String byNumber(String code) {
        return code.substring(1) + code.charAt(0);
    }
}
