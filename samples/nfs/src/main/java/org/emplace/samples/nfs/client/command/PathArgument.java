// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.io.IOException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import org.emplace.samples.nfs.client.RemotePath;
import org.emplace.samples.nfs.client.copy.Present;
import org.emplace.samples.nfs.client.files.FileNames;
import org.emplace.xdr.XdrString;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A local file or one on a server.
 *
 * @param url its location, if it is on a server
 * @param local its path, if it is local
 * @param namesDirectory whether it ends in a slash or in dots, so that it cannot be anything but a directory
 */
record PathArgument(Optional<RemotePath> url, Path local, boolean namesDirectory) {
    private static final Pattern DIRECTORY = Pattern.compile(".*/\\.{0,2}|\\.{1,2}", Pattern.DOTALL);

    /** @throws IllegalArgumentException if it is not the URL of a file on a server; the message says why */
    static PathArgument ofUrl(String text) {
        String path = text.indexOf('?') < 0 ? text : text.substring(0, text.indexOf('?'));
        return new PathArgument(Optional.of(RemotePath.parse(text)), Path.of(""), isDirectory(path));
    }

    private static boolean isDirectory(String path) {
        return DIRECTORY.matcher(path).matches();
    }

    /**
     * Checks that a file can be given this name: nothing but a directory has one that ends in a slash.
     *
     * @throws IOException if it cannot, or if it cannot be determined
     */
    void checkNewNameOf(Path source) throws IOException {
        if (namesDirectory && !Present.isDirectory(source, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("'" + this + "/' is not a directory");
        }
    }

    /** The last name. A root has none. */
    Optional<XdrString> name() {
        if (url.isPresent()) {
            return url.filter(place -> !place.components().isEmpty()).map(RemotePath::name);
        }
        @Nullable Path name = local.toAbsolutePath().normalize().getFileName();
        return Optional.ofNullable(name).map(FileNames::of);
    }

    /** Its name in messages. */
    @Override
    public String toString() {
        return url.map(RemotePath::toString).orElseGet(() -> FileNames.text(local));
    }

    /** Parses the URL of a file on a server. */
    static final class UrlConverter implements ITypeConverter<PathArgument> {
        @Override
        public PathArgument convert(String text) {
            try {
                return ofUrl(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        }
    }

    /** Parses an argument. It is a URL if it begins with a scheme. */
    static final class Converter implements ITypeConverter<PathArgument> {
        @Override
        public PathArgument convert(String text) {
            try {
                return text.contains("://")
                        ? ofUrl(text)
                        : new PathArgument(Optional.empty(), Path.of(text), isDirectory(text));
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        }
    }
}
