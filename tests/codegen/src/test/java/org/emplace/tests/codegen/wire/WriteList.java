// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rpcrdma.Words;

/**
 * The Write list of a call, as a server uses it (RFC 8166 sections 3.4.6 and 4.3.2): the n-th eligible item that is
 * present in the results goes into the n-th chunk, whose segments are filled one after the other. The server returns all
 * chunks with the lengths that it has used.
 */
final class WriteList {
    /** xid, version, credits, type. */
    private static final int FIXED_FIELDS = 4;

    private final ClientOfRawServer peers;
    private final List<List<RemoteSegment>> chunks = new ArrayList<>();
    private final List<int[]> used = new ArrayList<>();
    private final int replyChunk;
    private final int[] call;
    private int next;

    /** Reads the Write list of a call without a Read list. */
    WriteList(ClientOfRawServer peers, int[] call) {
        this.peers = peers;
        this.call = call;
        assertThat(call[FIXED_FIELDS]).as("no Read list").isZero();
        int at = FIXED_FIELDS + 1;
        while (call[at] == 1) {
            int segments = call[at + 1];
            List<RemoteSegment> chunk = new ArrayList<>();
            for (int i = 0; i < segments; i++) {
                chunk.add(Words.segment(call, at + 2 + 4 * i));
            }
            chunks.add(chunk);
            used.add(new int[segments]);
            at += 2 + 4 * segments;
        }
        replyChunk = at + 1;
    }

    /** The number of chunks. */
    int count() {
        return chunks.size();
    }

    /** The bytes of all segments of a chunk. */
    long room(int chunk) {
        return chunks.get(chunk).stream().mapToLong(RemoteSegment::length).sum();
    }

    /** Puts the next item that is present into the next chunk. */
    void write(ByteBuffer item) throws Exception {
        List<RemoteSegment> segments = chunks.get(next);
        int written = 0;
        for (int i = 0; i < segments.size() && written < item.capacity(); i++) {
            int length = (int) Math.min(segments.get(i).length(), item.capacity() - written);
            peers.write(item.slice(written, length), Words.used(segments.get(i), length));
            used.get(next)[i] = length;
            written += length;
        }
        assertThat(written).as("bytes for which chunk %d has room", next).isEqualTo(item.capacity());
        next++;
    }

    /** The header of the reply, with the chunks as they are returned, and the RPC header. */
    Words reply() {
        Words words = ClientOfRawServer.header(call, AlbumWords.RDMA_MSG).and(0);
        for (int chunk = 0; chunk < chunks.size(); chunk++) {
            words.and(1, chunks.get(chunk).size());
            for (int i = 0; i < chunks.get(chunk).size(); i++) {
                words.and(Words.used(chunks.get(chunk).get(i), used.get(chunk)[i]));
            }
        }
        words.and(0); // the end of the Write list
        if (call[replyChunk] == 0) {
            words.and(0);
        } else {
            assertThat(call[replyChunk + 1]).as("segments of the Reply chunk").isEqualTo(1);
            words.chunk(Words.used(Words.segment(call, replyChunk + 2), 0));
        }
        return words.reply(call[0]);
    }
}
