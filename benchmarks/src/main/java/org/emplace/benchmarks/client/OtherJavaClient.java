// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.client;

import com.emc.ecs.nfsclient.nfs.NfsRequestBase;
import com.emc.ecs.nfsclient.nfs.NfsResponseBase;
import com.emc.ecs.nfsclient.nfs.nfs3.Nfs3ReadRequest;
import com.emc.ecs.nfsclient.nfs.nfs3.Nfs3ReadResponse;
import com.emc.ecs.nfsclient.nfs.nfs3.Nfs3WriteRequest;
import com.emc.ecs.nfsclient.nfs.nfs3.Nfs3WriteResponse;
import com.emc.ecs.nfsclient.rpc.Credential;
import com.emc.ecs.nfsclient.rpc.CredentialNone;
import com.emc.ecs.nfsclient.rpc.RpcRequest;
import com.emc.ecs.nfsclient.rpc.RpcWrapper;
import com.emc.ecs.nfsclient.rpc.Xdr;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;
import org.emplace.benchmarks.load.Client;
import org.emplace.benchmarks.load.Load;

/**
 * The NFS version 3 client {@code com.emc.ecs:nfs-client} over TCP. It blocks in each call, so several in flight use as many threads. Requests are
 * sent with its RPC layer, because its higher layers require a port mapper.
 */
final class OtherJavaClient implements Client {
    private static final int NFS_PROGRAM = 100003;
    private static final int NFS_VERSION = 3;
    private static final int UNSTABLE = 0;
    private static final int RETRY_MILLIS = 1000;
    private static final int RETRIES = 1;
    private static final int REQUEST_SIZE = 8192;
    private static final int TIMEOUT_SECONDS = 60;

    private final String host;
    private final RpcWrapper<NfsRequestBase, NfsResponseBase> rpc;
    private final Credential credential = new CredentialNone();
    private final byte[] file = new byte[8];
    private final byte[] memory = new byte[Load.MEMORY];
    private final AtomicInteger calls = new AtomicInteger();
    private final CallingThreads threads = new CallingThreads();

    OtherJavaClient(URI address) {
        host = address.getHost();
        rpc = new RpcWrapper<>(host, address.getPort(), RETRY_MILLIS, RETRIES, REQUEST_SIZE, TIMEOUT_SECONDS);
        rpc.setPort(address.getPort());
    }

    @Override
    public void run(Load load, Histogram durations) throws Exception {
        threads.run(load, () -> part(load), durations);
    }

    private Histogram part(Load load) throws IOException {
        Histogram durations = new Histogram(3);
        for (int i = 0; i < load.calls() / load.inFlight(); i++) {
            int offset = load.offset(Math.floorMod(calls.getAndIncrement(), Load.MEMORY));
            long start = System.nanoTime();
            switch (load.operation()) {
                case NULL -> callNull();
                case READ -> read(offset, load.size());
                case WRITE -> write(offset, load.size());
            }
            durations.recordValue(System.nanoTime() - start);
        }
        return durations;
    }

    private void callNull() throws IOException {
        Xdr call = new Xdr(REQUEST_SIZE);
        RpcRequest request = new RpcRequest(NFS_PROGRAM, NFS_VERSION, 0, credential) {
            @Override
            public String getErrorMessage() {
                return "NULL failed";
            }
        };
        request.marshalling(call);
        rpc.callRpc(host, call, false);
    }

    private void read(int offset, int size) throws IOException {
        Nfs3ReadResponse response = new Nfs3ReadResponse(memory, offset);
        rpc.callRpcNaked(new Nfs3ReadRequest(file, offset, size, credential), response);
        requireAll(response.getBytesRead(), size);
    }

    /** One call at a time: the client sends a record of over 1 MiB in pieces, and interleaves the pieces of concurrent calls. */
    private synchronized void write(int offset, int size) throws IOException {
        Nfs3WriteResponse response = new Nfs3WriteResponse();
        List<ByteBuffer> data = List.of(ByteBuffer.wrap(memory, offset, size));
        rpc.callRpcNaked(new Nfs3WriteRequest(file, offset, data, UNSTABLE, credential), response);
        requireAll(response.getCount(), size);
    }

    private static void requireAll(int count, int size) throws IOException {
        if (count != size) {
            throw new IOException(count + " bytes moved, not " + size);
        }
    }

    @Override
    public void close() {
        threads.close();
    }
}
