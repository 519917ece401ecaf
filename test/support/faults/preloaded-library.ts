import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

/**
 * Compiles `<name>.c` of this folder into a library for LD_PRELOAD.
 * @returns its path; or the reason, without a C compiler or Linux
 */
export async function compileLibrary(name: string, folder: string): Promise<{ path: string } | { missing: string }> {
  if (process.platform !== 'linux') return { missing: 'faults are injected on Linux only' }
  const path = join(folder, `${name}.so`)
  const source = join(import.meta.dirname, `${name}.c`)
  try {
    await promisify(execFile)('cc', ['-shared', '-fPIC', '-O1', '-o', path, source, '-ldl', '-pthread'])
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return { missing: 'there is no C compiler (cc) to build the fault injection with' }
    throw new Error(`${name}.c does not compile: ${message}`)
  }
  return { path }
}
