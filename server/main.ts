// Signals can arrive while the other modules are loaded.
import './startup/stop-signals.ts'

await import('./startup/run.ts')
