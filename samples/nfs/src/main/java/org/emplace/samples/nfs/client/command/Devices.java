// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.util.List;
import java.util.concurrent.Callable;
import org.emplace.RpcRuntime;
import org.emplace.rpc.RdmaDevice;
import org.emplace.rpc.RpcException;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code nfs devices}. */
@Command(
        name = "devices",
        description = "Lists RDMA devices, their capabilities, and why a device is unusable.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "If a provider cannot work, its line says what to install or permit. Pass a provider's name to --provider of other"
                    + " commands."
        })
final class Devices implements Callable<Integer> {
    private static final int NAMES = 22;

    @Override
    public Integer call() throws RpcException {
        RpcRuntime runtime = RpcRuntime.shared();
        for (String provider : runtime.rdmaProviders()) {
            try {
                List<RdmaDevice> devices = runtime.rdmaDevices(provider);
                if (devices.isEmpty()) {
                    System.out.println(provider + ": no devices");
                }
                devices.forEach(device -> print(provider, device));
            } catch (RpcException unusable) {
                System.out.println(unusable.getMessage());
            }
        }
        return CommandLine.ExitCode.OK;
    }

    private static void print(String provider, RdmaDevice device) {
        System.out.println(provider + ": " + device);
        print("addresses", device.addresses().isEmpty() ? "none" : String.join(", ", device.addresses()));
        device.capabilities().forEach(Devices::print);
    }

    private static void print(String name, String value) {
        System.out.println("    " + name + " ".repeat(Math.max(1, NAMES - name.length())) + value);
    }
}
