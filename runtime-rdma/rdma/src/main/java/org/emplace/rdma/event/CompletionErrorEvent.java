// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.event;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A work request or Receive that ended in error. */
@Name("org.emplace.rdma.CompletionError")
@Label("RDMA Completion in Error")
@Description("A work request or Receive that ended in error, other than by the end of its connection")
@Category({"Emplace", "RDMA"})
@StackTrace(false)
public final class CompletionErrorEvent extends EventOfConnection {
    @Label("Operation")
    public String operation = "";

    @Label("Status")
    public String status = "";

    @Label("Work Request")
    @Description("The id that the consumer gave it")
    public long id;
}
