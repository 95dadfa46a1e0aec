// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.emplace.samples.nfs.client.RemotePath;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nfs mkdir}. */
@Command(name = "mkdir", description = "Creates directories.", mixinStandardHelpOptions = true, sortOptions = false)
final class Mkdir implements Callable<Integer> {
    @Parameters(
            arity = "1..*",
            paramLabel = "URL",
            converter = MountSettings.Url.class,
            description = "Directories to create.")
    private List<RemotePath> places = new ArrayList<>();

    @Option(names = "-p", description = "Create parent directories too; existing directories are no error.")
    private boolean parents;

    @Mixin
    private MountSettings settings = new MountSettings();

    @Override
    public Integer call() throws IOException, InterruptedException {
        return Mounts.forEach(settings, "mkdir", places, (directory, failures) -> create(directory));
    }

    private void create(Path directory) throws IOException {
        if (parents) {
            Files.createDirectories(directory);
        } else {
            Files.createDirectory(directory);
        }
    }
}
