// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.darpc;

import com.ibm.darpc.DaRPCMessage;
import com.ibm.darpc.DaRPCProtocol;
import java.nio.ByteBuffer;

/** The message of a NULL call: as long as Emplace's message over RPC-over-RDMA, with undefined contents. */
final class EmptyMessage implements DaRPCMessage {
    /** The length of a call: 28 bytes of RPC-over-RDMA header, 40 of RPC call. A reply is shorter. */
    static final int SIZE = 68;

    /** Creates the messages. */
    static class Protocol implements DaRPCProtocol<EmptyMessage, EmptyMessage> {
        @Override
        public EmptyMessage createRequest() {
            return new EmptyMessage();
        }

        @Override
        public EmptyMessage createResponse() {
            return new EmptyMessage();
        }
    }

    @Override
    public int write(ByteBuffer buffer) {
        for (int i = 0; i < SIZE; i += Integer.BYTES) {
            buffer.putInt(i);
        }
        return SIZE;
    }

    @Override
    public void update(ByteBuffer buffer) {
        for (int i = 0; i < SIZE; i += Integer.BYTES) {
            int word = buffer.getInt();
            if (word != i) {
                throw new IllegalStateException("word " + i + " of a message is " + word);
            }
        }
    }

    @Override
    public int size() {
        return SIZE;
    }
}
