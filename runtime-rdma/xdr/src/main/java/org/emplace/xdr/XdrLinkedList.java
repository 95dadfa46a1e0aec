// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.emplace.xdr.XdrCodec.Reader;
import org.emplace.xdr.XdrCodec.Writer;

/**
 * Encodes and decodes linked lists whose struct has members after the link (RFC 4506 section 4.19). The encoding of
 * these members follows that of all later elements, so that those of the last element come first. Not recursive, so
 * a long list needs no deep stack. The list is one level of nesting. Immutable.
 *
 * @param beforeLink writes the members of an element before the link
 * @param afterLink writes the members after the link
 * @param head reads the members before the link
 * @param rest reads the members after the link, and makes the element
 * @param <H> the members of an element before the link
 * @param <T> the elements
 */
public record XdrLinkedList<H, T>(
        Writer<? super T> beforeLink, Writer<? super T> afterLink, Reader<H> head, Rest<H, T> rest) {

    /** Reads the members of an element after the link. */
    @FunctionalInterface
    public interface Rest<H, T> {

        /**
         * Reads the members after the link.
         *
         * @param head the members before the link
         * @return the element
         * @throws XdrException if the input is malformed
         */
        T read(XdrDecoder in, H head) throws XdrException;
    }

    /** Writes a list as optional-data. */
    public void write(XdrEncoder out, List<T> values) {
        out.writeBoolean(!values.isEmpty());
        if (!values.isEmpty()) {
            writeNonEmpty(out, values);
        }
    }

    /** Writes a list of at least one element, without a flag before the first. */
    public void writeNonEmpty(XdrEncoder out, List<T> values) {
        out.enter();
        for (int i = 0; i < values.size(); i++) {
            beforeLink.write(out, values.get(i));
            out.writeBoolean(i < values.size() - 1);
        }
        for (int i = values.size() - 1; i >= 0; i--) {
            afterLink.write(out, values.get(i));
        }
        out.leave();
    }

    /**
     * Reads a list that is optional-data.
     *
     * @return unmodifiable
     * @throws XdrException if the input is malformed
     */
    public List<T> read(XdrDecoder in) throws XdrException {
        return in.readBoolean() ? readNonEmpty(in) : List.of();
    }

    /**
     * Reads a list of at least one element, without a flag before the first.
     *
     * @return unmodifiable
     * @throws XdrException if the input is malformed
     */
    public List<T> readNonEmpty(XdrDecoder in) throws XdrException {
        in.enter();
        List<H> heads = new ArrayList<>();
        do {
            heads.add(head.read(in));
        } while (in.readBoolean());
        List<T> values = new ArrayList<>();
        for (int i = heads.size() - 1; i >= 0; i--) {
            values.add(rest.read(in, heads.get(i)));
        }
        in.leave();
        Collections.reverse(values);
        return Collections.unmodifiableList(values);
    }
}
