// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.emplace.samples.nfs.client.RemotePath;
import org.emplace.samples.nfs.client.copy.Present;
import org.emplace.samples.nfs.client.copy.TreeRemoval;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** {@code nfs rm}. */
@Command(name = "rm", description = "Removes files.", mixinStandardHelpOptions = true, sortOptions = false)
final class Rm implements Callable<Integer> {
    private static final Pattern DOTS_AT_THE_END = Pattern.compile("[^?]*/\\.\\.?/*(\\?.*)?");

    @Parameters(arity = "1..*", paramLabel = "URL", converter = Removable.class, description = "Files to remove.")
    private List<RemotePath> places = new ArrayList<>();

    @Option(names = "-r", description = "Remove directories recursively.")
    private boolean recursive;

    @Mixin
    private MountSettings settings = new MountSettings();

    @Override
    public Integer call() throws IOException, InterruptedException {
        return Mounts.forEach(settings, "rm", places, this::remove);
    }

    /** Parses the URL of a file, but not of a directory by a name within it: a mistake, such as an empty variable, would remove far more than was meant. */
    static final class Removable implements ITypeConverter<RemotePath> {
        private final MountSettings.Url url = new MountSettings.Url();

        @Override
        public RemotePath convert(String text) {
            if (DOTS_AT_THE_END.matcher(text).matches()) {
                throw new TypeConversionException("'" + text + "' ends in . or ..: name the directory itself");
            }
            return url.convert(text);
        }
    }

    private void remove(Path path, Failures failures) throws IOException, InterruptedException {
        if (path.getNameCount() == 0) {
            throw new FileSystemException(path.toString(), null, "Is the root of an export: not removed");
        }
        if (recursive) {
            try (TreeRemoval removal = new TreeRemoval(failures::report)) {
                removal.remove(List.of(new TreeRemoval.Target(path, null)));
            }
        } else if (Present.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileSystemException(path.toString(), null, "Is a directory");
        } else {
            Files.delete(path);
        }
    }
}
