// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.event;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A registration of memory. */
@Name("org.emplace.rdma.Registration")
@Label("RDMA Memory Registration")
@Description("Memory made known to a device, or the attempt; its duration is that of the system call")
@Category({"Emplace", "RDMA"})
public final class RegistrationEvent extends Event {
    @Label("Provider")
    public String provider = "";

    @Label("Size")
    @DataAmount
    public long bytes;

    @Label("Refusal")
    @Description("Why the system did not register it; empty if it did")
    public String refusal = "";
}
