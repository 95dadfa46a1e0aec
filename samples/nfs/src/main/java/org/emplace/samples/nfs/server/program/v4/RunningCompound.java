// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program.v4;

import java.util.List;
import org.emplace.rpc.ServerCall;
import org.emplace.samples.nfs.protocol.v4.Compound4Args;
import org.emplace.samples.nfs.protocol.v4.Compound4Res;
import org.emplace.samples.nfs.protocol.v4.NfsArgop4;
import org.emplace.samples.nfs.protocol.v4.NfsOpnum4;
import org.emplace.samples.nfs.protocol.v4.NfsResop4;
import org.emplace.samples.nfs.protocol.v4.Nfsstat4;
import org.emplace.samples.nfs.protocol.v4.Sequence4Args;
import org.emplace.samples.nfs.protocol.v4.Sequence4Res;
import org.jspecify.annotations.Nullable;

/** The operations of one COMPOUND. */
final class RunningCompound
        implements OpenOperations,
                AttributeOperations,
                ContentOperations,
                SpaceOperations,
                ListingOperations,
                LockOperations,
                NameOperations,
                SessionOperations {
    private final Nfs4Program program;
    private final Compound compound;
    private @Nullable Sequence4Res sequence;

    /** @param sequence the result of SEQUENCE, if the call begins with it */
    RunningCompound(Nfs4Program program, Compound compound, @Nullable Sequence4Res sequence) {
        this.program = program;
        this.compound = compound;
        this.sequence = sequence;
    }

    @Override
    public Nfs4Program program() {
        return program;
    }

    @Override
    public Compound begin(Compound4Args args, ServerCall call) {
        return compound;
    }

    @Override
    public Compound4Res finish(Nfsstat4 status, List<NfsResop4> results, Compound ended) {
        return new Compound4Res(status, ended.tag(), results);
    }

    @Override
    public Sequence4Res sequence(Sequence4Args args, Compound same) {
        @Nullable Sequence4Res first = sequence;
        sequence = null;
        return answer(
                NfsOpnum4.SEQUENCE,
                compound,
                () -> {
                    if (first == null) {
                        throw new StatusException(Nfsstat4.NFS4ERR_SEQUENCE_POS, "SEQUENCE is not the first operation");
                    }
                    return first;
                },
                Sequence4Res.Default::new);
    }

    @Override
    public NfsResop4 otherwise(NfsArgop4 operation, Compound same) {
        return Replies.refusal(operation, Nfsstat4.NFS4ERR_NOTSUPP);
    }
}
