// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.emplace.samples.nfs.client.command.Cp.CopySettings;
import org.emplace.samples.nfs.client.copy.Present;
import org.emplace.samples.nfs.client.copy.TreeCopy;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nfs sync}. */
@Command(
        name = "sync",
        description = "Makes TARGET a copy of SOURCE: copies the files whose size or modification time differs.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class Sync implements Callable<Integer> {

    @Parameters(
            index = "0",
            paramLabel = "SOURCE",
            converter = PathArgument.Converter.class,
            description = "A directory: an nfs:// URL or a local path.")
    private @Nullable PathArgument source;

    @Parameters(
            index = "1",
            paramLabel = "TARGET",
            converter = PathArgument.Converter.class,
            description = "The directory to update: an nfs:// URL or a local path.")
    private @Nullable PathArgument target;

    @Option(names = "--delete", description = "Remove from TARGET what SOURCE does not have.")
    private boolean delete;

    @Mixin
    private CopySettings copying = new CopySettings();

    @Mixin
    private MountSettings settings = new MountSettings();

    @Override
    public Integer call() throws IOException, InterruptedException {
        PathArgument from = Objects.requireNonNull(source);
        PathArgument to = Objects.requireNonNull(target);
        Set<TreeCopy.Option> options = EnumSet.of(TreeCopy.Option.RECURSIVE, TreeCopy.Option.DIFFERENT_ONLY);
        if (delete) {
            options.add(TreeCopy.Option.DELETE_OTHERS);
        }
        return copying.run(
                "sync",
                settings,
                options,
                (copy, mounts, failures) -> failures.attempt(from, () -> {
                    Path directory = mounts.path(from).toRealPath();
                    if (!Present.isDirectory(directory)) {
                        throw new IOException("Is not a directory");
                    }
                    failures.attempt(to, () -> copy.copy(directory, mounts.path(to)));
                }));
    }
}
