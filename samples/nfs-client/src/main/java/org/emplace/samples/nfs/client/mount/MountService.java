// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.mount;

import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.emplace.Rpc;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcException;
import org.emplace.samples.nfs.client.NfsException;
import org.emplace.samples.nfs.client.RemoteName;
import org.emplace.samples.nfs.client.RemotePath;
import org.emplace.samples.nfs.protocol.Exportnode;
import org.emplace.samples.nfs.protocol.Mount3Client;
import org.emplace.samples.nfs.protocol.Mountres3;
import org.emplace.samples.nfs.protocol.Mountres3Ok;
import org.emplace.samples.nfs.protocol.Mountstat3;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import org.emplace.samples.nfs.security.SecurityFlavor;
import org.emplace.xdr.XdrInts;
import org.emplace.xdr.XdrString;

/** A client of a server's MOUNT program, over TCP: finds the export that holds a path. */
final class MountService {
    private static final int AUTH_NONE = 0;

    private MountService() {}

    /**
     * A mounted export.
     *
     * @param path the export's own path on the server
     * @param root the handle of its root directory
     * @param all the paths of all exports of the server
     */
    record Export(List<XdrString> path, NfsFh3 root, List<List<XdrString>> all) {}

    /**
     * Mounts the export that holds a path. If several do, mounts the one with the longest path.
     *
     * @param address of the MOUNT program
     * @param flavor by which the export is to be used
     */
    static Export mount(
            URI address, List<XdrString> path, ConnectionOptions connecting, CallOptions calling, SecurityFlavor flavor)
            throws IOException, InterruptedException {
        try (RpcConnection connection = Rpc.connect(address, connecting)) {
            Mount3Client client = Mount3Client.on(connection).with(calling);
            List<Exportnode> exports = exports(client);
            // Some servers list no exports. Of the path, any part may then be one.
            int shortest = exports.isEmpty() ? 0 : exportOf(path, exports).size();
            int longest = exports.isEmpty() ? path.size() : shortest;
            for (int length = longest; true; length--) {
                List<XdrString> export = path.subList(0, length);
                Mountres3 result = client.mnt(XdrString.of(RemotePath.join(export)));
                if (result instanceof Mountres3.Mnt3Ok ok) {
                    List<List<XdrString>> all = exports.stream()
                            .map(each -> RemotePath.split(each.exDir()))
                            .toList();
                    return new Export(List.copyOf(export), root(ok.mountinfo(), flavor), all);
                }
                if (length == shortest) {
                    throw refused(result.fhsStatus(), exports.isEmpty());
                }
            }
        }
    }

    /** The list of exports; empty if the server does not give it. */
    private static List<Exportnode> exports(Mount3Client client) throws IOException, InterruptedException {
        try {
            return client.export();
        } catch (RpcException unavailable) {
            if (unavailable.kind() == RpcException.Kind.PROCEDURE_UNAVAILABLE) {
                return List.of();
            }
            throw unavailable;
        }
    }

    private static IOException refused(Mountstat3 status, boolean isUnlisted) {
        // The two protocols share the numbers of their statuses.
        String why = new NfsException(Nfsstat3.of(status.value())).getMessage();
        String hint = isUnlisted ? "; the server lists no exports" : "";
        if (status == Mountstat3.MNT3ERR_ACCES) {
            hint +=
                    "; its log may say why. Linux's server accepts only ports below 1024, which this client does not use,"
                            + " unless the export has the option 'insecure'";
        }
        return new IOException("The server refuses to mount: " + why + hint);
    }

    private static List<XdrString> exportOf(List<XdrString> path, List<Exportnode> exports) throws IOException {
        return exports.stream()
                .map(export -> RemotePath.split(export.exDir()))
                .filter(export -> RemotePath.withoutPrefix(export, path).isPresent())
                .max(Comparator.comparingInt(List::size))
                .orElseThrow(() -> new IOException("Not in an export of the server" + listed(exports)));
    }

    private static String listed(List<Exportnode> exports) {
        return exports.stream()
                .map(export -> RemoteName.printable(export.exDir()))
                .limit(10)
                .collect(Collectors.joining(", ", "; it exports ", exports.size() > 10 ? ", ..." : ""));
    }

    /** Anybody on the path can change the list, because MOUNT is not protected. So it can only cause a refusal, never a weaker flavor. */
    private static NfsFh3 root(Mountres3Ok mounted, SecurityFlavor wanted) throws IOException {
        XdrInts listed = mounted.authFlavors();
        boolean isListed = listed.stream()
                .anyMatch(each -> each == wanted.number() || (wanted == SecurityFlavor.SYS && each == AUTH_NONE));
        if (listed.size() > 0 && !isListed) {
            throw new IOException("The server does not export this with sec=" + wanted + "; it lists "
                    + listed.stream().mapToObj(MountService::nameOf).collect(Collectors.joining(", ")));
        }
        return new NfsFh3(mounted.fhandle());
    }

    private static String nameOf(int number) {
        return Arrays.stream(SecurityFlavor.values())
                .filter(each -> each.number() == number)
                .map(each -> "sec=" + each)
                .findFirst()
                .orElse("flavor " + number);
    }
}
