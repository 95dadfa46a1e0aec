// SPDX-License-Identifier: Apache-2.0
import org.emplace.tests.plugin.Build

new Build(basedir)
    .requireLog('org.example.nfs is up to date')
    .requireLog('org.example.mount is up to date')
    .requireUntouched()
return true
