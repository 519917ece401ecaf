import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readKeptSecrets } from '../../../server/settings/kept-secrets.ts'
import { blocksOf, isShown, meaningOf, withErrors, withoutFilledIn } from './page-blocks.ts'

const root = join(import.meta.dirname, '../../..')
const separator = '=== next block ==='

/** Messages are sent after the answer, so an empty inbox is asked again. */
const patientCurl = `curl() {
  while :; do
    printed=$(command curl "$@")
    case $printed in *'"messages":[]'*) ;; *) break ;; esac
  done
  printf '%s\\n' "$printed"
}
`

/** Whether a line that a command printed is as the page shows it: JSON by its members. */
function isLineShown(shown: string, printed: string): boolean {
  if (isShown(shown, printed)) return true
  if (!printed.startsWith('{') || !shown.startsWith('{')) return false
  const value = JSON.parse(printed)
  return JSON.stringify(meaningOf(JSON.parse(shown), value)) === JSON.stringify(value)
}

/** A server with its address, and the folder with its secrets in which commands run. */
interface Place {
  readonly server: { readonly baseUrl: string }
  readonly folder: string
}

/**
 * Runs the code blocks of a page in one shell, so that its variables and functions last, and compares what each prints with
 * the page. In a block noted `a command fails`, what commands report counts too, and in one noted `also on standard error`.
 *
 * @param preamble runs first
 */
export async function runPageInOneShell({ server, folder }: Place, page: string, preamble = ''): Promise<void> {
  const blocks = blocksOf(page).filter(({ note }) => !note.startsWith('not run:'))
  const commands = blocks.filter(({ language }) => language === 'sh')
  const script = commands
    .map(({ text, note }) => withErrors(note, withoutFilledIn(text)))
    .join(`\necho '${separator}'\n`)
    .replaceAll('npm run -s tenantry --', `"${process.execPath}" "${root}/launcher/launch.mjs" cli/tenantry.ts`)
  const { adminKey, demo } = readKeptSecrets(join(folder, 'data/secrets.json'))
  const given = { KEY: demo?.tenantKey, ADMIN: adminKey, TENANTRY_ADMIN_KEY: adminKey }
  const env = { PATH: process.env['PATH'], API: server.baseUrl, TENANTRY_URL: server.baseUrl, ...given }
  const { stdout } = await promisify(execFile)('sh', ['-ec', patientCurl + preamble + script], { cwd: folder, env })
  const printed = stdout.split(`${separator}\n`)
  for (const [index, command] of commands.entries()) {
    const next = blocks[blocks.indexOf(command) + 1]
    if (next === undefined || next.language === 'sh') continue
    const [shown, actual] = [next.text, printed[index] ?? ''].map((text) => text.trim().split('\n'))
    assert.equal(actual!.length, shown!.length, `${command.text}\n${printed[index]}`)
    for (const [line, text] of shown!.entries()) {
      assert.ok(isLineShown(text, actual![line]!), `${command.text}\n${text}\n${actual![line]}`)
    }
  }
}
