import { useState } from 'react'

/** One thing that a form does at a time, and how the last attempt ended. */
export interface Action {
  readonly busy: boolean
  readonly error: unknown
  run(work: () => Promise<void>): Promise<void>
}

/** Runs the work of a form: a second click while it runs does nothing, and an error stays until the next attempt. */
export function useAction(): Action {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  return {
    busy,
    error,
    async run(work) {
      if (busy) return
      setBusy(true)
      setError(undefined)
      try {
        await work()
      } catch (caught) {
        setError(caught)
      } finally {
        setBusy(false)
      }
    },
  }
}
