import { enableCompileCache } from 'node:module'

// From the second startup on, compiled code is read from a cache in the system's temporary folder, which more than halves
// the startup time. JavaScript, because Node would load its TypeScript compiler for this file: 35 ms, before the cache is on.
enableCompileCache()
await import('./main.ts')
