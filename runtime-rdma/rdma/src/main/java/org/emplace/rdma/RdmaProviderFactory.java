// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import org.emplace.reactor.InstalledServices;

/**
 * Opens {@link RdmaProvider}s of one kind. {@link ServiceLoader} finds the factories on the class path or module path.
 */
public interface RdmaProviderFactory {

    /** The name of the providers that this factory opens: {@code iwarp}, {@code verbs}. */
    String name();

    /**
     * Why this kind of provider cannot work on this machine, and what to install or permit, in one line. Empty if it
     * can work. Cheap; opens no device.
     */
    Optional<String> unavailableReason();

    /**
     * The devices that a provider of this kind can use, in the order in which it tries them. For information; may be
     * slow.
     *
     * @throws RdmaException if the devices cannot be queried, for example because of an {@link #unavailableReason}
     */
    List<DeviceDescription> devices() throws RdmaException;

    /**
     * Opens a provider, which the caller must close.
     *
     * @param eventLoops the number of threads that serve connections, if the provider can have several; positive
     * @throws RdmaException if it cannot work on this machine; the message says what is missing
     */
    RdmaProvider open(int eventLoops) throws RdmaException;

    /**
     * Looks up the installed factories, anew each time: by the calling thread's context class loader and by the one of
     * this interface.
     */
    static List<RdmaProviderFactory> installed() {
        Class<RdmaProviderFactory> kind = RdmaProviderFactory.class;
        return new InstalledServices<>(kind, "an RDMA provider", System.getLogger(kind.getName()))
                .add(ServiceLoader.load(kind))
                .add(ServiceLoader.load(kind, kind.getClassLoader()))
                .add("org.emplace.rdma.verbs.VerbsProviderFactory")
                .add("org.emplace.rdma.iwarp.IwarpProvider$Factory")
                .found();
    }

    /**
     * Describes a device to a person who chooses one.
     *
     * @param name the system's name of the device, such as {@code mlx5_0} or {@code rxe0}; {@code software} for software
     *     iWARP
     * @param transport {@code InfiniBand}, {@code RoCE} or {@code iWARP}
     * @param state the state that the system reports, such as {@code active} or {@code down}
     * @param addresses the device's local addresses, as text; empty if none is configured
     * @param capabilities its capabilities, the most important first
     */
    record DeviceDescription(
            String name, String transport, String state, List<String> addresses, List<Capability> capabilities) {

        /** Copies the lists. */
        public DeviceDescription {
            addresses = List.copyOf(addresses);
            capabilities = List.copyOf(capabilities);
        }

        /**
         * A capability in which devices differ.
         *
         * @param name such as {@code memory windows} or {@code shared receive queue}
         * @param value what this device supports, such as {@code type 2B}, {@code yes, 1024} or {@code none}
         */
        public record Capability(String name, String value) {}
    }
}
