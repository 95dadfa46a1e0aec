// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.PathMatcher;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.LongPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.emplace.samples.nfs.client.RemotePath;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** {@code nfs find}. */
@Command(
        name = "find",
        description = "Prints the URLs of files that match all options.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class Find implements Callable<Integer> {

    @Parameters(
            arity = "1..*",
            paramLabel = "URL",
            converter = MountSettings.Url.class,
            description = "Directories to search.")
    private List<RemotePath> places = new ArrayList<>();

    @Option(names = "-name", paramLabel = "GLOB", converter = Glob.class, description = "Match names such as '*.raw'.")
    private PathMatcher name = path -> true;

    @Option(
            names = "-type",
            paramLabel = "f|d|l",
            converter = Type.class,
            description = "Match files (f), directories (d) or symbolic links (l).")
    private String type = "";

    @Option(
            names = "-size",
            paramLabel = "[+-]N[kMG]",
            converter = Size.class,
            description = "Match files of N bytes; +N: more, -N: fewer.")
    private @Nullable LongPredicate size;

    @Option(
            names = "-newer",
            paramLabel = "PATH",
            converter = PathArgument.Converter.class,
            description = "Match files modified after PATH, an nfs:// URL or a local path.")
    private @Nullable PathArgument newer;

    @Option(names = "--json", description = "Print one JSON object per file.")
    private boolean json;

    @Mixin
    private MountSettings settings = new MountSettings();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Failures failures = new Failures("find");
        try (Mounts mounts = new Mounts(settings)) {
            @Nullable FileTime since = newer == null ? null : Files.getLastModifiedTime(mounts.path(newer));
            for (RemotePath place : places) {
                failures.attempt(
                        place,
                        () -> new TreeWalk(failures, Integer.MAX_VALUE)
                                .walk(mounts.path(place), (facts, depth, last) -> {
                                    if (selects(facts, since)) {
                                        System.out.println(
                                                json
                                                        ? facts.json()
                                                        : facts.path().toUri());
                                    }
                                }));
            }
        }
        System.out.flush();
        return failures.exitStatus();
    }

    private boolean selects(FileFacts facts, @Nullable FileTime since) {
        return name.matches(facts.name())
                && facts.type().startsWith(type)
                && (size == null
                        || (facts.attributes().isRegularFile()
                                && size.test(facts.attributes().size())))
                && (since == null || facts.attributes().lastModifiedTime().compareTo(since) > 0);
    }

    /** Parses a pattern of names. */
    static final class Glob implements ITypeConverter<PathMatcher> {
        @Override
        public PathMatcher convert(String text) {
            try {
                return FileSystems.getDefault().getPathMatcher("glob:" + text);
            } catch (PatternSyntaxException e) {
                throw new TypeConversionException("'" + text + "': " + e.getDescription());
            }
        }
    }

    /** Parses a type to its name in words. */
    static final class Type implements ITypeConverter<String> {
        @Override
        public String convert(String text) {
            return switch (text) {
                case "f" -> "regular file";
                case "d" -> "directory";
                case "l" -> "symbolic link";
                default -> throw new TypeConversionException("'" + text + "' is none of f, d and l");
            };
        }
    }

    /** Parses a size. */
    static final class Size implements ITypeConverter<LongPredicate> {
        private static final Pattern FORM = Pattern.compile("([+-]?)(\\d{1,9})([kMG]?)");

        @Override
        public LongPredicate convert(String text) {
            Matcher matcher = FORM.matcher(text);
            if (!matcher.matches()) {
                throw new TypeConversionException("'" + text + "' is not a size such as 100, +10k, -3M or +1G");
            }
            int shift = 10 * " kMG".indexOf(matcher.group(3).isEmpty() ? " " : matcher.group(3));
            long bytes = Long.parseLong(matcher.group(2)) << shift;
            return switch (matcher.group(1)) {
                case "+" -> size -> Long.compareUnsigned(size, bytes) > 0;
                case "-" -> size -> Long.compareUnsigned(size, bytes) < 0;
                default -> size -> size == bytes;
            };
        }
    }
}
