import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { readKeptSecrets } from '../../../server/settings/kept-secrets.ts'
import { compiledCode, type LocalServer, startLocalServer } from '../local-server.ts'
import { until } from '../until.ts'
import { blocksOf, isShown, meaningOf, type PageBlock, withErrors, withoutFilledIn } from './page-blocks.ts'

const root = join(import.meta.dirname, '../../..')
const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))

const readsLog = /\bevents (?:checkpoints|export|verify)\b/

/** Events are sealed after the answers to what they record, so a command that reads the log at once may miss the newest. */
async function untilSealed(path: string): Promise<void> {
  using database = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
  const queued = database.prepare('SELECT id FROM event_queue LIMIT 1')
  await until(() => queued.get() === undefined)
}

/** What the reader of a page does between its commands, by the comment that says so. Each gets what was printed last. */
type ReaderActs = Readonly<Record<string, (printed: string) => Promise<unknown>>>

/** A server, and a shell for the commands of a page. */
export interface PageServer extends AsyncDisposable {
  readonly server: LocalServer
  readonly folder: string
  /**
   * Runs a command as a page shows it, with `KEY`, `ADMIN` and `API` set, and returns what it prints. `<tenant>` is the demo
   * tenant; `<id>`, `<code>` and others are filled in from earlier answers.
   */
  run(command: string): Promise<string>
  /** Values for `<name>` in commands. */
  readonly known: Record<string, string>
  /**
   * Runs all code blocks of a page and compares what they print with the page. A block noted `the server is stopped` runs
   * while it is; then the server starts again, with the settings of its last line if that is `npm start`. In a block noted
   * `a command fails`, what commands report counts too, and in one noted `also on standard error`.
   *
   * @param acts what the reader does at a comment in a block, by its text: `restart the server`. If given, every comment
   *   on a line of its own needs one.
   */
  runPage(page: string, acts?: ReaderActs): Promise<void>
  /** Stops the server and starts it with these settings changed, for it and for commands; `undefined` removes one. */
  restart(changes?: Record<string, string | undefined>): Promise<void>
  /** Runs the commands of lists, `command` → `output`, and compares what they print. Returns how many there are. */
  runLists(page: string): Promise<number>
}

/** @param places what stands on the page for an address or folder of the server; default: the address of `npm start` */
export async function startPageServer(
  firstSettings: Record<string, string> = {},
  places: (baseUrl: string, folder: string) => Record<string, string> = (baseUrl) => ({
    'http://127.0.0.1:4000': baseUrl,
  }),
): Promise<PageServer> {
  let settings = firstSettings
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-page-'))
  let server = await startLocalServer(folder, { PORT: '0', ...settings })
  const [, key = ''] = /tenant key\s+(\S+)/.exec(server.output()) ?? []
  const [, admin = settings['TENANTRY_ADMIN_KEY'] ?? ''] = /admin key\s+(\S+)/.exec(server.output()) ?? []
  const { demo } = readKeptSecrets(join(folder, 'data/secrets.json'))
  const known: Record<string, string> = demo === undefined ? {} : { tenant: demo.tenantId }

  /** What the last command printed. */
  let printed = ''
  /** The variables that the page has exported. */
  const exported: Record<string, string> = {}

  /** Remembers the members of an answer, the code of the newest message in the inbox, and the id of what was created. */
  function learn(command: string, output: string): void {
    for (const [, name, value] of command.matchAll(/^export (\w+)="(.*)"$/gm)) exported[name!] = placed(value!)
    const [, created] = /^tenantry (\w+) create /m.exec(command) ?? []
    const [, id] = /^id +(\w{26})$/m.exec(output) ?? []
    if (created !== undefined && id !== undefined) known[created] = id
    if (!output.startsWith('{')) return
    const { data } = JSON.parse(output)
    for (const [name, value] of Object.entries({ ...data, code: data?.messages?.at(-1)?.code }))
      if (typeof value === 'string') known[name] = value
  }

  /** Replaces what stands on the page for an address or folder. */
  const placed = (text: string): string =>
    Object.entries(places(server.baseUrl, folder)).reduce(
      (rest, [shown, actual]) => rest.replaceAll(shown, actual),
      text,
    )

  async function run(command: string): Promise<string> {
    assert.equal(scripts.tenantry, 'node launcher/launch.mjs cli/tenantry.ts')
    const tenantry = `"${process.execPath}" "${root}/launcher/launch.mjs" cli/tenantry.ts`
    const script = placed(
      command
        .replaceAll('npm run -s tenantry --', tenantry)
        .replace(/^node(?= )/gm, `"${process.execPath}"`)
        .replaceAll(/(?<=^|\| )tenantry(?= )/gm, tenantry)
        .replaceAll(/<(\w+)>/g, (_, name: string) => known[name] ?? assert.fail(`<${name}> is unknown: ${command}`)),
    )
    const { ADMIN_PORT: adminPort } = settings
    const adminUrl = adminPort === undefined ? server.baseUrl : `http://127.0.0.1:${adminPort}`
    const env = { PATH: process.env['PATH'], ...compiledCode(), TENANTRY_URL: adminUrl, ...settings }
    const values = { KEY: known['key'] ?? key, ADMIN: admin, API: server.baseUrl }
    const options = { cwd: folder, env: { ...env, ...values, ...exported } }
    let stdout = ''
    if (readsLog.test(command)) await untilSealed(join(folder, 'data/tenantry.db'))
    // A message is sent after the answer, so a command that runs at once may find the inbox empty.
    await until(async () => {
      stdout = (await promisify(execFile)('sh', ['-ec', script], options)).stdout
      return !stdout.includes('"messages":[]')
    })
    printed = stdout
    learn(command, stdout)
    return stdout
  }

  async function restart(changes: Record<string, string | undefined> = {}): Promise<void> {
    await server[Symbol.asyncDispose]()
    const changed = Object.entries({ ...settings, ...changes }).filter(([, value]) => value !== undefined)
    settings = Object.fromEntries(changed) as Record<string, string>
    server = await startLocalServer(folder, { PORT: '0', ...settings })
  }

  async function runStopped(block: string): Promise<string> {
    const [, command = block, settingsText = ''] = /^([\s\S]*?)^((?:\w+=\S+ )*)npm start\n$/m.exec(block) ?? []
    await server[Symbol.asyncDispose]()
    const output = await run(command)
    const added = [...placed(settingsText).matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name!, value!])
    server = await startLocalServer(folder, { PORT: '0', ...settings, ...Object.fromEntries(added) })
    return output
  }

  /** Runs the commands of a block, and between them what the reader does. */
  async function runBlock({ note, text }: Pick<PageBlock, 'note' | 'text'>, acts?: ReaderActs): Promise<string> {
    let output = ''
    for (const part of text.split(acts === undefined ? /$^/ : /^(?=#)|(?<=^#.*\n)/m)) {
      if (acts !== undefined && part.startsWith('#')) {
        const [, act = assert.fail(`nothing is done at ${part}`)] =
          Object.entries(acts).find(([comment]) => part.includes(comment)) ?? []
        await act(printed)
      } else if (part.trim() !== '') output += await run(withErrors(note, part))
    }
    return output
  }

  async function compare(shown: { language: string; text: string }, output: string, command: string): Promise<void> {
    if (shown.language !== 'json') assert.ok(isShown(placed(shown.text), output), `${command}\n${output}`)
    else {
      const actual = JSON.parse(output)
      assert.deepEqual(meaningOf(JSON.parse(shown.text), actual), actual, command)
    }
  }

  return {
    get server() {
      return server
    },
    folder,
    run,
    known,
    async runLists(page) {
      const items = [...page.matchAll(/^- .*?`([^`]+)` → `([^`]+)`$/gm)]
      assert.equal(items.length, page.match(/ → /g)?.length, 'an item with an arrow has another form')
      for (const [, command = '', shown = ''] of items) {
        const output = (await run(command)).replaceAll(folder, '').replaceAll(/\s+/g, ' ')
        assert.ok(isShown(shown, output), `${command}\n${output}`)
      }
      return items.length
    },
    restart,
    async runPage(page, acts) {
      let command = ''
      let output: string | undefined
      for (const block of blocksOf(page)) {
        if (/^not run:/.test(block.note)) continue
        if (block.note === 'printed by the server') {
          await until(() => isPrinted(server.output(), block.text))
        } else if (block.language === 'sh') {
          command = withoutFilledIn(block.text)
          output = await (block.note === 'the server is stopped'
            ? runStopped(command)
            : runBlock({ note: block.note, text: command }, acts))
        } else if (output !== undefined && /^(?:json)?$/.test(block.language)) {
          await compare(block, output, command)
          output = undefined
        }
      }
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await rm(folder, { recursive: true })
    },
  }
}

/** Whether the server has printed these lines. */
function isPrinted(output: string, shown: string): boolean {
  const lines = output.split('\n')
  const count = shown.trim().split('\n').length
  return lines.some((_, index) => isShown(shown, lines.slice(index, index + count).join('\n')))
}
