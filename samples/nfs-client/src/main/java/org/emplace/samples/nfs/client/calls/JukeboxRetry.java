// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.calls;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;
import org.emplace.rpc.RpcCall;
import org.emplace.samples.nfs.client.NfsException;
import org.emplace.samples.nfs.protocol.Nfsstat3;

/**
 * Repeats calls that the server answers with NFS3ERR_JUKEBOX: it has started to fetch the file from slower storage (RFC 1813 section 2.6).
 *
 * @param limit the longest time for which a call is repeated
 */
public record JukeboxRetry(Duration limit) {
    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long LONGEST_PAUSE_MILLIS = 5_000;

    /** One call. */
    @FunctionalInterface
    public interface Call<R> {
        R make() throws IOException, InterruptedException;
    }

    /** Repeats the call until its status is no longer NFS3ERR_JUKEBOX, or the limit is reached. Returns the last result. */
    public <R> R make(Call<R> call, Function<? super R, Nfsstat3> status) throws IOException, InterruptedException {
        long start = System.nanoTime();
        R result = call.make();
        for (long pause = FIRST_PAUSE_MILLIS;
                status.apply(result) == Nfsstat3.NFS3ERR_JUKEBOX && System.nanoTime() - start < limit.toNanos();
                pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS)) {
            Thread.sleep(pause);
            result = call.make();
        }
        return result;
    }

    /** Makes a call like {@link #make}. Returns its results, or throws its status. */
    public <R, K extends R> K results(Call<R> call, Function<? super R, Nfsstat3> status, Class<K> ok)
            throws IOException, InterruptedException {
        R result = make(call, status);
        if (ok.isInstance(result)) {
            return ok.cast(result);
        }
        throw new NfsException(status.apply(result));
    }

    /** Waits for a call that has been started, and repeats it as {@link #make} does. */
    public <R> R await(RpcCall<R> started, Supplier<RpcCall<R>> again, Function<? super R, Nfsstat3> status)
            throws IOException, InterruptedException {
        R result = started.await();
        if (status.apply(result) != Nfsstat3.NFS3ERR_JUKEBOX) {
            return result;
        }
        Thread.sleep(FIRST_PAUSE_MILLIS);
        return make(() -> again.get().await(), status);
    }
}
