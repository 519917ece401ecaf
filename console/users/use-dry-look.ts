import { useRef, useState } from 'react'
import { beginningOf, type LookedLine } from './first-lines.ts'
import { type ImportRun, reasonOf, useImport } from './import-run.ts'

/** The beginning of a file as the server judges it, before anything is imported. */
interface DryLook {
  readonly file: File | null
  readonly lines: readonly LookedLine[]
  /** How the server judges the lines. */
  readonly judged: ImportRun
  /** Why the file could not be read. */
  readonly unreadable: unknown
  readonly choose: (file: File | null) => Promise<void>
}

export function useDryLook(tenantId: string): DryLook {
  const [file, setFile] = useState<File | null>(null)
  const latest = useRef<File | null>(null)
  const [lines, setLines] = useState<readonly LookedLine[]>([])
  const [unreadable, setUnreadable] = useState<unknown>(null)
  const { run: judged, start, reset } = useImport(tenantId)
  async function choose(chosen: File | null): Promise<void> {
    latest.current = chosen
    reset()
    setFile(chosen)
    setLines([])
    setUnreadable(null)
    if (chosen === null) return
    try {
      const beginning = await beginningOf(chosen)
      // A slow disk may be read after another file was chosen, whose import would begin below the lines of this one.
      if (latest.current !== chosen) return
      setLines(beginning.lines)
      if (beginning.lines.length > 0) await start(beginning.bytes, true)
    } catch (error) {
      const why = await reasonOf(error, chosen)
      if (latest.current === chosen) setUnreadable(why)
    }
  }
  return { file, lines, judged, unreadable, choose }
}
