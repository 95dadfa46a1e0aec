// SPDX-License-Identifier: Apache-2.0
def before = new File(basedir, 'src/main/xdr/event.x')
def after = new File(basedir, 'src/main/xdr/incident.x')
after.text = before.text.replace('event', 'incident')
// As a file that comes out of an archive.
after.lastModified = 1_000_000
return before.delete()
