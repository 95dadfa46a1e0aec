// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.provider;

import java.util.List;
import org.emplace.RpcRuntime;
import org.emplace.rpc.RpcException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The option that names the one RDMA provider to use. */
public final class ProviderOption {

    @Option(
            names = "--provider",
            paramLabel = "NAME",
            converter = InstalledName.class,
            description =
                    "Use only this RDMA provider: verbs (hardware) or iwarp (software). Default: verbs if a device"
                            + " routes to the address, or else iwarp.")
    private @Nullable String name;

    /** Applies the choice to all later connections and listeners of this process. */
    public void apply() {
        if (name != null) {
            System.setProperty(RpcRuntime.RDMA_PROVIDER_PROPERTY, name);
        }
    }

    /** Accepts the name of an installed provider. */
    static final class InstalledName implements ITypeConverter<String> {
        @Override
        public String convert(String text) {
            List<String> installed;
            try {
                installed = RpcRuntime.shared().rdmaProviders();
            } catch (RpcException missing) {
                throw new TypeConversionException(missing.getMessage());
            }
            if (!installed.contains(text)) {
                throw new TypeConversionException(
                        "there is no RDMA provider '" + text + "' here; installed: " + String.join(", ", installed));
            }
            return text;
        }
    }
}
