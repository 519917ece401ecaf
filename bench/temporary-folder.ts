import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new folder that is deleted when this process ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
