// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.source;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file of the input.
 *
 * @param name as the user named it; identifies the file in a run
 * @param text the whole text without a byte order mark; lines end with {@code \n}, whatever they end with in the file
 */
public record SourceFile(String name, String text) implements LocatedText {

    private static final String BYTE_ORDER_MARK = "\ufeff";
    private static final int MOST_BYTES = 4_000_000;

    public SourceFile {
        text = text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
        text = text.replace("\r\n", "\n").replace('\r', '\n');
    }

    /**
     * Reads a file. Its encoding is UTF-8, or ISO 8859-1 if it is not valid UTF-8, as in comments of old protocol definitions.
     *
     * @throws IOException if it cannot be read, or has more than 4,000,000 bytes, as a device may have
     */
    public static SourceFile read(Path path, String name) throws IOException {
        byte[] bytes = bytes(path);
        try {
            return new SourceFile(
                    name,
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(bytes))
                            .toString());
        } catch (CharacterCodingException notUtf8) {
            return new SourceFile(name, new String(bytes, StandardCharsets.ISO_8859_1));
        }
    }

    private static byte[] bytes(Path path) throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            byte[] bytes = in.readNBytes(MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw new IOException("it has more than " + MOST_BYTES + " bytes");
            }
            return bytes;
        }
    }

    @Override
    public Span span(int line, int column, int length) {
        return new Span(name, line, column, length);
    }
}
