// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.capture;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.emplace.compiler.capture.CaptureExplainer.MalformedCapture;

/**
 * The packets of a capture file, in the order of the file: pcap of either byte order with micro- or nanoseconds, or pcapng. The file is streamed, so it may
 * have any length.
 */
final class CaptureFile {
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
    private static final int BLOCK_HEADER = 8;
    /** Type and length, and the length again after the body. */
    private static final int BLOCK_OVERHEAD = BLOCK_HEADER + 4;

    /** A longer block is an error: jumbo frames and segmentation offload stay far below. */
    private static final int LONGEST = 1 << 26;

    private static final BigInteger MICROSECONDS = BigInteger.valueOf(1_000_000);
    private static final BigInteger NANOSECONDS = BigInteger.valueOf(1_000_000_000);

    private final InputStream in;
    private final boolean isPcapng;
    private final List<Interface> interfaces = new ArrayList<>();
    private ByteOrder order = ByteOrder.BIG_ENDIAN;
    private long offset;
    private long records;

    /**
     * One packet.
     *
     * @param nanoseconds since 1970, unless the file counts from another time
     * @param linkType LINKTYPE number of its first header
     * @param bytes as captured; may be fewer than were sent
     */
    record Frame(long nanoseconds, int linkType, ByteBuffer bytes) {}

    /** @param unitsPerSecond the resolution of its time stamps */
    private record Interface(int linkType, BigInteger unitsPerSecond) {
        Frame frame(long time, ByteBuffer bytes) {
            BigInteger units = new BigInteger(Long.toUnsignedString(time));
            long nanoseconds =
                    units.multiply(NANOSECONDS).divide(unitsPerSecond).longValue();
            return new Frame(nanoseconds, linkType, bytes.order(ByteOrder.BIG_ENDIAN));
        }
    }

    /**
     * Opens a capture.
     *
     * @throws MalformedCapture if it does not begin like a capture
     */
    CaptureFile(InputStream capture) throws IOException {
        in = new BufferedInputStream(capture);
        ByteBuffer head = read(BLOCK_HEADER, "the file header");
        int magic = head.getInt(0);
        isPcapng = magic == SECTION_HEADER;
        if (isPcapng) {
            readSectionHeader(head);
            return;
        }
        boolean isBigEndian = magic == PCAP_MICROSECONDS || magic == PCAP_NANOSECONDS;
        int format = isBigEndian ? magic : Integer.reverseBytes(magic);
        if (format != PCAP_MICROSECONDS && format != PCAP_NANOSECONDS) {
            throw new MalformedCapture(0, "this is neither pcap nor pcapng: it begins with 0x%08x".formatted(magic));
        }
        order = isBigEndian ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        int linkType = read(PCAP_HEADER - BLOCK_HEADER, "the file header").getInt(12) & 0xffff;
        interfaces.add(new Interface(linkType, format == PCAP_MICROSECONDS ? MICROSECONDS : NANOSECONDS));
    }

    /**
     * Reads the next packet. Returns empty at the end.
     *
     * @throws MalformedCapture if the file cannot be read further
     */
    Optional<Frame> next() throws IOException {
        Optional<Frame> frame = Optional.empty();
        while (frame.isEmpty() && !isAtEnd()) {
            frame = isPcapng ? readBlock() : Optional.of(readRecord());
        }
        return frame;
    }

    private Frame readRecord() throws IOException {
        records++;
        long start = offset;
        ByteBuffer header = read(PCAP_RECORD_HEADER, "the header of packet " + records);
        Interface source = interfaces.get(0);
        long seconds = Integer.toUnsignedLong(header.getInt(0));
        long fraction = Integer.toUnsignedLong(header.getInt(4));
        ByteBuffer bytes = read(checkLength(header.getInt(8), start), "packet " + records);
        return source.frame(seconds * source.unitsPerSecond().longValue() + fraction, bytes);
    }

    private Optional<Frame> readBlock() throws IOException {
        long start = offset;
        ByteBuffer header = read(BLOCK_HEADER, "the last block");
        if (header.getInt(0) == SECTION_HEADER) {
            readSectionHeader(header);
            return Optional.empty();
        }
        ByteBuffer body = read(blockLength(header, start) - BLOCK_OVERHEAD, "the last block");
        read(BLOCK_OVERHEAD - BLOCK_HEADER, "the last block");
        try {
            return frameOf(header.getInt(0), body, start);
        } catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new MalformedCapture(start, "a block is too short for its content");
        }
    }

    /** Reads the rest of a section header. A section has its own byte order and interface numbers. */
    private void readSectionHeader(ByteBuffer header) throws IOException {
        long start = offset - BLOCK_HEADER;
        ByteBuffer magic = read(4, "a section header").order(ByteOrder.BIG_ENDIAN);
        order = magic.getInt(0) == BYTE_ORDER_MAGIC ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        if (magic.order(order).getInt(0) != BYTE_ORDER_MAGIC) {
            throw new MalformedCapture(start, "a section header has no byte-order magic");
        }
        read(blockLength(header.order(order), start) - BLOCK_OVERHEAD, "a section header");
        interfaces.clear();
    }

    private Optional<Frame> frameOf(int type, ByteBuffer body, long start) throws MalformedCapture {
        if (type == INTERFACE_DESCRIPTION) {
            interfaces.add(interfaceOf(body));
        } else if (type == ENHANCED_PACKET) {
            long time = (Integer.toUnsignedLong(body.getInt(4)) << 32) | Integer.toUnsignedLong(body.getInt(8));
            return Optional.of(interfaceAt(body.getInt(0), start).frame(time, body.slice(20, body.getInt(12))));
        } else if (type == SIMPLE_PACKET) {
            long length = Math.min(Integer.toUnsignedLong(body.getInt(0)), body.limit() - 4);
            return Optional.of(interfaceAt(0, start).frame(0, body.slice(4, (int) length)));
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
        BigInteger unitsPerSecond = MICROSECONDS;
        body.position(8);
        while (body.remaining() >= 4) {
            int code = Short.toUnsignedInt(body.getShort());
            int length = Short.toUnsignedInt(body.getShort());
            if (code == OPTION_TIME_RESOLUTION && length == 1) {
                int resolution = body.get(body.position());
                unitsPerSecond = BigInteger.valueOf(resolution < 0 ? 2 : 10).pow(resolution & 0x7f);
            }
            body.position(body.position() + ((length + 3) & ~3));
        }
        return new Interface(Short.toUnsignedInt(body.getShort(0)), unitsPerSecond);
    }

    private static int blockLength(ByteBuffer header, long start) throws MalformedCapture {
        int length = checkLength(header.getInt(4), start);
        if (length < BLOCK_OVERHEAD || length % 4 != 0) {
            throw new MalformedCapture(start, "a block has the length " + length);
        }
        return length;
    }

    private static int checkLength(int length, long start) throws MalformedCapture {
        if (length < 0 || length > LONGEST) {
            throw new MalformedCapture(
                    start, "a length of " + Integer.toUnsignedString(length) + " bytes is too long for a packet");
        }
        return length;
    }

    private boolean isAtEnd() throws IOException {
        in.mark(1);
        int next = in.read();
        in.reset();
        return next < 0;
    }

    private ByteBuffer read(int length, String what) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new MalformedCapture(offset, what + " is cut short");
        }
        offset += length;
        return ByteBuffer.wrap(bytes).order(order);
    }
}
