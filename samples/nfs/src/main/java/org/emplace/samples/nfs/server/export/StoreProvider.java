// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.io.IOException;
import java.net.URI;
import java.util.ServiceLoader;
import org.emplace.samples.nfs.server.store.Store;

/** Opens stores of locations other than directories of this machine. Modules register their providers for {@link ServiceLoader}. */
public interface StoreProvider {

    /** Whether this provider opens locations with this URI scheme. */
    boolean opens(String scheme);

    /**
     * Opens the store of a location.
     *
     * @param descriptors the most file descriptors that the store may keep open between calls
     * @throws IOException with a message of one line that says what to do
     */
    Store open(URI place, int descriptors) throws IOException;

    /**
     * Finds the provider for a location.
     *
     * @throws IOException if no module on the class path has such a provider
     */
    static StoreProvider of(URI place) throws IOException {
        return ServiceLoader.load(StoreProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.opens(place.getScheme()))
                .findFirst()
                .orElseThrow(() -> new IOException("cannot export " + place + ": no store for '" + place.getScheme()
                        + "' is on the class path; the one for hdfs is in emplace-sample-nfs-hadoop"));
    }
}
