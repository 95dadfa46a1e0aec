// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.recovery;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The time that a client was without a connection. */
@Name("org.emplace.rpc.Recovery")
@Label("RPC Client Recovery")
@Description("A client lost its connection and has another; the duration is the time between")
@Category({"Emplace", "RPC"})
@StackTrace(false)
final class RecoveryEvent extends Event {
    @Label("Address")
    public String address = "";

    @Label("Cause")
    @Description("Why the connection ended, or the latest attempt to get another failed")
    public String cause = "";

    @Label("Attempts")
    @Description("Attempts to connect that failed")
    public int attempts;
}
