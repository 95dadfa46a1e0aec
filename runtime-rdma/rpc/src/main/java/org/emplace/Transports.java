// SPDX-License-Identifier: Apache-2.0
package org.emplace;

import java.lang.System.Logger.Level;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeSet;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.transport.RpcTransport;

/** The installed transports. They are loaded once, because each serves all its connections with the same threads. */
final class Transports {
    private static final List<RpcTransport> INSTALLED = load();

    private Transports() {}

    private static List<RpcTransport> load() {
        List<RpcTransport> found = new ArrayList<>();
        ServiceLoader<RpcTransport> loader =
                ServiceLoader.load(RpcTransport.class, RpcTransport.class.getClassLoader());
        for (ServiceLoader.Provider<RpcTransport> provider : loader.stream().toList()) {
            try {
                found.add(provider.get());
            } catch (ServiceConfigurationError unusable) {
                System.getLogger(Transports.class.getName())
                        .log(
                                Level.WARNING,
                                "cannot load the transport " + provider.type().getName(),
                                unusable);
            }
        }
        return List.copyOf(found);
    }

    static RpcTransport forAddress(URI address) throws RpcException {
        String scheme = address.getScheme() == null ? "" : address.getScheme().toLowerCase(Locale.ROOT);
        TreeSet<String> known = new TreeSet<>();
        for (RpcTransport transport : INSTALLED) {
            if (transport.schemes().contains(scheme)) {
                return transport;
            }
            known.addAll(transport.schemes());
        }
        throw new RpcException(
                RpcException.Kind.NOT_CONNECTED,
                address + ": no transport supports the scheme \"" + scheme + "\"; use one of "
                        + String.join(", ", known));
    }
}
