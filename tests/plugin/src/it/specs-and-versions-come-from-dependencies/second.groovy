// SPDX-License-Identifier: Apache-2.0
import org.emplace.tests.plugin.Build

new Build(basedir).requireLog('p is up to date').requireUntouched()
return true
