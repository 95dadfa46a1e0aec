// SPDX-License-Identifier: Apache-2.0
import org.emplace.tests.plugin.Build

new Build(basedir)
    .requireLog("[WARNING] $basedir/src/main/xdr/event.x:", 'warning[W320]', '1 warning', '<failOnWarning> treats them as errors')
    .requireOnly('target')
return true
