// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.emplace.tests.fuzz.Fuzzing;

/** Record marking (RFC 5531 section 11): how a stream is cut into reads makes no difference to its records. */
class RecordMarkingFuzzTest {
    private static final int LARGEST = 1000;

    @FuzzTest(maxExecutions = Fuzzing.INPUTS, maxDuration = Fuzzing.LONGEST)
    void recordsDoNotDependOnTheReads(FuzzedDataProvider data) {
        int piece = data.consumeInt(1, 50);
        byte[] stream = data.consumeRemainingAsBytes();
        List<ByteBuffer> atOnce = records(stream, Math.max(1, stream.length));
        assertThat(records(stream, piece)).isEqualTo(atOnce);
        for (ByteBuffer record : atOnce) {
            assertThat(record.remaining()).isLessThanOrEqualTo(LARGEST);
        }
    }

    private static List<ByteBuffer> records(byte[] stream, int piece) {
        RecordReader reader = new RecordReader(LARGEST, capacity -> true);
        List<ByteBuffer> records = new ArrayList<>();
        try {
            for (int at = 0; at < stream.length; at += piece) {
                ByteBuffer in = ByteBuffer.wrap(stream, at, Math.min(piece, stream.length - at));
                for (ByteBuffer record = reader.next(in); record != null; record = reader.next(in)) {
                    records.add(record);
                }
            }
        } catch (RecordReader.Violation refused) {
            // What a peer may bring about; the records before it count.
        }
        return records;
    }
}
