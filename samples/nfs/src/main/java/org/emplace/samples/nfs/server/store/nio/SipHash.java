// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.nio;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * SipHash-2-4 (Aumasson and Bernstein, 2012): a hash with a key, so that nobody without the key can choose names that collide.
 *
 * @param k0 first half of the key
 * @param k1 second half of the key
 */
record SipHash(long k0, long k1) {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    long hash(byte[] data) {
        State state = new State(k0, k1);
        int whole = data.length & ~7;
        for (int i = 0; i < whole; i += 8) {
            state.absorb((long) LONG.get(data, i));
        }
        long last = (long) data.length << 56;
        for (int i = whole; i < data.length; i++) {
            last |= (data[i] & 0xffL) << (8 * (i - whole));
        }
        state.absorb(last);
        return state.finish();
    }

    private static final class State {
        private long v0;
        private long v1;
        private long v2;
        private long v3;

        State(long k0, long k1) {
            v0 = k0 ^ 0x736f6d6570736575L;
            v1 = k1 ^ 0x646f72616e646f6dL;
            v2 = k0 ^ 0x6c7967656e657261L;
            v3 = k1 ^ 0x7465646279746573L;
        }

        void absorb(long word) {
            v3 ^= word;
            round();
            round();
            v0 ^= word;
        }

        long finish() {
            v2 ^= 0xff;
            for (int i = 0; i < 4; i++) {
                round();
            }
            return v0 ^ v1 ^ v2 ^ v3;
        }

        private void round() {
            v0 += v1;
            v1 = Long.rotateLeft(v1, 13) ^ v0;
            v0 = Long.rotateLeft(v0, 32);
            v2 += v3;
            v3 = Long.rotateLeft(v3, 16) ^ v2;
            v0 += v3;
            v3 = Long.rotateLeft(v3, 21) ^ v0;
            v2 += v1;
            v1 = Long.rotateLeft(v1, 17) ^ v2;
            v2 = Long.rotateLeft(v2, 32);
        }
    }
}
