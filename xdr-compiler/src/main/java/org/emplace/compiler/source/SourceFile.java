// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * One file of the input.
 *
 * @param name as the user named it; distinguishes the files of a run
 * @param text its whole text without a byte order mark; lines end with {@code \n}, whatever they end with in the file
 */
public record SourceFile(String name, String text) implements LocatedText {

    private static final String BYTE_ORDER_MARK = "\ufeff";

    public SourceFile {
        text = text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
        text = text.replace("\r\n", "\n").replace('\r', '\n');
    }

    /** Reads a file: UTF-8, or where it is not that, ISO 8859-1, as old protocol definitions' comments are. */
    public static SourceFile read(Path path, String name) throws IOException {
        byte[] bytes = Files.readAllBytes(path);
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

    @Override
    public Span span(int line, int column, int length) {
        return new Span(name, line, column, length);
    }

    /** The text of a line, counted from 1; empty beyond the end. */
    public String line(int number) {
        int start = 0;
        for (int line = 1; line < number; line++) {
            int end = text.indexOf('\n', start);
            if (end < 0) {
                return "";
            }
            start = end + 1;
        }
        int end = text.indexOf('\n', start);
        return text.substring(start, end < 0 ? text.length() : end);
    }
}
