// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** Opens one kind of {@link RdmaProvider}. {@link ServiceLoader} finds it, so a provider only has to be on the path. */
public interface RdmaProviderFactory {

    /** The system property that names the one provider to use; read whenever a connection is made. */
    String PROPERTY = "org.emplace.rdma.provider";

    /** The name of the providers that this factory opens: {@code iwarp}, {@code verbs}. */
    String name();

    /**
     * Why this kind of provider cannot work on this machine, and what to install or permit; one line. Empty if it can. Cheap, opens nothing.
     */
    Optional<String> obstacle();

    /**
     * The devices that a provider of this kind can use, in the order in which it looks at them; empty if there are none. Intended for people; may be
     * slow.
     *
     * @throws RdmaException if the devices cannot be asked, {@link #obstacle} for example
     */
    List<DeviceDescription> devices() throws RdmaException;

    /**
     * Opens a provider with its defaults. The caller owns it and closes it.
     *
     * @throws RdmaException if it cannot work here; the message says what is missing
     */
    RdmaProvider open() throws RdmaException;

    /** The factories on the path, looked up anew. */
    static List<RdmaProviderFactory> installed() {
        return ServiceLoader.load(RdmaProviderFactory.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }
}
