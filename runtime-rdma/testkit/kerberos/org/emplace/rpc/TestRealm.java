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
public final class TestRealm implements AutoCloseable {
    public static final String NAME = "EXAMPLE.COM";
    /** The server as clients name it. */
    public static final String SERVICE = "nfs@localhost";

    /** The server's principal. */
    public static final String SERVER = "nfs/localhost@" + NAME;

    /** Another program may take a free port before the center does. */
    private static final int ATTEMPTS = 5;

    private final SimpleKdcServer center;
    private final Path directory;

    /** @param directory for its files */
    public TestRealm(Path directory) throws KrbException, IOException {
        this.directory = directory;
        this.center = started(directory);
        center.createPrincipal(SERVER);
        center.exportPrincipal(SERVER, keytab().toFile());
    }

    private static SimpleKdcServer started(Path directory) throws KrbException, IOException {
        for (int attempt = 1; ; attempt++) {
            SimpleKdcServer center = new SimpleKdcServer();
            center.setWorkDir(directory.toFile());
            center.setKdcHost("127.0.0.1");
            center.setKdcRealm(NAME);
            center.setAllowUdp(false);
            try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                center.setKdcTcpPort(probe.getLocalPort());
            }
            try {
                center.init();
                center.start();
                return center;
            } catch (KrbException | RuntimeException taken) {
                if (attempt == ATTEMPTS) {
                    throw taken;
                }
            }
        }
    }

    /** The file with the keys of the server. */
    public Path keytab() {
        return directory.resolve("server.keytab");
    }

    /** The keys of the server. */
    public GssCredentials server() {
        return GssCredentials.acceptor(SERVER, keytab());
    }

    /** A user with a key of the user's own. */
    public GssCredentials user(String name) throws KrbException {
        return GssCredentials.keytab(name + "@" + NAME, keytab(name));
    }

    /** The file with a key of a user, who becomes one of the realm. */
    public Path keytab(String name) throws KrbException {
        Path keytab = directory.resolve(name + ".keytab");
        String principal = name + "@" + NAME;
        if (!Files.exists(keytab)) {
            center.createPrincipal(principal);
            center.exportPrincipal(principal, keytab.toFile());
        }
        return keytab;
    }

    @Override
    public void close() throws KrbException {
        center.stop();
    }
}
