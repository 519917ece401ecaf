// JavaScript, for the reason in code-cache.js. Nothing else is loaded before the cache of compiled code is on.
import { moduleOf } from './startup/bundle.js'
import { cacheCode } from './startup/code-cache.js'

cacheCode()
await import(moduleOf('server', 'server/main.ts'))
