// SPDX-License-Identifier: Apache-2.0
package org.emplace.reactor;

import java.lang.System.Logger.Level;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/**
 * Finds the installed services of one kind. A service that cannot be loaded does not affect the others. Used by one
 * thread.
 */
public final class InstalledServices<S> {
    /** After this number of broken entries, the rest is not looked up: an entry may be reported again and again. */
    private static final int MOST_BROKEN = 100;

    private final Class<S> kind;
    private final String name;
    private final System.Logger log;
    private final Map<Class<?>, S> found = new LinkedHashMap<>();

    /**
     * Starts with none.
     *
     * @param name what to call the services in a message
     * @param log gets a warning for each service that cannot be loaded
     */
    public InstalledServices(Class<S> kind, String name, System.Logger log) {
        this.kind = kind;
        this.name = name;
        this.log = log;
    }

    /** Adds what a loader finds. Its caller makes the loader, because that takes a module which uses the service. */
    public InstalledServices<S> add(ServiceLoader<S> loader) {
        Iterator<S> services = loader.iterator();
        for (int broken = 0; broken < MOST_BROKEN; ) {
            try {
                if (!services.hasNext()) {
                    return this;
                }
                S service = services.next();
                found.putIfAbsent(service.getClass(), service);
            } catch (ServiceConfigurationError unusable) {
                broken++;
                log.log(Level.WARNING, "cannot load " + name, unusable);
            }
        }
        return this;
    }

    /**
     * Adds the runtime's own service of this class, if it is on the class path. So it is found even if a build has merged jars
     * without merging their files in META-INF/services, as maven-shade-plugin does by default.
     */
    public InstalledServices<S> add(String className) {
        try {
            Class<?> type = Class.forName(className, true, kind.getClassLoader());
            if (!found.containsKey(type)) {
                found.put(type, kind.cast(type.getConstructor().newInstance()));
            }
        } catch (ClassNotFoundException notInstalled) {
            // A program need not have them all: verbs is an artifact of its own.
        } catch (ReflectiveOperationException | LinkageError unusable) {
            log.log(Level.WARNING, "cannot load " + name + ": " + className, unusable);
        }
        return this;
    }

    /** Those that were added, in this order. */
    public List<S> found() {
        return List.copyOf(found.values());
    }
}
