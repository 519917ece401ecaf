import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { listenOnLoopback } from '../../test/support/loopback.ts'
import { addPerson } from '../../test/support/person.ts'
import { startTestService, type TestService } from '../../test/support/service.ts'
import { type CommandResult, type } from '../terminal/terminal.testkit.ts'

let service: TestService
let folder: string
let tenant: string
before(async () => {
  service = await startTestService()
  folder = await mkdtemp(join(tmpdir(), 'tenantry-files-'))
})
after(async () => {
  await service.close()
  await rm(folder, { recursive: true })
})
beforeEach(async () => {
  ;({ tenantId: tenant } = await service.addTenant())
})

const hash = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'
const lines = (...rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

const tenantry = (words: readonly string[], input = '', url = service.baseUrl): Promise<CommandResult> =>
  type(['user', ...words, '--tenant', tenant], {
    env: { TENANTRY_URL: url, TENANTRY_ADMIN_KEY: service.adminKey },
    folder,
    input,
  })
const inFolder = (name: string) => join(folder, name)
const modeOf = async (name: string) => (await stat(inFolder(name))).mode & 0o777

test('imports a file and prints a summary', async () => {
  const rows = Array.from({ length: 1001 }, (_, n) => ({ email: `${n}@example.com`, passwordHash: hash }))
  await writeFile(inFolder('users.ndjson'), lines(...rows))
  assert.deepEqual(await tenantry(['import', 'users.ndjson']), {
    exitCode: 0,
    output: 'Imported 1001 of 1001 user(s).\n',
    errors: '',
  })
  const [last] = (await service.admin.listUsers({ tenantId: tenant }, { email: '1000@example.com' })).items
  assert.deepEqual(last?.methods, ['password'])
})

test('names the rule that a profile field breaks, in an import as elsewhere', async () => {
  const components = [{ name: 'country', type: 'select' as const, options: [{ value: 'fr' }, { value: 'de' }] }]
  await service.admin.publishProfileSchema({ tenantId: tenant }, { components })
  const { errors } = await tenantry(['import', '-'], lines({ email: 'a@example.com', profile: { country: 'x' } }))
  assert.match(errors, /^line 1: profile\.country: Validation rule not met \(options: fr, de\)\n/)
  const { id } = await service.admin.createUser({ tenantId: tenant }, { email: 'a@example.com' })
  const refused = await tenantry(['profile', 'set', id, '-'], '{"country": "x"}')
  assert.match(refused.errors, /^ {2}country: Validation rule not met \(options: fr, de\)$/m)
})

test('reports failed rows, imports the others, and exits with 1', async () => {
  const bad = { email: 'b@example.com', passwordHash: hash.slice(0, -1), profile: [] }
  const input = `${lines({ email: 'a@example.com' }, bad)}\n{"email": "\u001b[2J\n${lines({ email: 'A@example.com' })}`
  const { exitCode, output, errors } = await tenantry(['import', '-', '--json'], input)
  assert.deepEqual([exitCode, JSON.parse(output)], [1, { read: 4, imported: 1, failed: 3 }])
  assert.deepEqual(errors.split('\n'), [
    'line 2: profile: Expected object, received array',
    'line 4: body: Invalid JSON',
    'line 5: A user with this e-mail address already exists. Sign in or reset the password. (EMAIL_ALREADY_REGISTERED)',
    '3 row(s) failed: see above.',
    '',
  ])
})

test('previews an import row by row and stores nothing', async () => {
  const input = lines({ email: 'a@example.com' }, { email: 'b@example' }, { email: 'A@example.com' })
  const taken = 'A user with this e-mail address already exists. Sign in or reset the password.'
  assert.deepEqual(await tenantry(['import', '-', '--dry-run'], input), {
    exitCode: 1,
    output: 'Would create 1 user(s), update 0 and refuse 2 of 3 row(s); nothing was stored.\n',
    errors: `line 2: email: Invalid email\nline 3: ${taken} (EMAIL_ALREADY_REGISTERED)\n2 row(s) would fail: see above.\n`,
  })
  assert.deepEqual((await service.admin.listUsers({ tenantId: tenant })).items, [])
  const good = await tenantry(['import', '-', '--dry-run', '--json'], lines({ email: 'a@example.com' }))
  assert.deepEqual([good.exitCode, JSON.parse(good.output)], [0, { read: 1, imported: 1, failed: 0 }])
  assert.deepEqual((await service.admin.listUsers({ tenantId: tenant })).items, [])
})

test('says what the file must be if no line is a JSON object', async () => {
  const advice =
    'The file must be NDJSON in UTF-8: each line is one user as a JSON object, such as {"email": "ada@example.com"}.'
  for (const input of [
    'email,name\nada@example.com,Ada\n',
    '[{"email": "ada@example.com"}]',
    '{\n"email": "a@b.de"\n}',
  ]) {
    const { exitCode, errors } = await tenantry(['import', '-'], input)
    assert.equal(exitCode, 1)
    assert.ok(errors.endsWith(`failed: see above.\n${advice}\n`), errors)
  }
  assert.deepEqual((await service.admin.listUsers({ tenantId: tenant })).items, [])
})

test('writes failed rows to a private file', async () => {
  await writeFile(inFolder('errors.ndjson'), 'previous content, longer than the new content '.repeat(9), {
    mode: 0o644,
  })
  const input = lines({ email: 'a@example.com' }, { email: 'b@example.com', passwordHash: `${hash}x` })
  const { exitCode, errors } = await tenantry(['import', '-', '--errors', 'errors.ndjson'], input)
  assert.deepEqual([exitCode, errors], [1, '1 row(s) failed: see errors.ndjson.\n'])
  const { validation, ...error } = JSON.parse(await readFile(inFolder('errors.ndjson'), 'utf8'))
  assert.deepEqual([error.line, error.code, Object.keys(validation)], [2, 'VALIDATION_ERROR', ['passwordHash']])
  assert.equal(await modeOf('errors.ndjson'), 0o600)
})

test('refuses to write failed rows to the file that it imports', async () => {
  const text = lines({ email: 'a@example.com' })
  await writeFile(inFolder('input.ndjson'), text)
  await symlink('input.ndjson', inFolder('link.ndjson'))
  for (const errorFile of ['input.ndjson', './input.ndjson', 'link.ndjson']) {
    const { exitCode, errors } = await tenantry(['import', 'input.ndjson', '--errors', errorFile])
    assert.equal(exitCode, 1)
    assert.match(errors, /is the same file as input\.ndjson, and would be overwritten\. Choose another file\.\n$/)
  }
  assert.equal(await readFile(inFolder('input.ndjson'), 'utf8'), text)
  assert.deepEqual((await service.admin.listUsers({ tenantId: tenant })).items, [])
})

test('imports nothing if a file cannot be read or written, or the tenant is unknown', async () => {
  const missing = await tenantry(['import', 'missing.ndjson'])
  assert.deepEqual(missing, { exitCode: 1, output: '', errors: 'File missing.ndjson not found.\n' })
  const reason = 'its folder does not exist; create it, or choose another path'
  const refused = { exitCode: 1, output: '', errors: `Failed to write no/such/folder: ${reason}\n` }
  const input = lines({ email: 'a@example.com' })
  assert.deepEqual(await tenantry(['import', '-', '--errors', 'no/such/folder'], input), refused)
  assert.deepEqual(await tenantry(['export', '--output', 'no/such/folder']), refused)
  assert.deepEqual((await service.admin.listUsers({ tenantId: tenant })).items, [])
  await service.admin.deleteTenant({ tenantId: tenant })
  for (const words of [['import', '-'], ['export'], ['export', '--output', 'none.ndjson']]) {
    const { exitCode, output, errors } = await tenantry(words, lines({ email: 'a@example.com' }))
    assert.deepEqual([exitCode, output], [1, ''])
    assert.match(errors, /"tenantry tenant list" to see the ids of all tenants\.\n\(TENANT_NOT_FOUND, 404\)\n$/)
  }
  assert.ok(!(await readdir(folder)).some((name) => name.startsWith('none')))
})

test('does not speak of stored rows if the key may not import users', async () => {
  const { key } = await service.admin.createOperator({ name: 'Kim', role: 'viewer' })
  const env = { TENANTRY_URL: service.baseUrl, TENANTRY_OPERATOR_KEY: key }
  const { exitCode, errors } = await type(['user', 'import', '-', '--tenant', tenant], {
    env,
    folder,
    input: lines({ email: 'a@example.com' }),
  })
  assert.equal(exitCode, 1)
  assert.match(errors, /\nThe key came from TENANTRY_OPERATOR_KEY\.\n\(INSUFFICIENT_SCOPE, 403\)\n$/)
})

test('imports an export with password hashes', async () => {
  const first = await service.addTenant()
  const person = await addPerson(service, first)
  ;({ tenantId: tenant } = first)
  await writeFile(inFolder('all.ndjson'), 'previous content', { mode: 0o644 })
  const words = ['export', '--password-hashes', '--output', 'all.ndjson']
  const written = await tenantry(words)
  assert.deepEqual(written, { exitCode: 0, output: 'Exported 1 user(s) to all.ndjson\n', errors: '' })
  assert.equal(await modeOf('all.ndjson'), 0o600)
  assert.deepEqual(JSON.parse((await tenantry([...words, '--json'])).output), { exported: 1 })

  const second = await service.addTenant()
  ;({ tenantId: tenant } = second)
  assert.equal((await tenantry(['import', 'all.ndjson'])).exitCode, 0)
  const { email, password } = person
  await second.client.signIn({ method: 'password', email, password })
  const { output, errors } = await tenantry(['export'])
  assert.equal(errors, 'Exported 1 user(s).\n')
  const { passwordHash, ...rest } = JSON.parse(await readFile(inFolder('all.ndjson'), 'utf8'))
  assert.match(passwordHash, /^\$argon2id\$/)
  assert.deepEqual(JSON.parse(output), { ...rest, lastActiveAt: '2026-01-15T12:00:00.000Z' })
})

test('exports sensitive values only with --sensitive', async () => {
  const components = [{ name: 'card', type: 'text' as const, sensitive: true }]
  await service.admin.publishProfileSchema({ tenantId: tenant }, { components })
  await tenantry(['import', '-'], lines({ email: 'a@example.com', profile: { card: '4242' } }))
  const exported = async (...words: string[]) => JSON.parse((await tenantry(['export', ...words])).output).profile
  assert.deepEqual(await exported(), { card: null })
  assert.deepEqual(await exported('--sensitive'), { card: '4242' })
})

/** A server whose responses end in the given way. */
async function endingWith(answer: (response: ServerResponse) => void, ask: (url: string) => Promise<void>) {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    answer(response)
  })
  const port = await listenOnLoopback(server)
  try {
    await ask(`http://127.0.0.1:${port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const cuts: Record<string, (response: ServerResponse, line: object) => void> = {
  ends: (response, line) => void response.end(lines(line)),
  'breaks off': (response, line) => void response.write(lines(line), () => setTimeout(() => response.destroy(), 20)),
}

for (const [how, cut] of Object.entries(cuts)) {
  test(`keeps the previous file if an export ${how} without its last line`, async () => {
    await writeFile(inFolder('kept.ndjson'), 'previous content')
    await endingWith(
      (response) => cut(response, { id: 'u' }),
      async (url) => {
        const { exitCode, output, errors } = await tenantry(['export', '--output', 'kept.ndjson'], '', url)
        assert.deepEqual([exitCode, output], [1, ''])
        assert.match(errors, /^The export is incomplete: .* after 1 user\(s\)\.|ended early/)
        assert.equal((await tenantry(['export'], '', url)).exitCode, 1)
      },
    )
    assert.equal(await readFile(inFolder('kept.ndjson'), 'utf8'), 'previous content')
    assert.ok(!(await readdir(folder)).some((name) => name.endsWith('.part')))
  })

  test(`explains how to continue if the response to an import ${how} without its last line`, async () => {
    await endingWith(
      (response) => cut(response, { progress: { read: 1000, imported: 1000, failed: 0 } }),
      async (url) => {
        const { exitCode, output, errors } = await tenantry(['import', '-'], lines({ email: 'a@example.com' }), url)
        assert.deepEqual([exitCode, output], [1, ''])
        assert.match(errors, /^The response .*[\s\S]*\nRows up to this point may have been stored\. /)
      },
    )
  })
}

test('rejects an export whose last line has a different count', async () => {
  await endingWith(
    (response) => response.end(lines({ id: 'u' }, { done: { exported: 2 } })),
    async (url) =>
      assert.match((await tenantry(['export'], '', url)).errors, /^The export is incomplete: .* after 1 user/),
  )
})
