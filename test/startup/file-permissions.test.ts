import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { generateMasterKeys } from '../../server/secrets/master-keys.ts'
import { lockForServer } from '../../server/startup/server-lock.ts'
import { openSqliteStorage } from '../../server/storage/sqlite/sqlite-storage.ts'

const root = join(import.meta.dirname, '../..')

/** Root may use every file, so it runs the program as another user; any other user takes its own permissions away. */
const isRoot = process.geteuid?.() === 0
const otherUser = isRoot ? { uid: 65_534, gid: 65_534 } : {}
/** The reason and the action, for a file or folder with this name. */
const advice = (file: string) =>
  isRoot
    ? `${file} belongs to user 0, and this process runs as user 65534; change the owner, or run as that user`
    : 'run "chmod u\\+rw'

let home: string
before(async () => {
  home = await mkdtemp(join(tmpdir(), 'tenantry-permissions-'))
  await chmod(home, 0o755)
})
after(() => rm(home, { recursive: true }))

/** A folder with a complete database. */
async function folderWithDatabase(name: string): Promise<string> {
  const folder = join(home, name)
  const path = join(folder, 'tenantry.db')
  await (await openSqliteStorage({ path })).close()
  lockForServer({ engine: 'sqlite', path })![Symbol.dispose]()
  await chmod(folder, 0o755)
  return folder
}

/** Runs a program of the repository until it exits, and returns what it said. */
async function run(words: readonly string[], env: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, words as string[], {
    ...{ cwd: home, stdio: ['ignore', 'pipe', 'pipe'], ...otherUser },
    env: { PORT: '0', HOST: '127.0.0.1', TENANTRY_ENVIRONMENT: 'staging', ...env },
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), 60_000)
  const [said] = await Promise.all([text(child.stderr!), text(child.stdout!)])
  clearTimeout(timer)
  return said
}

const server = (url: string, settings: Record<string, string> = configured) =>
  run([join(root, 'server/start.js')], { DATABASE_URL: url, ...settings })
const migrate = (url: string) => run([join(root, 'cli/tenantry.ts'), 'migrate', '--database', url], {})
const configured = {
  TENANTRY_ADMIN_KEY: 'an-admin-key-of-at-least-32-characters',
  TENANTRY_MASTER_KEYS: generateMasterKeys(0),
}

/** Secrets are stored beside the database. */
const development = { TENANTRY_ENVIRONMENT: 'development' }

const failedStart = (reason: string) => new RegExp(`^Tenantry failed to start:\n {2}${reason}`)

test('a database that belongs to another user is reported with its path, the reason and the action', async () => {
  const folder = await folderWithDatabase('owned')
  const path = join(folder, 'tenantry.db')
  await chmod(path, 0o400)
  if (isRoot) await chmod(path, 0o600)
  const reason = `failed to open the database ${path} \\(EACCES\\): ${isRoot ? advice('it') : `the mode .*${advice('')}`}`
  assert.match(await server(`sqlite:${path}`), failedStart(`DATABASE_URL: ${reason}`))
  assert.match(await migrate(`sqlite:${path}`), new RegExp(reason))
})

test('a file beside the database that belongs to another user is named', async () => {
  const folder = await folderWithDatabase('beside')
  const path = join(folder, 'tenantry.db')
  await chmod(path, 0o666)
  await chmod(folder, 0o777)
  const about = `${path}.server-lock: ${isRoot ? advice('it') : ''}`
  // SQLite opens a file that is only readable, too, and cannot lock it.
  for (const mode of isRoot ? [0o600, 0o644] : [0o000, 0o400]) {
    await chmod(`${path}.server-lock`, mode)
    assert.match(
      await server(`sqlite:${path}`),
      failedStart(`DATABASE_URL: failed to open the database ${path} \\(EACCES\\): ${about}`),
    )
  }
})

test('a folder that another user may not enter is not taken for a missing database or missing secrets', async () => {
  const folder = await folderWithDatabase('hidden')
  const path = join(folder, 'tenantry.db')
  await writeFile(join(folder, 'secrets.json'), '{}')
  await chmod(folder, isRoot ? 0o700 : 0o000)
  try {
    const reason = `failed to open the database ${path} \\(EACCES\\): ${isRoot ? advice(folder) : ''}`
    assert.match(await server(`sqlite:${path}`, development), failedStart(`DATABASE_URL: ${reason}`))
    assert.match(await migrate(`sqlite:${path}`), new RegExp(reason))
  } finally {
    await chmod(folder, 0o755)
  }
})

test('unreadable secrets are not called invalid, so that no one replaces good master keys', async () => {
  const folder = await folderWithDatabase('secrets')
  for (const name of ['tenantry.db', 'tenantry.db.server-lock']) await chmod(join(folder, name), 0o666)
  await chmod(folder, 0o777)
  const path = join(folder, 'secrets.json')
  await writeFile(path, '{}', { mode: isRoot ? 0o600 : 0o000 })
  const said = await server(`sqlite:${join(folder, 'tenantry.db')}`, development)
  assert.match(said, failedStart(`failed to read ${path} \\(EACCES\\): ${isRoot ? advice('it') : ''}`))
  assert.doesNotMatch(said, /JSON/)
})

test('the file of a secret that belongs to another user is reported with its owner and the action', async () => {
  const path = join(home, 'admin-key')
  await writeFile(path, configured.TENANTRY_ADMIN_KEY, { mode: isRoot ? 0o600 : 0o000 })
  const said = await server(`sqlite:${join(home, 'none.db')}`, { TENANTRY_ADMIN_KEY_FILE: path })
  assert.match(
    said,
    failedStart(`TENANTRY_ADMIN_KEY_FILE: failed to read ${path} \\(EACCES\\): ${isRoot ? advice('it') : ''}`),
  )
})

test('secrets that cannot be stored are reported with the folder that refuses them', { skip: !isRoot }, async () => {
  const folder = await folderWithDatabase('unwritable')
  for (const name of ['tenantry.db', 'tenantry.db.server-lock']) await chmod(join(folder, name), 0o666)
  const said = await server(`sqlite:${join(folder, 'tenantry.db')}`, development)
  assert.match(said, failedStart(`failed to write ${folder}/secrets\\.json\\.\\d+ \\(EACCES\\): ${advice(folder)}`))
})

test('a folder that cannot be created is reported with the one that refuses it', { skip: !isRoot }, async () => {
  const said = await server('sqlite:./none/tenantry.db')
  const reason = `failed to open the database ./none/tenantry.db \\(EACCES\\): ${advice('\\.')}`
  assert.match(said, failedStart(`DATABASE_URL: ${reason}`))
})

test('a folder where the file system creates no files is refused', { skip: process.platform !== 'linux' }, async () => {
  const said = await server('sqlite:/proc/none/tenantry.db')
  const reason = 'failed to open the database /proc/none/tenantry.db \\(ENOENT\\): its file system has no place'
  assert.match(said, failedStart(`DATABASE_URL: ${reason}`))
})

test('a backup that cannot be written is reported with the folder that refuses it', { skip: !isRoot }, async () => {
  const folder = await folderWithDatabase('backed-up')
  await chmod(folder, 0o777)
  for (const name of ['tenantry.db', 'tenantry.db.server-lock']) await chmod(join(folder, name), 0o666)
  const closed = join(folder, 'closed')
  await mkdir(closed, { mode: 0o700 })
  for (const [refusing, name] of [
    [home, 'backup.db'],
    [home, 'none/backup.db'],
    [closed, 'backup.db'],
  ] as const) {
    const file = join(refusing, name)
    const words = ['backup', file, '--database', `sqlite:${join(folder, 'tenantry.db')}`]
    const said = await run([join(root, 'cli/tenantry.ts'), ...words], {})
    assert.match(said, new RegExp(`^failed to write ${file} \\(EACCES\\): ${advice(refusing)}\n$`))
  }
})

test('a folder as the database is refused, with an example of a file, and gets no lock beside it', async () => {
  const folder = join(home, 'folder')
  await mkdir(folder)
  const reason = `failed to open the database ${folder}: it is a folder; name a file, such as ${folder}/tenantry\\.db`
  assert.match(await server(`sqlite:${folder}`), failedStart(`DATABASE_URL: ${reason}\n$`))
  assert.match(await migrate(`sqlite:${folder}`), new RegExp(reason))
  await assert.rejects(openSqliteStorage({ path: folder }), new RegExp(`^DatabaseFileError: ${reason}`))
})
