// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * An immutable set of bits, encoded as an array of {@code unsigned int}: bit 0 is the least significant bit of the
 * first word, bit 32 that of the second. NFS version 4 calls such a set {@code bitmap4}.
 *
 * <p>Two sets are equal if they have the same bits. A decoded set keeps zero words at its end, so that it is encoded as
 * it was received.
 */
public final class XdrBits {
    /** The empty set. */
    public static final XdrBits EMPTY = new XdrBits(XdrUnsignedInts.EMPTY);

    private final XdrUnsignedInts words;

    private XdrBits(XdrUnsignedInts words) {
        this.words = words;
    }

    /**
     * Returns the set of these bits.
     *
     * @param numbers the numbers of the bits, in any order
     * @throws IllegalArgumentException if a number is negative
     */
    public static XdrBits of(int... numbers) {
        int highest = -1;
        for (int number : numbers) {
            requireBit(number);
            highest = Math.max(highest, number);
        }
        int[] words = new int[(highest + Integer.SIZE) / Integer.SIZE];
        for (int number : numbers) {
            words[number / Integer.SIZE] |= 1 << number;
        }
        return new XdrBits(XdrUnsignedInts.ofBits(words));
    }

    /** Returns the set of the bits that are 1 in an array of words. */
    public static XdrBits ofWords(XdrUnsignedInts words) {
        return new XdrBits(words);
    }

    /**
     * Reads a variable-length array of words.
     *
     * @param max the declared bound in words, or {@link XdrDecoder#UNBOUNDED}
     */
    public static XdrBits decode(XdrDecoder in, long max) throws XdrException {
        return new XdrBits(XdrUnsignedInts.decode(in, max));
    }

    /** Reads a fixed-length array of words. */
    public static XdrBits decodeFixed(XdrDecoder in, int size) throws XdrException {
        return new XdrBits(XdrUnsignedInts.decodeFixed(in, size));
    }

    /** Writes the set as a variable-length array: the number of words, then the words. */
    public void encode(XdrEncoder out) {
        words.encode(out);
    }

    /** Writes the set as a fixed-length array of {@code size} words. */
    public void encodeFixed(XdrEncoder out, int size) {
        (words.size() == size ? words : XdrUnsignedInts.ofBits(words(size))).encodeFixed(out);
    }

    /** Whether the set has this bit; false for a negative number. */
    public boolean contains(int number) {
        int word = number / Integer.SIZE;
        return number >= 0 && word < words.size() && (words.word(word) & 1 << number) != 0;
    }

    /**
     * Returns this set with one more bit.
     *
     * @throws IllegalArgumentException if the number is negative
     */
    public XdrBits with(int number) {
        requireBit(number);
        int[] more = words(Math.max(words.size(), number / Integer.SIZE + 1));
        more[number / Integer.SIZE] |= 1 << number;
        return new XdrBits(XdrUnsignedInts.ofBits(more));
    }

    /** Returns this set without one bit. If the set had the bit, zero words at the end are dropped. */
    public XdrBits without(int number) {
        if (!contains(number)) {
            return this;
        }
        int[] fewer = words(words.size());
        fewer[number / Integer.SIZE] &= ~(1 << number);
        XdrBits trailing = new XdrBits(XdrUnsignedInts.ofBits(fewer));
        return new XdrBits(XdrUnsignedInts.ofBits(trailing.words(trailing.usedWords())));
    }

    /** The words as they are encoded. */
    public XdrUnsignedInts words() {
        return words;
    }

    /** Returns the first {@code count} words; words beyond those of the set are zero. */
    private int[] words(int count) {
        int[] first = new int[count];
        for (int i = 0; i < Math.min(count, words.size()); i++) {
            first[i] = words.word(i);
        }
        return first;
    }

    /** The numbers of the bits in ascending order. */
    public IntStream stream() {
        return IntStream.range(0, words.size() * Integer.SIZE).filter(this::contains);
    }

    /** The number of words, without zero words at the end. */
    int usedWords() {
        int used = words.size();
        while (used > 0 && words.word(used - 1) == 0) {
            used--;
        }
        return used;
    }

    private static void requireBit(int number) {
        if (number < 0) {
            throw new IllegalArgumentException("the number of a bit must not be negative: " + number);
        }
    }

    @Override
    public boolean equals(Object other) {
        int used = usedWords();
        return other instanceof XdrBits that
                && that.usedWords() == used
                && IntStream.range(0, used).allMatch(i -> words.word(i) == that.words.word(i));
    }

    @Override
    public int hashCode() {
        return IntStream.range(0, usedWords()).map(words::word).reduce(1, (hash, word) -> 31 * hash + word);
    }

    /** The numbers of the bits, in braces. */
    @Override
    public String toString() {
        return stream().mapToObj(Integer::toString).collect(Collectors.joining(", ", "{", "}"));
    }
}
