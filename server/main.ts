import { enableCompileCache } from 'node:module'
// A signal may arrive while the rest is loaded.
import './startup/stop-signals.ts'

// Before anything else is loaded: from the second start on, compiled code comes from a cache in the system's temporary
// folder, which saves about a third of the time to the first answer.
enableCompileCache()
await import('./startup/run.ts')
