// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.diagnostic;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Locale;
import org.emplace.compiler.source.Span;

/**
 * Diagnostics as JSON, one object per line: {@code code}, {@code severity} ({@code error}, {@code warning} or {@code note}), {@code message}, {@code
 * primary}, {@code notes} (each a position with a {@code message}) and, if there is one, {@code hint}. A position has {@code file}, and unless it is
 * a whole file {@code line}, {@code column} and {@code length}, counted as in {@link Span}.
 */
public final class DiagnosticJson {

    private static final JsonFactory FACTORY = new JsonFactory();

    /** Characters beyond this one are escaped; some of them control terminals. */
    private static final int LAST_OF_ASCII = '~';

    private DiagnosticJson() {}

    /** The object of one diagnostic. It ends with a newline and contains no other. */
    public static String render(Diagnostic diagnostic) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            json.setHighestNonEscapedChar(LAST_OF_ASCII);
            json.writeStartObject();
            json.writeStringField("code", diagnostic.code());
            json.writeStringField("severity", diagnostic.severity().name().toLowerCase(Locale.ROOT));
            json.writeStringField("message", diagnostic.message());
            json.writeObjectFieldStart("primary");
            place(json, diagnostic.primary());
            json.writeEndObject();
            json.writeArrayFieldStart("notes");
            for (Diagnostic.Note note : diagnostic.notes()) {
                json.writeStartObject();
                place(json, note.span());
                json.writeStringField("message", note.message());
                json.writeEndObject();
            }
            json.writeEndArray();
            if (diagnostic.hint().isPresent()) {
                json.writeStringField("hint", diagnostic.hint().get());
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.append('\n').toString();
    }

    private static void place(JsonGenerator json, Span span) throws IOException {
        json.writeStringField("file", span.file());
        if (span.line() > 0) {
            json.writeNumberField("line", span.line());
            json.writeNumberField("column", span.column());
            json.writeNumberField("length", span.length());
        }
    }
}
