// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.emplace.samples.nfs.client.copy.Present;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code nfs mv}. */
@Command(
        name = "mv",
        description = "Renames a file, or moves files into a directory of the same export.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class Mv implements Callable<Integer> {

    @Parameters(
            arity = "2..*",
            paramLabel = "URL",
            converter = PathArgument.UrlConverter.class,
            description = "Sources, then the new name or the target directory.")
    private List<PathArgument> places = new ArrayList<>();

    @Mixin
    private MountSettings settings = new MountSettings();

    private final Set<Path> moved = new HashSet<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Failures failures = new Failures("mv");
        PathArgument target = places.get(places.size() - 1);
        try (Mounts mounts = new Mounts(settings)) {
            for (PathArgument place : places.subList(0, places.size() - 1)) {
                failures.attempt(place, () -> move(mounts.path(place), mounts.path(target), target));
            }
        }
        return failures.exitStatus();
    }

    private void move(Path from, Path target, PathArgument url) throws IOException {
        if (!from.getFileSystem().equals(target.getFileSystem())) {
            throw new IOException("Invalid cross-device link");
        }
        boolean into = Present.isDirectory(target);
        if (!into && places.size() > 2) {
            throw new IOException("'" + url + "' is not a directory to move into");
        }
        if (!into) {
            url.checkNewNameOf(from);
        }
        @Nullable Path name = from.getFileName();
        if (name == null) {
            throw new IOException("Is the root of the export");
        }
        if (into && !moved.add(name)) {
            throw new IOException("Has the name of an earlier source: not moved over it");
        }
        Files.move(from, into ? target.resolve(name) : target, StandardCopyOption.ATOMIC_MOVE);
    }
}
