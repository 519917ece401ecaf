// JavaScript, for the reason in code-cache.js. Nothing else is loaded before the cache of compiled code is on.
import { moduleOf } from './startup/bundle.js'
import { cacheCode } from './startup/code-cache.js'

// Supervisors start this file without the launcher, with a Node that may be an older one.
if (Number(process.version.slice(1).split('.')[0]) < 24) {
  process.stderr.write(`Tenantry needs Node 24 or later; ${process.execPath} is ${process.version}\n`)
  process.exitCode = 1
} else {
  cacheCode()
  await import(moduleOf('server', 'server/main.ts'))
}
