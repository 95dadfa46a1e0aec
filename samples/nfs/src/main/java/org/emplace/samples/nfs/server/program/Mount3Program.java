// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.emplace.rpc.ServerCall;
import org.emplace.samples.nfs.protocol.Exportnode;
import org.emplace.samples.nfs.protocol.Groupnode;
import org.emplace.samples.nfs.protocol.Mount3Server;
import org.emplace.samples.nfs.protocol.Mountbody;
import org.emplace.samples.nfs.protocol.Mountres3;
import org.emplace.samples.nfs.protocol.Mountres3Ok;
import org.emplace.samples.nfs.protocol.Mountstat3;
import org.emplace.samples.nfs.server.export.Export;
import org.emplace.samples.nfs.server.export.Export.ClientAccess;
import org.emplace.samples.nfs.server.export.Exports.ExportedFile;
import org.emplace.samples.nfs.server.export.Exports.MountPath;
import org.emplace.samples.nfs.server.store.Failure;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.Store.FoundFile;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.xdr.XdrInts;
import org.emplace.xdr.XdrOpaque;
import org.emplace.xdr.XdrString;

/** MOUNT version 3 (RFC 1813 appendix I) of all exports. Safe for use by several threads. */
public final class Mount3Program implements Mount3Server {
    private static final int AUTH_NONE = 0;
    private static final int AUTH_SYS = 1;

    /** The most mounts remembered for DUMP, which is only informational. */
    private static final int REMEMBERED = 1000;

    private final Nfs3Program nfs;
    private final Set<Mountbody> mounted = new LinkedHashSet<>();

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
            XdrOpaque handle = XdrOpaque.of(nfs.exports().handle(directory(path.bytes(), call)));
            remember(mountOf(path, call));
            return new Mountres3.Mnt3Ok(new Mountres3Ok(handle, XdrInts.of(AUTH_SYS, AUTH_NONE)));
        } catch (IOException | RuntimeException thrown) {
            return new Mountres3.Default(status(nfs.failure("MNT", thrown)));
        }
    }

    /** The directory of a path. Looks up each name of the path below the export. */
    private ExportedFile directory(byte[] path, ServerCall call) throws IOException {
        MountPath mount = nfs.exports()
                .find(path)
                .orElseThrow(() -> new StoreException(Failure.ACCES, "a path that is not exported"));
        Export export = mount.export();
        ClientAccess access = export.admit(FromWire.origin(call));
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

    private static Mountbody mountOf(XdrString path, ServerCall call) {
        String host = call.connection().remoteAddress().getAddress().getHostAddress();
        return new Mountbody(XdrString.of(host), path);
    }

    private synchronized void remember(Mountbody mount) {
        if (mounted.size() < REMEMBERED) {
            mounted.add(mount);
        }
    }

    @Override
    public synchronized List<Mountbody> dump(ServerCall call) {
        return new ArrayList<>(mounted);
    }

    @Override
    public synchronized void umnt(XdrString path, ServerCall call) {
        mounted.remove(mountOf(path, call));
    }

    @Override
    public synchronized void umntall(ServerCall call) {
        XdrString host = mountOf(XdrString.of(""), call).mlHostname();
        mounted.removeIf(mount -> mount.mlHostname().equals(host));
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
