// SPDX-License-Identifier: Apache-2.0
package org.emplace.xdr;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * An immutable set of bits, which is an array of {@code unsigned int} on the wire: bit 0 is the lowest of the first word, bit 32 the lowest of the second.
 *
 * <p>Equal where the same bits are in the set. A decoded set keeps words without a bit at its end, and is encoded as it came.
 */
public final class XdrBits {
    /** No bits. */
    public static final XdrBits EMPTY = new XdrBits(XdrUnsignedInts.EMPTY);

    private final XdrUnsignedInts words;

    private XdrBits(XdrUnsignedInts words) {
        this.words = words;
    }

    /**
     * The bits with these numbers.
     *
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

    /** The bits that are set in an array of words. */
    public static XdrBits ofWords(XdrUnsignedInts words) {
        return new XdrBits(words);
    }

    /**
     * Reads a variable-length array of words.
     *
     * @param max the declared bound in words
     */
    public static XdrBits decode(XdrDecoder in, long max) throws XdrException {
        return new XdrBits(XdrUnsignedInts.decode(in, max));
    }

    /** Reads a fixed-length array of words. */
    public static XdrBits decodeFixed(XdrDecoder in, int size) throws XdrException {
        return new XdrBits(XdrUnsignedInts.decodeFixed(in, size));
    }

    /** Appends the encoding of a variable-length array: the count of the words, and the words. */
    public void encode(XdrEncoder out) {
        words.encode(out);
    }

    /** Appends the encoding of a fixed-length array of that number of words. */
    public void encodeFixed(XdrEncoder out, int size) {
        (words.size() == size ? words : XdrUnsignedInts.ofBits(words(size))).encodeFixed(out);
    }

    /** Whether the bit with a number is in the set; no set has negative ones. */
    public boolean contains(int number) {
        int word = number / Integer.SIZE;
        return number >= 0 && word < words.size() && (words.word(word) & 1 << number) != 0;
    }

    /**
     * This set and the bit with a number.
     *
     * @throws IllegalArgumentException if the number is negative
     */
    public XdrBits with(int number) {
        requireBit(number);
        int[] more = words(Math.max(words.size(), number / Integer.SIZE + 1));
        more[number / Integer.SIZE] |= 1 << number;
        return new XdrBits(XdrUnsignedInts.ofBits(more));
    }

    /** This set without the bit with a number, and without words that have no bit at its end. */
    public XdrBits without(int number) {
        if (!contains(number)) {
            return this;
        }
        int[] fewer = words(words.size());
        fewer[number / Integer.SIZE] &= ~(1 << number);
        XdrBits trailing = new XdrBits(XdrUnsignedInts.ofBits(fewer));
        return new XdrBits(XdrUnsignedInts.ofBits(trailing.words(trailing.usedWords())));
    }

    /** The words as they are on the wire. */
    public XdrUnsignedInts words() {
        return words;
    }

    /** The first words; those after the last word of the set are zero. */
    private int[] words(int count) {
        int[] first = new int[count];
        for (int i = 0; i < Math.min(count, words.size()); i++) {
            first[i] = words.word(i);
        }
        return first;
    }

    /** The numbers of the bits, ascending. */
    public IntStream stream() {
        return IntStream.range(0, words.size() * Integer.SIZE).filter(this::contains);
    }

    /** Words up to the last one that has a bit. */
    int usedWords() {
        int used = words.size();
        while (used > 0 && words.word(used - 1) == 0) {
            used--;
        }
        return used;
    }

    private static void requireBit(int number) {
        if (number < 0) {
            throw new IllegalArgumentException("the number of a bit is negative: " + number);
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

    /** The numbers of the bits in braces. */
    @Override
    public String toString() {
        return stream().mapToObj(Integer::toString).collect(Collectors.joining(", ", "{", "}"));
    }
}
