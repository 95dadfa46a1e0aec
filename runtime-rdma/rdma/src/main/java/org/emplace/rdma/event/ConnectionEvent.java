// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.event;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A connection, from its being established to its end. */
@Name("org.emplace.rdma.Connection")
@Label("RDMA Connection")
@Description("An RDMA connection that has ended; its duration is the time that it stood")
@Category({"Emplace", "RDMA"})
@StackTrace(false)
public final class ConnectionEvent extends EventOfConnection {
    @Label("Cause")
    @Description("Why it ended; empty after an orderly close by either side")
    public String cause = "";

    @Label("Bytes Sent")
    @DataAmount
    public long bytesSent;

    @Label("Bytes Received")
    @DataAmount
    public long bytesReceived;

    @Label("Bytes Written")
    @Description("By RDMA Writes of this side")
    @DataAmount
    public long bytesWritten;

    @Label("Bytes Read")
    @Description("By RDMA Reads of this side")
    @DataAmount
    public long bytesRead;
}
