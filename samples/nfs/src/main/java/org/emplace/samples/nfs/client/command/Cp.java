// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.emplace.samples.nfs.client.copy.Present;
import org.emplace.samples.nfs.client.copy.TreeCopy;
import org.emplace.samples.nfs.client.files.FileNames;
import org.emplace.xdr.XdrString;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nfs cp}. */
@Command(
        name = "cp",
        description = {
            "Copies files to or from a server, or between servers, with modes and times.",
            "A copy appears under its name only when it is complete."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class Cp implements Callable<Integer> {

    @Parameters(
            arity = "2..*",
            paramLabel = "PATH",
            converter = PathArgument.Converter.class,
            description = "Sources, then the target file or directory; each an nfs:// URL or a local path.")
    private List<PathArgument> places = new ArrayList<>();

    @Option(names = "-r", description = "Copy directories recursively. Symbolic links stay links.")
    private boolean recursive;

    @Mixin
    private CopySettings copying = new CopySettings();

    @Mixin
    private MountSettings settings = new MountSettings();

    @Override
    public Integer call() throws IOException, InterruptedException {
        PathArgument target = places.get(places.size() - 1);
        Set<TreeCopy.Option> options = recursive ? Set.of(TreeCopy.Option.RECURSIVE) : Set.of();
        return copying.run(
                "cp",
                settings,
                options,
                (copy, mounts, failures) -> failures.attempt(target, () -> {
                    Path to = mounts.path(target);
                    boolean into = Present.isDirectory(to);
                    if (!into && places.size() > 2) {
                        throw new IOException("Is not a directory to copy into");
                    }
                    Set<XdrString> names = new HashSet<>();
                    for (PathArgument source : places.subList(0, places.size() - 1)) {
                        failures.attempt(source, () -> {
                            Optional<XdrString> name = into ? source.name() : Optional.empty();
                            if (name.isPresent() && !names.add(name.get())) {
                                throw new IOException("Has the name of an earlier source: not copied over its copy");
                            }
                            if (!into) {
                                target.checkNewNameOf(mounts.path(source));
                            }
                            copy.copy(mounts.path(source), name.isPresent() ? FileNames.in(to, name.get()) : to);
                        });
                    }
                }));
    }

    /** The options that cp and sync share. */
    static final class CopySettings {

        @Option(
                names = {"-q", "--quiet"},
                description = "Do not show progress on the terminal.")
        private boolean quiet;

        @Option(names = "--stats", description = "At the end, print calls and bytes by procedure and chunk type.")
        private boolean statistics;

        /** The copy to make. */
        @FunctionalInterface
        interface Copies {
            /** Copies it. */
            void make(TreeCopy copy, Mounts mounts, Failures failures) throws IOException, InterruptedException;
        }

        /** Copies, with progress and statistics as the options say. Returns the exit status. */
        int run(String command, MountSettings settings, Set<TreeCopy.Option> options, Copies copies)
                throws IOException, InterruptedException {
            Failures failures = new Failures(command);
            CallStatistics calls = new CallStatistics();
            try (Mounts mounts = new Mounts(settings, calls);
                    Progress progress = new Progress(failures, !quiet && Output.errorsGoToTerminal());
                    TreeCopy copy = new TreeCopy(progress, options)) {
                copies.make(copy, mounts, failures);
            }
            if (statistics) {
                System.out.print(calls.table());
                System.out.flush();
            }
            return failures.exitStatus();
        }
    }
}
