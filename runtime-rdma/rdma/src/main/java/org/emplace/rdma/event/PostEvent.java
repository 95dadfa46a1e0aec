// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.event;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A batch of work requests. There are many of these: not recorded unless asked for. */
@Name("org.emplace.rdma.Post")
@Label("RDMA Work Requests Posted")
@Description("A batch of work requests given to a send queue")
@Category({"Emplace", "RDMA"})
@Enabled(false)
public final class PostEvent extends EventOfConnection {
    @Label("Sends")
    public int sends;

    @Label("Writes")
    public int writes;

    @Label("Reads")
    public int reads;

    @Label("Size")
    @Description("Bytes of local memory that the requests name")
    @DataAmount
    public long bytes;
}
