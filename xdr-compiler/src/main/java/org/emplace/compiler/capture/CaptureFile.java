// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The packets of a capture file, in the order of the file: pcap of either byte order with micro- or nanoseconds, or pcapng. It is streamed, so it may have any length.
 */
final class CaptureFile implements Closeable {
    private static final int PCAP_MICROSECONDS = 0xa1b2c3d4;
    private static final int PCAP_NANOSECONDS = 0xa1b23c4d;
    private static final int PCAP_HEADER = 24;
    private static final int PCAP_RECORD_HEADER = 16;

    private static final int SECTION_HEADER = 0x0a0d0d0a;
    private static final int BYTE_ORDER_MAGIC = 0x1a2b3c4d;
    private static final int INTERFACE_DESCRIPTION = 1;
    private static final int SIMPLE_PACKET = 3;
    private static final int ENHANCED_PACKET = 6;
    private static final int OPTION_TIME_RESOLUTION = 9;
    /** Type, length, and the length once more behind the body. */
    private static final int BLOCK_OVERHEAD = 12;

    /** More is an error: jumbo frames and segmentation offload stay far below. */
    private static final int LONGEST = 1 << 26;

    private static final long NANOSECONDS = 1_000_000_000L;

    private final InputStream in;
    private final boolean isPcapng;
    private final boolean hasNanoseconds;
    private final List<Interface> interfaces = new ArrayList<>();
    private ByteOrder order = ByteOrder.BIG_ENDIAN;
    private long offset;
    private long frames;

    /** @param unitsPerSecond of its time stamps */
    private record Interface(int linkType, BigInteger unitsPerSecond) {}

    private CaptureFile(InputStream in) throws IOException {
        this.in = in;
        int magic = read(4, "the file is too short for a capture").getInt();
        isPcapng = magic == SECTION_HEADER;
        hasNanoseconds = magic == PCAP_NANOSECONDS || Integer.reverseBytes(magic) == PCAP_NANOSECONDS;
        if (isPcapng) {
            readSectionHeader();
        } else if (hasNanoseconds || magic == PCAP_MICROSECONDS || Integer.reverseBytes(magic) == PCAP_MICROSECONDS) {
            boolean isBigEndian = magic == PCAP_MICROSECONDS || magic == PCAP_NANOSECONDS;
            order = isBigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
            int linkType = read(PCAP_HEADER - 4, "the file header is cut short").getInt(16) & 0xffff;
            interfaces.add(new Interface(linkType, BigInteger.valueOf(NANOSECONDS)));
        } else {
            throw new MalformedCapture(0, "this is neither pcap nor pcapng: it begins with 0x%08x".formatted(magic));
        }
    }

    /**
     * Opens a file.
     *
     * @throws MalformedCapture if it does not begin like a capture
     */
    static CaptureFile open(Path file) throws IOException {
        InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
        try {
            return new CaptureFile(in);
        } catch (IOException e) {
            in.close();
            throw e;
        }
    }

    /**
     * Reads the next packet; empty at the end.
     *
     * @throws MalformedCapture if the file cannot be read further
     */
    Optional<Frame> next() throws IOException {
        return isPcapng ? nextOfBlocks() : nextOfRecords();
    }

    private Optional<Frame> nextOfRecords() throws IOException {
        if (isAtEnd()) {
            return Optional.empty();
        }
        long start = offset;
        ByteBuffer header = read(PCAP_RECORD_HEADER, "the header of packet " + (frames + 1) + " is cut short");
        long seconds = Integer.toUnsignedLong(header.getInt());
        long fraction = Integer.toUnsignedLong(header.getInt()) * (hasNanoseconds ? 1 : 1000);
        int length = header.getInt();
        checkLength(length, start);
        ByteBuffer bytes = read(length, "packet " + (frames + 1) + " is cut short");
        return Optional.of(frame(seconds * NANOSECONDS + fraction, interfaces.get(0), bytes));
    }

    private Optional<Frame> nextOfBlocks() throws IOException {
        while (!isAtEnd()) {
            long start = offset;
            int type = read(4, "a block's type is cut short").getInt();
            if (type == SECTION_HEADER) {
                readSectionHeader();
                continue;
            }
            ByteBuffer body = readBody(start);
            try {
                Optional<Frame> frame = frameOf(type, body, start);
                if (frame.isPresent()) {
                    return frame;
                }
            } catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException e) {
                throw new MalformedCapture(start, "a block is too short for its content");
            }
        }
        return Optional.empty();
    }

    private ByteBuffer readBody(long start) throws IOException {
        int length = read(4, "a block's length is cut short").getInt();
        checkLength(length, start);
        if (length < BLOCK_OVERHEAD || length % 4 != 0) {
            throw new MalformedCapture(start, "a block has the length " + length);
        }
        ByteBuffer body = read(length - BLOCK_OVERHEAD, "the last block is cut short");
        read(4, "the last block is cut short");
        return body;
    }

    private Optional<Frame> frameOf(int type, ByteBuffer body, long start) throws MalformedCapture {
        if (type == INTERFACE_DESCRIPTION) {
            interfaces.add(interfaceOf(body));
        } else if (type == ENHANCED_PACKET) {
            Interface from = interfaceAt(body.getInt(), start);
            long time = (Integer.toUnsignedLong(body.getInt()) << 32) | Integer.toUnsignedLong(body.getInt());
            int length = body.getInt();
            body.getInt();
            long nanoseconds = new BigInteger(Long.toUnsignedString(time))
                    .multiply(BigInteger.valueOf(NANOSECONDS))
                    .divide(from.unitsPerSecond())
                    .longValue();
            return Optional.of(frame(nanoseconds, from, body.slice(body.position(), length)));
        } else if (type == SIMPLE_PACKET) {
            long sent = Integer.toUnsignedLong(body.getInt());
            int length = (int) Math.min(sent, body.remaining());
            return Optional.of(frame(0, interfaceAt(0, start), body.slice(body.position(), length)));
        }
        return Optional.empty();
    }

    private Interface interfaceAt(int index, long start) throws MalformedCapture {
        if (index < 0 || index >= interfaces.size()) {
            throw new MalformedCapture(
                    start, "a packet names interface " + index + ", which the file does not describe");
        }
        return interfaces.get(index);
    }

    private static Interface interfaceOf(ByteBuffer body) {
        int linkType = Short.toUnsignedInt(body.getShort());
        body.position(8);
        BigInteger unitsPerSecond = BigInteger.valueOf(1_000_000);
        while (body.remaining() >= 4) {
            int code = Short.toUnsignedInt(body.getShort());
            int length = Short.toUnsignedInt(body.getShort());
            if (code == OPTION_TIME_RESOLUTION && length == 1) {
                int resolution = body.get(body.position());
                unitsPerSecond = BigInteger.valueOf(resolution < 0 ? 2 : 10).pow(resolution & 0x7f);
            }
            body.position(body.position() + ((length + 3) & ~3));
        }
        return new Interface(linkType, unitsPerSecond);
    }

    /** Reads a section header after its type; interface numbers restart there. */
    private void readSectionHeader() throws IOException {
        long start = offset - 4;
        ByteBuffer head = read(8, "a section header is cut short");
        order = head.order(ByteOrder.BIG_ENDIAN).getInt(4) == BYTE_ORDER_MAGIC
                ? ByteOrder.BIG_ENDIAN
                : ByteOrder.LITTLE_ENDIAN;
        if (head.order(order).getInt(4) != BYTE_ORDER_MAGIC) {
            throw new MalformedCapture(start, "a section header has no byte-order magic");
        }
        int length = head.getInt(0);
        checkLength(length, start);
        if (length < BLOCK_OVERHEAD + 4) {
            throw new MalformedCapture(start, "a section header has the length " + length);
        }
        read(length - BLOCK_OVERHEAD, "a section header is cut short");
        interfaces.clear();
    }

    private Frame frame(long nanoseconds, Interface from, ByteBuffer bytes) {
        return new Frame(++frames, nanoseconds, from.linkType(), bytes.order(ByteOrder.BIG_ENDIAN));
    }

    private static void checkLength(int length, long start) throws MalformedCapture {
        if (length < 0 || length > LONGEST) {
            throw new MalformedCapture(
                    start, "a length of " + Integer.toUnsignedString(length) + " bytes is too long for a packet");
        }
    }

    private boolean isAtEnd() throws IOException {
        in.mark(1);
        int next = in.read();
        in.reset();
        return next < 0;
    }

    private ByteBuffer read(int length, String orElse) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new MalformedCapture(offset, orElse);
        }
        offset += length;
        return ByteBuffer.wrap(bytes).order(order);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
