// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

/** Encodes and decodes the values of one type. */
public record XdrCodec<T>(XdrWriter<T> writer, XdrReader<T> reader) {

    /** The codec of {@code void}, which has no encoding; its value is null. */
    @SuppressWarnings("NullAway") // Void has no other value
    public static final XdrCodec<Void> VOID = new XdrCodec<>((out, nothing) -> {}, in -> null);

    /**
     * Returns the codec of a generated type.
     *
     * @param reader its static {@code decode}
     */
    public static <T extends XdrValue> XdrCodec<T> of(XdrReader<T> reader) {
        return new XdrCodec<>((out, value) -> value.encode(out), reader);
    }
}
