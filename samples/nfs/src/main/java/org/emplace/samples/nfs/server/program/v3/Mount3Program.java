// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program.v3;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.emplace.reactor.Peer;
import org.emplace.rpc.ServerCall;
import org.emplace.samples.nfs.protocol.Exportnode;
import org.emplace.samples.nfs.protocol.Groupnode;
import org.emplace.samples.nfs.protocol.Mount3Server;
import org.emplace.samples.nfs.protocol.Mountbody;
import org.emplace.samples.nfs.protocol.Mountres3;
import org.emplace.samples.nfs.protocol.Mountres3Ok;
import org.emplace.samples.nfs.protocol.Mountstat3;
import org.emplace.samples.nfs.security.SecurityFlavor;
import org.emplace.samples.nfs.server.export.Export;
import org.emplace.samples.nfs.server.export.Export.ClientAccess;
import org.emplace.samples.nfs.server.export.Exports.ExportedFile;
import org.emplace.samples.nfs.server.export.Exports.MountPath;
import org.emplace.samples.nfs.server.program.CallData;
import org.emplace.samples.nfs.server.store.CacheShares;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.Store.FoundFile;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.xdr.XdrInts;
import org.emplace.xdr.XdrOpaque;
import org.emplace.xdr.XdrString;

/** MOUNT version 3 (RFC 1813 appendix I) of all exports. Safe for use by several threads. */
public final class Mount3Program implements Mount3Server {
    private static final int AUTH_NONE = 0;

    /** The most mounts remembered for DUMP, which is only informational. */
    private static final int REMEMBERED = 1000;

    /** The most names in a path below an export: each is a look-up. */
    private static final int MOST_NAMES = 128;

    private final Nfs3Program nfs;

    /** The latest mount of each export by each host. */
    private final Map<Mounted, Mountbody> mounted = new LinkedHashMap<>();

    private final CacheShares<Mounted> shares = new CacheShares<>();

    /**
     * Serves the exports of another program.
     *
     * @param nfs also gets the failures
     */
    public Mount3Program(Nfs3Program nfs) {
        this.nfs = nfs;
    }

    @Override
    public Mountres3 mnt(XdrString path, ServerCall call) {
        try {
            MountPath mount = nfs.exports()
                    .find(path.bytes())
                    .orElseThrow(() -> new StoreException(Failure.ACCES, "a path that is not exported"));
            ClientAccess access =
                    mount.export().admit(CallData.origin(call, nfs.exports().principals()));
            ExportedFile directory = directory(mount, access);
            XdrOpaque handle = XdrOpaque.of(nfs.exports().handle(directory));
            remember(call, directory.export(), path);
            return new Mountres3.Mnt3Ok(new Mountres3Ok(handle, flavors(access)));
        } catch (IOException | RuntimeException thrown) {
            Failure failure = nfs.failures().of("MNT", thrown);
            if (failure == Failure.ACCES) {
                nfs.failures().faults().mountRefused(host(call).toString(), path.toString(), thrown);
            }
            return new Mountres3.Default(status(failure));
        }
    }

    /**
     * The flavors by which the export can be used, the preferred one first. AUTH_NONE is listed only beside nothing but AUTH_SYS: some clients
     * understand it as a permission to use any flavor.
     */
    private static XdrInts flavors(ClientAccess access) {
        return access.flavors().equals(List.of(SecurityFlavor.SYS))
                ? XdrInts.of(SecurityFlavor.SYS.number(), AUTH_NONE)
                : XdrInts.of(access.flavors().stream()
                        .mapToInt(SecurityFlavor::number)
                        .toArray());
    }

    /** The directory of a path. Looks up each name of the path below the export. */
    private static ExportedFile directory(MountPath mount, ClientAccess access) throws IOException {
        Export export = mount.export();
        if (mount.below().size() > MOST_NAMES) {
            throw new StoreException(
                    Failure.NAMETOOLONG, "a path to mount with more than " + MOST_NAMES + " names below the export");
        }
        FoundFile found = export.store().root();
        for (FileName name : mount.below()) {
            found = export.store().lookup(access.caller(), found.id(), name);
        }
        if (!found.attributes().isDirectory()) {
            throw new StoreException(Failure.NOTDIR, "the file to mount is not a directory");
        }
        return new ExportedFile(export, found.id());
    }

    /** The status of MOUNT with the number that the failure has in NFS. */
    private static Mountstat3 status(Failure failure) {
        int number = (failure == Failure.STALE ? Failure.NOENT : failure).status();
        return Arrays.stream(Mountstat3.values())
                .filter(status -> status.value() == number)
                .findFirst()
                .orElse(Mountstat3.MNT3ERR_SERVERFAULT);
    }

    private record Mounted(Peer peer, XdrString host, Export export) {}

    private static XdrString host(ServerCall call) {
        return XdrString.of(call.connection().remoteAddress().getAddress().getHostAddress());
    }

    /** If there are too many, forgets one of the peer with most. */
    private synchronized void remember(ServerCall call, Export export, XdrString path) {
        XdrString host = host(call);
        Mounted key = new Mounted(Peer.of(call.connection().remoteAddress().getAddress()), host, export);
        mounted.put(key, new Mountbody(host, path));
        shares.use(key.peer(), key, 1);
        if (mounted.size() > REMEMBERED) {
            shares.next(each -> !each.equals(key)).ifPresent(this::forget);
        }
    }

    private void forget(Mounted key) {
        mounted.remove(key);
        shares.remove(key);
    }

    @Override
    public synchronized List<Mountbody> dump(ServerCall call) {
        return new ArrayList<>(mounted.values());
    }

    @Override
    public synchronized void umnt(XdrString path, ServerCall call) {
        forget(new Mountbody(host(call), path)::equals);
    }

    @Override
    public synchronized void umntall(ServerCall call) {
        XdrString host = host(call);
        forget(mount -> mount.mlHostname().equals(host));
    }

    private void forget(Predicate<Mountbody> which) {
        mounted.entrySet().stream()
                .filter(each -> which.test(each.getValue()))
                .map(Map.Entry::getKey)
                .toList()
                .forEach(this::forget);
    }

    @Override
    public List<Exportnode> export(ServerCall call) {
        return nfs.exports().all().stream().map(Mount3Program::node).toList();
    }

    private static Exportnode node(Export export) {
        return new Exportnode(
                XdrString.of(export.path()),
                export.clients().stream()
                        .map(client -> new Groupnode(XdrString.of(client)))
                        .toList());
    }
}
