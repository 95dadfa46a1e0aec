// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaProviderFactory;
import org.emplace.rdma.RdmaProviderFactory.DeviceDescription;
import org.emplace.rdma.RdmaProviderFactory.DeviceDescription.Capability;
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
    public Integer call() {
        for (RdmaProviderFactory provider : RdmaProviderFactory.installed()) {
            Optional<String> obstacle = provider.obstacle();
            if (obstacle.isPresent()) {
                System.out.println(provider.name() + ": does not work here: " + obstacle.get());
            } else {
                list(provider);
            }
        }
        return CommandLine.ExitCode.OK;
    }

    private static void list(RdmaProviderFactory provider) {
        List<DeviceDescription> devices;
        try {
            devices = provider.devices();
        } catch (RdmaException unanswered) {
            System.out.println(provider.name() + ": " + unanswered.getMessage());
            return;
        }
        if (devices.isEmpty()) {
            System.out.println(provider.name() + ": no devices");
        }
        devices.forEach(device -> print(provider.name(), device));
    }

    private static void print(String provider, DeviceDescription device) {
        System.out.println(provider + ": " + device.name() + ", " + device.transport() + ", " + device.state());
        print("addresses", device.addresses().isEmpty() ? "none" : String.join(", ", device.addresses()));
        for (Capability capability : device.capabilities()) {
            print(capability.name(), capability.value());
        }
    }

    private static void print(String name, String value) {
        System.out.println("    " + name + " ".repeat(Math.max(1, NAMES - name.length())) + value);
    }
}
