import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fullRunsOnly } from '../support/runner/sample-size.ts'

const root = join(import.meta.dirname, '../..')

/** Every edit that a new column of `users` takes: a text of a file, which occurs there once, and what follows it. */
const edits = {
  migration: [
    'server/storage/migrations.ts',
    "      column('users', 'codes_valid_from BIGINT'),\n    ],\n  },\n",
    "  { id: '9999-nickname', steps: [column('users', 'nickname TEXT')] },\n",
  ],
  field: ['server/accounts/user.ts', '  readonly guest: boolean\n', '  readonly nickname: string | null\n'],
  column: ['server/storage/stores/user-columns.ts', "  guest: flag('guest'),\n", "  nickname: text('nickname'),\n"],
  use: ['server/accounts/user.ts', '  guest: false,\n', '  nickname: null,\n'],
} as const

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenantry-new-column-'))
  for (const name of ['contract', 'server', 'package.json', 'tsconfig.json']) {
    await cp(join(root, name), join(folder, name), { recursive: true })
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
})
after(() => rm(folder, { recursive: true }))

async function apply([file, text, addition]: readonly [string, string, string]): Promise<void> {
  const path = join(folder, file)
  const parts = (await readFile(path, 'utf8')).split(text)
  assert.equal(parts.length, 2, `${file} contains this text once: ${text}`)
  await writeFile(path, parts.join(text + addition))
}

/** The files that do not compile, of those that `entry` reaches. */
async function filesWithErrors(entry: string): Promise<string[]> {
  const config = { extends: './tsconfig.json', include: [], files: [entry] }
  await writeFile(join(folder, 'tsconfig.entry.json'), JSON.stringify(config))
  const command = [join(root, 'node_modules/typescript/bin/tsc'), '--singleThreaded', '-p', 'tsconfig.entry.json']
  const output = await new Promise<string>((resolve) => {
    const options = { cwd: folder }
    execFile(process.execPath, command, options, (_, stdout) => resolve(stdout))
  })
  return Array.from(output.matchAll(/^(\S+)\(\d+,\d+\): error/gm), ([, file]) => file!)
}

test('a field without a column does not compile', async () => {
  await apply(edits.migration)
  await apply(edits.field)
  await apply(edits.use)
  assert.deepEqual(await filesWithErrors('server/storage/stores/users.ts'), [edits.column[0]])
})

test('four edits add a column of users that every statement stores and reads', async () => {
  await apply(edits.column)
  const { openSqliteStorage }: typeof import('../../server/storage/sqlite/sqlite-storage.ts') = await import(
    join(folder, 'server/storage/sqlite/sqlite-storage.ts')
  )
  const { keyOf, newTenant, sessionOf, t0, userOf }: typeof import('../../server/storage/suite/samples.testkit.ts') =
    await import(join(folder, 'server/storage/suite/samples.testkit.ts'))
  const storage = await openSqliteStorage({ path: join(folder, 'tenantry.db') })
  const tenant = await newTenant(storage)
  const { keys, sessions, users } = tenant
  const [key, session] = [keyOf(), sessionOf({ userId: 'u' })]
  const user = userOf({ id: 'u', email: 'a@b.example', phone: '+33100000000', ...{ nickname: 'Ada' } })
  assert.equal(Object.hasOwn(userOf(), 'nickname'), true)
  await keys.add(key)
  await users.add(user, null)
  await sessions.add(session, { refreshHash: 'refresh', amr: [] }, { userAgent: null, network: '' })
  const page = { limit: 1, cursor: null }
  const found = {
    find: await users.find('u'),
    lock: await tenant.write((tx) => tx.users.lock('u')),
    findByEmail: (await users.findByEmail('a@b.example'))?.user,
    findCredential: (await users.findCredential('u'))?.user,
    findByPhone: await users.findByPhone('+33100000000'),
    list: (await users.list(page))[0],
    listCredentials: (await users.listCredentials(page))[0]?.user,
    restrict: await users.restrict('u', {}, t0),
    callerRecord: (await storage.callerRecord(key.id, session.id))?.user,
  }
  await storage.close()
  for (const [name, each] of Object.entries(found)) assert.deepEqual(each, user, name)
})

test('after the four edits the service compiles', fullRunsOnly, async () => {
  assert.deepEqual(await filesWithErrors('server/app.ts'), [])
})
