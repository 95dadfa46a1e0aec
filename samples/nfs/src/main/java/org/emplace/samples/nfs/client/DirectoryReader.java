// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.emplace.samples.nfs.protocol.Cookieverf3;
import org.emplace.samples.nfs.protocol.Entryplus3;
import org.emplace.samples.nfs.protocol.Nfs3Client;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Readdirplus3Args;
import org.emplace.samples.nfs.protocol.Readdirplus3Res;
import org.emplace.samples.nfs.protocol.Readdirplus3Resok;
import org.emplace.xdr.XdrString;

/**
 * Lists directories by READDIRPLUS. Does not trust the server: a name that leads elsewhere, a listing that goes round or has no end is
 * an error.
 */
public final class DirectoryReader {
    private static final long NAMES_BYTES = 32 * 1024;
    private static final long REPLY_BYTES = 128 * 1024;
    private static final int MOST_ENTRIES = 10_000_000;
    private static final Cookieverf3 NO_VERIFIER = Cookieverf3.of(new byte[8]);

    private final Nfs3Client client;
    private final RemoteFiles files;

    DirectoryReader(Nfs3Client client, RemoteFiles files) {
        this.client = client;
        this.files = files;
    }

    /** An entry of a directory. */
    public record Entry(XdrString name, RemoteNode node) {}

    /** The entries in the server's order, without the two dots. */
    public List<Entry> list(NfsFh3 directory) throws IOException, InterruptedException {
        List<Entry> entries = new ArrayList<>();
        Set<Long> cookiesUsed = new HashSet<>();
        long cookie = 0;
        Cookieverf3 verifier = NO_VERIFIER;
        while (true) {
            if (!cookiesUsed.add(cookie)) {
                throw new IOException("the server's listing of the directory goes round in circles");
            }
            Readdirplus3Resok part = read(new Readdirplus3Args(directory, cookie, verifier, NAMES_BYTES, REPLY_BYTES));
            List<Entryplus3> received = part.reply().entries();
            for (Entryplus3 entry : received) {
                add(entry, directory, entries);
            }
            if (part.reply().eof()) {
                return entries;
            }
            if (received.isEmpty()) {
                throw new IOException("the server's listing of the directory stops before its end");
            }
            if (entries.size() > MOST_ENTRIES) {
                throw new IOException("the directory has more than " + MOST_ENTRIES + " entries");
            }
            cookie = received.get(received.size() - 1).cookie();
            verifier = part.cookieverf();
        }
    }

    private Readdirplus3Resok read(Readdirplus3Args args) throws IOException, InterruptedException {
        Readdirplus3Res result = client.readdirplus(args);
        if (result instanceof Readdirplus3Res.Nfs3Ok ok) {
            return ok.resok();
        }
        throw new NfsException(result.status());
    }

    private void add(Entryplus3 entry, NfsFh3 directory, List<Entry> entries) throws IOException, InterruptedException {
        XdrString name = entry.name();
        if (RemoteName.isDots(name)) {
            return;
        }
        if (!RemoteName.isValid(name)) {
            throw new IOException("the server sent '" + RemoteName.printable(name) + "', which is no file's name");
        }
        if (entry.nameHandle().isPresent() && entry.nameAttributes().isPresent()) {
            RemoteNode node = new RemoteNode(
                    entry.nameHandle().get(), entry.nameAttributes().get());
            entries.add(new Entry(name, node));
        } else {
            // A file that has gone since is left out.
            files.find(directory, name).ifPresent(node -> entries.add(new Entry(name, node)));
        }
    }
}
