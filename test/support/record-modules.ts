/**
 * Preloaded with `--import` into a process whose modules a test counts: at the exit it writes the URL of each file and the
 * name of each internal module of Node that were loaded, one per line, to the file that `LOADED_MODULES` names.
 */
import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

const file = process.env['LOADED_MODULES']
if (file === undefined) throw new Error('LOADED_MODULES is not set')
const loaded: string[] = []
registerHooks({
  load(url, context, nextLoad) {
    loaded.push(url)
    return nextLoad(url, context)
  },
})
process.on('exit', () => writeFileSync(file, [...loaded, ...builtIn()].join('\n')))

/** Node's own list, which its types lack. */
const builtIn = (): readonly string[] => (process as unknown as { moduleLoadList: string[] }).moduleLoadList
