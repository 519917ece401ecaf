// JavaScript, and an import that waits: nothing else is loaded before the cache of compiled code is on.
import { cacheCode } from './startup/code-cache.js'

cacheCode()
await import('./main.ts')
