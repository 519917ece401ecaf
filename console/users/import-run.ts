import { useEffect, useRef, useState } from 'react'
import type { ImportLine } from '../../packages/client/src/admin.ts'
import { patientAdmin } from '../session/admin.ts'
import { partsOf } from './import-parts.ts'

/** A row that was not imported. */
export type FailedRow = Extract<ImportLine, { error: unknown }>['error']

type Counts = Extract<ImportLine, { done: unknown }>['done']

/** An import, or a dry one, as far as it has come. */
export interface ImportRun {
  readonly state: 'idle' | 'running' | 'done' | 'stopped'
  readonly counts: Counts
  readonly failed: readonly FailedRow[]
  /** Why it ended early. */
  readonly error: unknown
}

const idle: ImportRun = { state: 'idle', counts: { read: 0, imported: 0, failed: 0 }, failed: [], error: null }

const sumOf = (a: Counts, b: Counts): Counts => ({
  read: a.read + b.read,
  imported: a.imported + b.imported,
  failed: a.failed + b.failed,
})

/** The file that was chosen is no longer that one. */
export class FileChangedError extends Error {
  override readonly name = 'FileChangedError'

  constructor() {
    super('The file was changed or moved after it was chosen. Choose it again.')
  }
}

/** Browsers refuse to send a file that was edited after it was chosen, and report it like a server that does not answer. */
export async function reasonOf(error: unknown, lines: Blob): Promise<unknown> {
  const isReadable = await lines
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )
  return isReadable ? error : new FileChangedError()
}

/** Sends files of users and follows the answer. Ends with its screen; what is stored stays when it ends early. */
export function useImport(tenantId: string) {
  const [run, setRun] = useState(idle)
  const ends = useRef<AbortController | null>(null)
  useEffect(() => () => ends.current?.abort(), [])
  async function start(lines: Blob, dryRun: boolean): Promise<void> {
    ends.current?.abort()
    const controller = new AbortController()
    ends.current = controller
    const failed: FailedRow[] = []
    let now: ImportRun = { ...idle, state: 'running' }
    const show = (changes: Partial<ImportRun>) => {
      now = { ...now, ...changes }
      if (ends.current === controller) setRun(now)
    }
    show({})
    try {
      const query = dryRun ? { dryRun: 'true' as const } : {}
      for await (const { bytes, linesBefore } of partsOf(lines)) {
        const { counts: before } = now
        for await (const line of patientAdmin.importUsers({ tenantId }, bytes, query, { signal: controller.signal })) {
          if ('error' in line) failed.push({ ...line.error, line: linesBefore + line.error.line })
          else show({ counts: sumOf(before, 'done' in line ? line.done : line.progress), failed: [...failed] })
        }
      }
      show({ state: 'done' })
    } catch (error) {
      const why = controller.signal.aborted ? null : await reasonOf(error, lines)
      show({ state: 'stopped', failed: [...failed], error: why })
    }
  }
  return {
    run,
    start,
    stop: () => ends.current?.abort(),
    reset() {
      ends.current?.abort()
      ends.current = null
      setRun(idle)
    },
  }
}
