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

/** What has become of a provider's work of one kind so far. */
@Name("org.emplace.rdma.Work")
@Label("RDMA Work")
@Description("What has become of an RDMA provider's work of one kind since it was opened")
@Category({"Emplace", "RDMA"})
@Period("1 s")
@StackTrace(false)
public final class WorkEvent extends Event {
    @Label("Provider")
    public String provider = "";

    @Label("Operation")
    public String operation = "";

    @Label("Posted")
    public long posted;

    @Label("Succeeded")
    public long succeeded;

    @Label("Bytes")
    @DataAmount
    public long bytes;

    @Label("Failed")
    public long failed;

    @Label("Flushed")
    public long flushed;
}
