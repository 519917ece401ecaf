import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { applyEnvFile, readEnvFile } from './env-file.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenantry-env-'))
})
after(() => rm(folder, { recursive: true }))

async function read(text: string | Buffer) {
  await writeFile(join(folder, '.env'), text)
  return { ...readEnvFile(folder)?.values }
}

test('without the file, changes nothing', () => {
  const env = { PORT: '1' }
  assert.equal(applyEnvFile(env, join(folder, 'absent')), null)
  assert.deepEqual(env, { PORT: '1' })
})

test('reads names, quotes, comments, several lines and the line ends of Windows', async () => {
  assert.deepEqual(await read('\uFEFF# a\r\n\r\nPORT=4100\r\n export HOST = "::1" # b\r\n'), {
    PORT: '4100',
    HOST: '::1',
  })
  assert.deepEqual(await read(`A='x # y'\nB="one\ntwo"\nC=\nD=\`"'\`\nE=a b # c#d\n  # F=1\nG=#`), {
    ...{ A: 'x # y', B: 'one\ntwo', C: '', D: `"'`, E: 'a b', G: '' },
  })
  assert.deepEqual(await read('export\tA=1 \nexport  B="a\\nb\r\nc"\r\nB2=é \u2028 # \u2028\n# \u2028'), {
    ...{ A: '1', B: 'a\nb\nc', B2: 'é' },
  })
  assert.deepEqual(await read(''), {})
})

test('takes no line for a part of another one', async () => {
  // As `parseEnv` of Node does.
  assert.deepEqual(await read('A= \nB=1\nC=\t # c\n\nD=2\nE='), { A: '', B: '1', C: '', D: '2', E: '' })
  assert.deepEqual(await read('A="1"\n  # B="x\nC=2\nD="3"\n'), { A: '1', C: '2', D: '3' })
  assert.deepEqual(await read('export A=\nexport B='), { A: '', B: '' })
})

test('a variable that is set wins, also when it is empty', async () => {
  await read('PORT=4100\nHOST=::1\nLOG_LEVEL=info')
  const env: NodeJS.ProcessEnv = { PORT: '4200', HOST: '' }
  applyEnvFile(env, folder)
  assert.deepEqual(env, { PORT: '4200', HOST: '', LOG_LEVEL: 'info' })
})

test('refuses lines that would be skipped or cut off, by number and without their content', async () => {
  const notAssigned = /^\.env: line 2 is not NAME=value; correct it, close its quotes, or put # in front of it$/
  for (const line of ['PORT 4100', 'PORT', '=hidden', 'A-B=hidden', '1A=x', 'A="hidden', "A='hidden", 'A="x"hidden'])
    await assert.rejects(read(`HOST=::1\n${line}\nLOG_LEVEL=info`), { message: notAssigned }, line)
  await assert.rejects(read('SMTP_URL=smtp://me:pass#word@host'), {
    message: '.env: line 1 has a value with #, which begins a comment; put the value in quotes',
  })
  assert.deepEqual(await read('SMTP_URL="smtp://me:pass#word@host"'), { SMTP_URL: 'smtp://me:pass#word@host' })
  const utf16 = Buffer.from('\uFEFFPORT=4100\n', 'utf16le')
  await assert.rejects(read(utf16), { message: '.env: not UTF-8 text; save the file as UTF-8' })
})

test('refuses a file that cannot be read', async () => {
  // A folder in place of the file: permissions do not stop root.
  const other = join(folder, 'other')
  await mkdir(join(other, '.env'), { recursive: true })
  assert.throws(() => readEnvFile(other), {
    message: '.env: failed to read the file (EISDIR); check it, or remove it',
  })
})

test('knows whether others can read the file', async () => {
  await read('PORT=1')
  for (const [mode, isPublic] of [
    [0o644, true],
    [0o640, false],
    [0o600, false],
  ] as const) {
    await chmod(join(folder, '.env'), mode)
    assert.equal(readEnvFile(folder)?.isPublic, isPublic)
  }
})

test('takes off the carriage return of a value that a shell took from a file with CRLF line ends', () => {
  const env: NodeJS.ProcessEnv = { PORT: '4010\r', HOST: '\r', PGPASSWORD: 'a\rb' }
  applyEnvFile(env, join(folder, 'absent'))
  assert.deepEqual(env, { PORT: '4010', HOST: '', PGPASSWORD: 'a\rb' })
})
