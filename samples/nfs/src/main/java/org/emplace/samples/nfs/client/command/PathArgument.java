// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.nio.file.Path;
import java.util.Optional;
import org.emplace.samples.nfs.client.RemotePath;
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
 */
record PathArgument(Optional<RemotePath> url, Path local) {

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

    /** Parses an argument. It is a URL if it begins with a scheme. */
    static final class Converter implements ITypeConverter<PathArgument> {
        @Override
        public PathArgument convert(String text) {
            try {
                return text.contains("://")
                        ? new PathArgument(Optional.of(RemotePath.parse(text)), Path.of(""))
                        : new PathArgument(Optional.empty(), Path.of(text));
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        }
    }
}
