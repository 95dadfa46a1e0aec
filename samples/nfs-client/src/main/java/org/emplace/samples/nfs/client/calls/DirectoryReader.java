// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.calls;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcException;
import org.emplace.samples.nfs.client.NfsException;
import org.emplace.samples.nfs.client.RemoteName;
import org.emplace.samples.nfs.client.calls.RemoteFiles.RemoteNode;
import org.emplace.samples.nfs.protocol.Cookieverf3;
import org.emplace.samples.nfs.protocol.Entryplus3;
import org.emplace.samples.nfs.protocol.Nfs3Client;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import org.emplace.samples.nfs.protocol.Readdir3Args;
import org.emplace.samples.nfs.protocol.Readdir3Res;
import org.emplace.samples.nfs.protocol.Readdirplus3Args;
import org.emplace.samples.nfs.protocol.Readdirplus3Res;
import org.emplace.xdr.XdrString;
import org.jspecify.annotations.Nullable;

/**
 * Lists directories by READDIRPLUS or, if the server does not support it, by READDIR and LOOKUP. Does not trust the server: a name that leads out of the directory, and a listing that repeats itself or
 * never ends, are errors.
 */
public record DirectoryReader(Nfs3Client client, RemoteFiles files, JukeboxRetry retry) {
    private static final long NAMES_BYTES = 32 * 1024;
    private static final long REPLY_BYTES = 128 * 1024;
    private static final int MOST_ENTRIES = 10_000_000;
    private static final Cookieverf3 NO_VERIFIER = Cookieverf3.of(new byte[8]);

    private record Part(List<Entryplus3> entries, boolean isLast, Cookieverf3 verifier) {}

    /** An entry of a directory. */
    public record Entry(XdrString name, RemoteNode node) {}

    /** A listing that is read part by part. */
    public Listing open(NfsFh3 directory) {
        return new Listing(directory);
    }

    /**
     * A listing in progress. While a part is used, the next one is on its way; closing gives that one up. Not safe for use by several
     * threads.
     */
    public final class Listing implements AutoCloseable {
        private final NfsFh3 directory;
        private Cookieverf3 verifier = NO_VERIFIER;
        private long cookie;
        /** An earlier cookie, replaced after 1, 2, 4, 8... parts, so that a cycle of any length is found. */
        private long cookieSeen;

        private long parts;
        private long received;
        private int dots;
        private boolean ended;
        private boolean lacksReaddirplus;
        private @Nullable RpcCall<Readdirplus3Res> coming;

        private Listing(NfsFh3 directory) {
            this.directory = directory;
        }

        /** The directory. */
        public NfsFh3 directory() {
            return directory;
        }

        /** Whether there is no further part. */
        public boolean ended() {
            return ended;
        }

        /** The entries of the next part, which may be none. */
        public List<Entry> next() throws IOException, InterruptedException {
            Part read = lacksReaddirplus ? readNames() : read();
            List<Entryplus3> part = read.entries();
            List<Entryplus3> named = new ArrayList<>(part);
            named.removeIf(entry -> RemoteName.isDots(entry.name()));
            dots += part.size() - named.size();
            received += part.size();
            ended = read.isLast();
            if (!ended) {
                advance(part);
                verifier = read.verifier();
                coming = lacksReaddirplus ? null : ask();
            }
            List<Entry> entries = new ArrayList<>(named.size());
            for (Entryplus3 entry : named) {
                add(entry, directory, entries);
            }
            return entries;
        }

        private Part read() throws IOException, InterruptedException {
            RpcCall<Readdirplus3Res> call = coming == null ? ask() : coming;
            coming = null;
            try {
                Readdirplus3Res result = retry.await(call, this::ask, Readdirplus3Res::status);
                if (result instanceof Readdirplus3Res.Nfs3Ok ok) {
                    return new Part(
                            ok.resok().reply().entries(),
                            ok.resok().reply().eof(),
                            ok.resok().cookieverf());
                } else if (result.status() != Nfsstat3.NFS3ERR_NOTSUPP) {
                    throw new NfsException(result.status());
                }
            } catch (RpcException failed) {
                if (failed.kind() != RpcException.Kind.PROCEDURE_UNAVAILABLE) {
                    throw failed;
                }
            }
            lacksReaddirplus = true;
            return readNames();
        }

        /** By READDIR. Each name is then looked up. */
        private Part readNames() throws IOException, InterruptedException {
            Readdir3Res result = retry.await(askForNames(), this::askForNames, Readdir3Res::status);
            if (!(result instanceof Readdir3Res.Nfs3Ok ok)) {
                throw new NfsException(result.status());
            }
            List<Entryplus3> entries = ok.resok().reply().entries().stream()
                    .map(entry -> new Entryplus3(
                            entry.fileid(), entry.name(), entry.cookie(), Optional.empty(), Optional.empty()))
                    .toList();
            return new Part(entries, ok.resok().reply().eof(), ok.resok().cookieverf());
        }

        private RpcCall<Readdir3Res> askForNames() {
            return client.readdirAsync(new Readdir3Args(directory, cookie, verifier, NAMES_BYTES));
        }

        private RpcCall<Readdirplus3Res> ask() {
            return client.readdirplusAsync(new Readdirplus3Args(directory, cookie, verifier, NAMES_BYTES, REPLY_BYTES));
        }

        @Override
        public void close() {
            if (coming != null) {
                coming.cancel();
            }
        }

        private void advance(List<Entryplus3> part) throws IOException {
            if (part.isEmpty()) {
                throw new IOException("the server's listing of the directory stops before its end");
            }
            if (dots > 2) {
                throw new IOException("the server's listing of the directory repeats '.' or '..'");
            }
            if (received > MOST_ENTRIES) {
                throw new IOException("the directory has more than " + MOST_ENTRIES + " entries");
            }
            cookie = part.get(part.size() - 1).cookie();
            if (cookie == cookieSeen) {
                throw new IOException("the server's listing of the directory repeats itself");
            }
            parts++;
            if (Long.bitCount(parts) == 1) {
                cookieSeen = cookie;
            }
        }
    }

    private void add(Entryplus3 entry, NfsFh3 directory, List<Entry> entries) throws IOException, InterruptedException {
        XdrString name = entry.name();
        if (!RemoteName.isValid(name)) {
            throw new IOException(
                    "the server sent '" + RemoteName.printable(name) + "', which is not a valid file name");
        }
        if (entry.nameHandle().isPresent() && entry.nameAttributes().isPresent()) {
            RemoteNode node = new RemoteNode(
                    entry.nameHandle().get(), entry.nameAttributes().get());
            entries.add(new Entry(name, node));
        } else {
            // Leaves out a file that has been removed since.
            files.find(directory, name).ifPresent(node -> entries.add(new Entry(name, node)));
        }
    }
}
