// JavaScript, for the reason in code-cache.js. Nothing else is loaded before the cache of compiled code is on.
import { cacheCode } from './startup/code-cache.js'

cacheCode()
await import('./main.ts')
