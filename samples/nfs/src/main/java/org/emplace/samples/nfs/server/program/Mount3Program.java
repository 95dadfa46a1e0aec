// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.program;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.emplace.rpc.ServerCall;
import org.emplace.samples.nfs.protocol.Exportnode;
import org.emplace.samples.nfs.protocol.Mount3Server;
import org.emplace.samples.nfs.protocol.Mountbody;
import org.emplace.samples.nfs.protocol.Mountres3;
import org.emplace.samples.nfs.protocol.Mountres3Ok;
import org.emplace.samples.nfs.protocol.Mountstat3;
import org.emplace.samples.nfs.server.export.ErrorMapping;
import org.emplace.samples.nfs.server.export.Export;
import org.emplace.samples.nfs.server.export.Failure;
import org.emplace.samples.nfs.server.export.Node;
import org.emplace.xdr.XdrOpaque;
import org.emplace.xdr.XdrString;

/** MOUNT version 3 (RFC 1813 appendix I) of one export. Safe for use by several threads. */
public final class Mount3Program implements Mount3Server {
    private static final Logger LOG = System.getLogger(Mount3Program.class.getName());
    private static final int AUTH_NONE = 0;
    private static final int AUTH_SYS = 1;

    /** Who has mounted is told on request, and decides nothing; so it is enough to remember some. */
    private static final int REMEMBERED = 1000;

    private final Export export;
    private final Set<Mountbody> mounted = new LinkedHashSet<>();

    /** @param export stays the caller's to close */
    public Mount3Program(Export export) {
        this.export = export;
    }

    @Override
    public Mountres3 mnt(XdrString path, ServerCall call) {
        try {
            Node directory = export.mount(FromWire.caller(call), path.bytes());
            remember(mountOf(path, call));
            XdrOpaque handle = XdrOpaque.of(export.handle(directory).bytes());
            return new Mountres3.Mountinfo(new Mountres3Ok(handle, List.of(AUTH_SYS, AUTH_NONE)));
        } catch (IOException | RuntimeException thrown) {
            Mountstat3 status = status(ErrorMapping.failureOf(thrown));
            LOG.log(status == Mountstat3.MNT3ERR_SERVERFAULT ? Level.WARNING : Level.DEBUG, "MNT failed", thrown);
            return new Mountres3.Otherwise(status);
        }
    }

    private static Mountstat3 status(Failure failure) {
        return switch (failure) {
            case PERM -> Mountstat3.MNT3ERR_PERM;
            case NOENT, STALE -> Mountstat3.MNT3ERR_NOENT;
            case IO -> Mountstat3.MNT3ERR_IO;
            case ACCES -> Mountstat3.MNT3ERR_ACCES;
            case NOTDIR -> Mountstat3.MNT3ERR_NOTDIR;
            case INVAL -> Mountstat3.MNT3ERR_INVAL;
            case NAMETOOLONG -> Mountstat3.MNT3ERR_NAMETOOLONG;
            case NOTSUPP -> Mountstat3.MNT3ERR_NOTSUPP;
            default -> Mountstat3.MNT3ERR_SERVERFAULT;
        };
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
        return List.of(new Exportnode(XdrString.of(export.path()), List.of()));
    }
}
