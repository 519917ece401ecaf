import { enableCompileCache } from 'node:module'
// Signals can arrive while the other modules are loaded.
import './startup/stop-signals.ts'

// Before other modules are loaded: from the second startup on, compiled code is read from a cache in the system's temporary
// folder, which saves about a third of the startup time.
enableCompileCache()
await import('./startup/run.ts')
