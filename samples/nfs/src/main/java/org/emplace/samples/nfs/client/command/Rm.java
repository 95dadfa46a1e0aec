// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Callable;
import org.emplace.samples.nfs.client.RemotePath;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nfs rm}. */
@Command(name = "rm", description = "Removes files.", mixinStandardHelpOptions = true, sortOptions = false)
final class Rm implements Callable<Integer> {
    private static final int DEEPEST = 1000;

    @Parameters(
            arity = "1..*",
            paramLabel = "URL",
            converter = MountSettings.Url.class,
            description = "Files to remove.")
    private List<RemotePath> places = new ArrayList<>();

    @Option(names = "-r", description = "Also directories, with everything in them.")
    private boolean recursive;

    @Mixin
    private MountSettings settings = new MountSettings();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Failures failures = new Failures("rm");
        try (Mounts mounts = new Mounts(settings)) {
            for (RemotePath place : places) {
                failures.attempt(place, () -> remove(mounts.path(place)));
            }
        }
        return failures.exitStatus();
    }

    private void remove(Path path) throws IOException {
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            Files.delete(path);
        } else if (recursive) {
            Files.walkFileTree(path, EnumSet.noneOf(FileVisitOption.class), DEEPEST, new Removal());
        } else {
            throw new FileSystemException(path.toString(), null, "Is a directory");
        }
    }

    /** Removes what a directory has before the directory. */
    private static final class Removal extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure) throws IOException {
            if (failure != null) {
                throw failure;
            }
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
        }
    }
}
