// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.event;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/** What a provider has done so far and holds now. */
@Name("org.emplace.rdma.Counters")
@Label("RDMA Counters")
@Description("What an RDMA provider has done since it was opened, and what it holds now")
@Category({"Emplace", "RDMA"})
@Period("1 s")
@StackTrace(false)
public final class CountersEvent extends Event {
    @Label("Provider")
    public String provider = "";

    @Label("Connections Opened")
    public long connectionsOpened;

    @Label("Connections")
    @Description("Those that stand")
    public long connections;

    @Label("Connections Rejected")
    @Description("Connection requests that were answered by a rejection")
    public long connectionsRejected;

    @Label("Registrations")
    public long registrations;

    @Label("Bytes Held")
    @Description("Bytes that are registered")
    @DataAmount
    public long bytesHeld;

    @Label("Accesses Granted")
    public long accessesGranted;

    @Label("Accesses Open")
    @Description("Ranges of memory that peers can reach")
    public long accessesOpen;
}
