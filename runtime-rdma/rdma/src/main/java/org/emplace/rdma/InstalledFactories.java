// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/**
 * Looks up the factories of providers. A factory that cannot be loaded does not affect the others.
 */
final class InstalledFactories {
    private static final System.Logger LOG = System.getLogger(InstalledFactories.class.getName());

    /**
     * The runtime's own factories. They are found even if a build has merged jars without merging their files in
     * META-INF/services, as maven-shade-plugin does by default.
     */
    private static final List<String> OWN =
            List.of("org.emplace.rdma.verbs.VerbsProviderFactory", "org.emplace.rdma.iwarp.IwarpProvider$Factory");

    /** After this number of broken entries, the rest is not looked up: an entry may be reported again and again. */
    private static final int MOST_BROKEN = 100;

    private final Map<Class<?>, RdmaProviderFactory> found = new LinkedHashMap<>();

    private InstalledFactories() {}

    /** Looks up by the thread's context class loader, and by the one of the runtime: a container may set either. */
    static List<RdmaProviderFactory> find() {
        ClassLoader own = RdmaProviderFactory.class.getClassLoader();
        InstalledFactories factories = new InstalledFactories();
        factories.add(ServiceLoader.load(RdmaProviderFactory.class));
        factories.add(ServiceLoader.load(RdmaProviderFactory.class, own));
        OWN.forEach(name -> factories.add(name, own));
        return new ArrayList<>(factories.found.values());
    }

    private void add(ServiceLoader<RdmaProviderFactory> loader) {
        Iterator<RdmaProviderFactory> factories = loader.iterator();
        for (int broken = 0; broken < MOST_BROKEN; ) {
            try {
                if (!factories.hasNext()) {
                    return;
                }
                RdmaProviderFactory factory = factories.next();
                found.putIfAbsent(factory.getClass(), factory);
            } catch (ServiceConfigurationError unusable) {
                broken++;
                LOG.log(Level.WARNING, "cannot load an RDMA provider", unusable);
            }
        }
    }

    private void add(String name, ClassLoader own) {
        try {
            Class<?> type = Class.forName(name, true, own);
            if (!found.containsKey(type)) {
                found.put(type, (RdmaProviderFactory) type.getConstructor().newInstance());
            }
        } catch (ClassNotFoundException notInstalled) {
            // The usual case: verbs is an artifact of its own.
        } catch (ReflectiveOperationException | LinkageError unusable) {
            LOG.log(Level.WARNING, "cannot load the RDMA provider " + name, unusable);
        }
    }
}
