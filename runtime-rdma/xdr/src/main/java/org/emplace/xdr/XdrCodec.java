// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

/** Encodes and decodes the values of one type. */
public record XdrCodec<T>(Writer<T> writer, Reader<T> reader) {

    /** The codec of {@code void}, which has no encoding; its value is null. */
    @SuppressWarnings("NullAway") // Void has no other value
    public static final XdrCodec<Void> VOID = new XdrCodec<>((out, nothing) -> {}, in -> null);

    /**
     * Returns the codec of a generated type.
     *
     * @param reader its static {@code decode}
     */
    public static <T extends XdrValue> XdrCodec<T> of(Reader<T> reader) {
        return new XdrCodec<>((out, value) -> value.encode(out), reader);
    }

    /** Decodes values of one type, such as {@code Fattr3::decode}. */
    @FunctionalInterface
    public interface Reader<T> {

        /**
         * Reads the next value.
         *
         * @throws XdrException if the input is malformed; the decoder's position is then undefined
         */
        T read(XdrDecoder in) throws XdrException;
    }

    /** Encodes values of one type. */
    @FunctionalInterface
    public interface Writer<T> {

        /** Appends the encoding of {@code value} to {@code out}. */
        void write(XdrEncoder out, T value);
    }
}
