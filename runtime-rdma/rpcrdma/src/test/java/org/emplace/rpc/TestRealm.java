// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.kerby.kerberos.kerb.KrbException;
import org.apache.kerby.kerberos.kerb.server.SimpleKdcServer;
import org.emplace.rpc.auth.gss.GssCredentials;

/** A Kerberos realm with its key distribution center, on this machine. One at a time: the JDK has one configuration of Kerberos. */
final class TestRealm implements AutoCloseable {
    static final String NAME = "EXAMPLE.COM";
    /** The server as clients name it. */
    static final String SERVICE = "nfs@localhost";

    private static final String SERVER = "nfs/localhost@" + NAME;

    private final SimpleKdcServer center = new SimpleKdcServer();
    private final Path directory;

    /** @param directory for its files */
    TestRealm(Path directory) throws KrbException, IOException {
        this.directory = directory;
        center.setWorkDir(directory.toFile());
        center.setKdcHost("127.0.0.1");
        center.setKdcRealm(NAME);
        center.setAllowUdp(false);
        center.setKdcTcpPort(freePort());
        center.init();
        center.start();
        center.createPrincipal(SERVER);
        center.exportPrincipal(SERVER, directory.resolve("server.keytab").toFile());
    }

    private static int freePort() throws IOException {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        }
    }

    /** The keys of the server. */
    GssCredentials server() {
        return GssCredentials.acceptor(SERVER, directory.resolve("server.keytab"));
    }

    /** A user with a key of the user's own. */
    GssCredentials user(String name) throws KrbException {
        Path keytab = directory.resolve(name + ".keytab");
        String principal = name + "@" + NAME;
        if (!Files.exists(keytab)) {
            center.createPrincipal(principal);
            center.exportPrincipal(principal, keytab.toFile());
        }
        return GssCredentials.keytab(principal, keytab);
    }

    @Override
    public void close() throws KrbException {
        center.stop();
    }
}
