// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Codes lists that C links by a member in the middle of a struct. What stands behind the link comes on the wire after the whole rest of the list, so
 * that it is the last element's first (RFC 4506 section 4.19, with the members in another order). Takes no stack for long lists. Immutable.
 *
 * @param beforeLink writes what of an element stands before the link
 * @param afterLink writes what stands behind it
 * @param head reads what stands before the link
 * @param rest reads what stands behind it, and makes the element
 * @param <H> what was read of an element before its link
 * @param <T> the elements
 */
public record XdrLinkedList<H, T>(
        XdrWriter<? super T> beforeLink, XdrWriter<? super T> afterLink, XdrReader<H> head, Rest<H, T> rest) {

    /** Reads the second part of an element. */
    @FunctionalInterface
    public interface Rest<H, T> {

        /**
         * Reads what stands behind the link.
         *
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

    /** Writes a list as its first element, which leads to the others. */
    public void writeNonEmpty(XdrEncoder out, List<T> values) {
        for (int i = 0; i < values.size(); i++) {
            beforeLink.write(out, values.get(i));
            out.writeBoolean(i < values.size() - 1);
        }
        for (int i = values.size() - 1; i >= 0; i--) {
            afterLink.write(out, values.get(i));
        }
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
     * Reads a list that is its first element.
     *
     * @return unmodifiable
     * @throws XdrException if the input is malformed
     */
    public List<T> readNonEmpty(XdrDecoder in) throws XdrException {
        List<H> heads = new ArrayList<>();
        do {
            heads.add(head.read(in));
        } while (in.readBoolean());
        List<T> values = new ArrayList<>();
        for (int i = heads.size() - 1; i >= 0; i--) {
            values.add(rest.read(in, heads.get(i)));
        }
        Collections.reverse(values);
        return Collections.unmodifiableList(values);
    }
}
