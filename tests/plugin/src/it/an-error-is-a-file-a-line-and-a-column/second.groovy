// SPDX-License-Identifier: Apache-2.0
import org.emplace.tests.plugin.Build

new Build(basedir)
    .requireLog("[ERROR] $basedir/src/main/xdr/event.x:3:5: error[")
    .requireOnly('target')
return true
