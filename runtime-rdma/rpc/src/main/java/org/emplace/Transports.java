// SPDX-License-Identifier: Apache-2.0
package org.emplace;

import java.lang.System.Logger.Level;
import java.net.URI;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeSet;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.transport.RpcTransport;

/**
 * The installed transports. They are loaded once, because each serves all its connections with the same threads. A
 * transport that cannot be loaded does not affect the others.
 */
final class Transports {
    private static final System.Logger LOG = System.getLogger(Transports.class.getName());

    /**
     * The runtime's own transports. They are found even if a build has merged jars without merging their files in
     * META-INF/services, as maven-shade-plugin does by default.
     */
    private static final List<String> OWN =
            List.of("org.emplace.rpc.tcp.TcpTransport", "org.emplace.rpcrdma.RdmaTransport");

    /** After this number of broken entries, the rest is not looked up: an entry may be reported again and again. */
    private static final int MOST_BROKEN = 100;

    private static final List<RpcTransport> INSTALLED = load();

    private Transports() {}

    /** Looks up by the class loader of the runtime, and by the thread's: a container may set either. */
    private static List<RpcTransport> load() {
        ClassLoader own = RpcTransport.class.getClassLoader();
        Map<Class<?>, RpcTransport> found = new LinkedHashMap<>();
        addServices(ServiceLoader.load(RpcTransport.class, own), found);
        addServices(ServiceLoader.load(RpcTransport.class), found);
        OWN.forEach(name -> addOwn(name, own, found));
        return List.copyOf(found.values());
    }

    private static void addServices(ServiceLoader<RpcTransport> loader, Map<Class<?>, RpcTransport> found) {
        Iterator<ServiceLoader.Provider<RpcTransport>> providers =
                loader.stream().iterator();
        for (int broken = 0; broken < MOST_BROKEN; ) {
            try {
                if (!providers.hasNext()) {
                    return;
                }
                ServiceLoader.Provider<RpcTransport> provider = providers.next();
                // Not made twice: a transport registers itself with the JVM.
                if (!found.containsKey(provider.type())) {
                    found.put(provider.type(), provider.get());
                }
            } catch (ServiceConfigurationError unusable) {
                broken++;
                LOG.log(Level.WARNING, "cannot load a transport", unusable);
            }
        }
    }

    private static void addOwn(String name, ClassLoader own, Map<Class<?>, RpcTransport> found) {
        try {
            Class<?> type = Class.forName(name, true, own);
            if (!found.containsKey(type)) {
                found.put(type, (RpcTransport) type.getConstructor().newInstance());
            }
        } catch (ClassNotFoundException notInstalled) {
            // A program over TCP alone need not have the other.
        } catch (ReflectiveOperationException | LinkageError unusable) {
            LOG.log(Level.WARNING, "cannot load the transport " + name, unusable);
        }
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
                        + String.join(", ", known) + ". META-INF/services/" + RpcTransport.class.getName()
                        + " on the class path lists the transports");
    }
}
