// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.recovery;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * The flight recorder's event for a client's recovery. It lasts from the loss of a connection to the next connection.
 */
@Name("org.emplace.rpc.Recovery")
@Label("RPC Client Recovery")
@Description("A client has reconnected; the duration is the time without a connection")
@Category({"Emplace", "RPC"})
@StackTrace(false)
final class RecoveryEvent extends Event {
    @Label("Address")
    public String address = "";

    @Label("Cause")
    @Description("Why the connection ended or, if an attempt to reconnect failed, why the latest one did")
    public String cause = "";

    @Label("Attempts")
    @Description("Failed attempts to reconnect")
    public int attempts;
}
