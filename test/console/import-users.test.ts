import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { expectAccessible } from '../support/browser/accessible-page.ts'
import { withoutBrowser } from '../support/browser/browser.ts'
import { type ConsoleFixture, startConsole } from '../support/browser/console-page.ts'
import { expectCount, expectTexts, expectValue } from '../support/expect-soon.ts'

const fileOf = (lines: readonly object[]) => ({
  ...{ name: 'users.ndjson', mimeType: 'application/x-ndjson' },
  buffer: Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')),
})

describe('Import of users', { skip: withoutBrowser }, () => {
  let fixture: ConsoleFixture
  before(async () => {
    fixture = await startConsole()
  })
  after(() => fixture?.[Symbol.asyncDispose]())

  test('imports 1,000 lines with 3 bad ones, after a dry look, and names the rows that failed', async (t) => {
    const { tenantId } = await fixture.service.addTenant()
    const lines = Array.from({ length: 1_000 }, (_, index) => ({ email: `user${index}@example.com` }))
    lines[1] = { email: 'not an address' }
    lines[500] = { email: 'user499@example.com' }
    lines[999] = { email: '' }
    const page = await fixture.open(t, `/tenants/${tenantId}/users/import`)
    await page.locator('input[type=file]').setInputFiles(fileOf(lines))
    await page.getByRole('heading', { name: 'The first 20 lines' }).waitFor()
    const look = page.getByRole('table', { name: 'The first lines' }).locator('tbody tr')
    await look.nth(0).getByText('Fits').waitFor()
    await look.nth(1).getByText('email: Invalid email').waitFor()
    await expectAccessible(page)
    assert.equal((await fixture.service.admin.listUsers({ tenantId })).items.length, 0)
    await page.getByRole('button', { name: 'Start the import' }).click()
    await page.getByRole('heading', { name: 'Imported' }).waitFor()
    await page.getByText('997 imported').waitFor()
    const failed = page.getByRole('table', { name: 'Failed rows' }).locator('tbody tr')
    await expectTexts(failed.locator('td:first-child'), ['2', '501', '1000'])
    await failed.nth(1).getByText('EMAIL_ALREADY_REGISTERED').waitFor()
    await expectAccessible(page)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download failures' }).click()
    const text = await readFile(await (await download).path(), 'utf8')
    const kept = text.trim().split('\n')
    assert.deepEqual(
      kept.map((line) => (JSON.parse(line) as { line: number }).line),
      [2, 501, 1_000],
    )
    await page.getByRole('link', { name: 'Show the users' }).click()
    await page.getByRole('table', { name: 'Users' }).locator('tbody tr').nth(49).waitFor()
  })

  test('the dry look refuses what the import refuses: other encodings than UTF-8', async (t) => {
    const { tenantId } = await fixture.service.addTenant()
    const page = await fixture.open(t, `/tenants/${tenantId}/users/import`)
    const look = page.getByRole('table', { name: 'The first lines' }).locator('tbody tr')
    const text = '{"email":"josé@example.com"}'
    for (const buffer of [Buffer.from(text, 'latin1'), Buffer.from(`\ufeff${text}`, 'utf16le')]) {
      await page.locator('input[type=file]').setInputFiles({ ...fileOf([]), buffer })
      await look.first().getByText('Invalid UTF-8').waitFor()
    }
  })

  test('asks before it is left while it runs, and then ends', async (t) => {
    const { tenantId } = await fixture.service.addTenant()
    const page = await fixture.open(t, `/tenants/${tenantId}/users/import`)
    const lines = Array.from({ length: 50_000 }, (_, index) => ({ email: `user${index}@example.com` }))
    await page.locator('input[type=file]').setInputFiles(fileOf(lines))
    await page.getByRole('button', { name: 'Start the import' }).click()
    const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/import'))
    const question = page.getByRole('dialog', { name: 'Stop the import?' })
    await page.getByRole('link', { name: 'Keys', exact: true }).click()
    await question.waitFor()
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor()
    await ended
  })

  test('stays when the import ends while it asks: the rows that failed are shown only there', async (t) => {
    const { tenantId } = await fixture.service.addTenant()
    const page = await fixture.open(t, `/tenants/${tenantId}/users/import`)
    await page.locator('input[type=file]').setInputFiles(fileOf([{ email: 'ada@example.com' }, {}]))
    await page.getByText('Fits').waitFor()
    const asked = Promise.withResolvers<void>()
    await page.route('**/users/import', async (route) => {
      await asked.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Start the import' }).click()
    await page.getByRole('heading', { name: 'Importing' }).waitFor()
    await page.getByRole('link', { name: 'Keys', exact: true }).click()
    const question = page.getByRole('dialog', { name: 'Stop the import?' })
    await question.waitFor()
    asked.resolve()
    await question.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Imported' }).waitFor()
    await expectCount(page.getByRole('table', { name: 'Failed rows' }).locator('tbody tr'), 1)
    await page.getByRole('link', { name: 'Keys', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor()
  })

  test('sends a large file in parts, whose answers a browser reads in time, and counts their lines together', async (t) => {
    const { tenantId } = await fixture.service.addTenant()
    const page = await fixture.open(t, `/tenants/${tenantId}/users/import`)
    const sent: string[] = []
    page.on('request', (request) => request.url().endsWith('/users/import') && sent.push(request.method()))
    const lines = Array.from({ length: 20_000 }, () => ({ email: 'x'.repeat(100) }))
    await page.locator('input[type=file]').setInputFiles(fileOf([...lines, { email: 'ada@example.com' }, {}]))
    await page.getByRole('button', { name: 'Start the import' }).click()
    await page.getByRole('heading', { name: 'Imported' }).waitFor()
    await page.getByText('20,002 read').waitFor()
    await page.getByText('1 imported').waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download failures' }).click()
    const failures = (await readFile(await (await download).path(), 'utf8')).trim().split('\n')
    assert.deepEqual([failures.length, JSON.parse(failures.at(-1)!).line], [20_001, 20_002])
    assert.equal(sent.length, 3)
  })

  test('starts again after the server did not answer', async (t) => {
    const { tenantId } = await fixture.service.addTenant()
    const page = await fixture.open(t, `/tenants/${tenantId}/users/import`, { expected: [/ERR_FAILED/] })
    await page.locator('input[type=file]').setInputFiles(fileOf([{ email: 'ada@example.com' }]))
    await page.getByText('Fits').waitFor()
    await page.route('**/users/import', (route) => route.abort())
    await page.getByRole('button', { name: 'Start the import' }).click()
    await page.getByText('The server did not answer').waitFor()
    await page.getByRole('status').getByText('Stopped').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Start again' }).click()
    await page.getByText('1 imported').waitFor()
    await page.getByRole('status').getByText('Imported', { exact: true }).waitFor()
  })

  test('shows an address whole on a phone', async (t) => {
    const { tenantId } = await fixture.service.addTenant()
    const viewport = { width: 320, height: 700 }
    const page = await fixture.open(t, `/tenants/${tenantId}/users/import`, { viewport })
    const email = 'margarete.von.hohenzollern@subdomain.customers.example.com'
    await page.locator('input[type=file]').setInputFiles(fileOf([{ email }]))
    const shown = page.getByRole('table', { name: 'The first lines' }).getByText(email)
    await shown.waitFor()
    const hidden = await shown.evaluate((text) => [
      ...[text.scrollWidth - text.clientWidth, text.scrollHeight - text.clientHeight],
      document.documentElement.scrollWidth - innerWidth,
    ])
    assert.deepEqual(hidden, [0, 0, 0])
  })

  test('says that a file was edited after it was chosen, and takes it when it is chosen again', async (t) => {
    const { tenantId } = await fixture.service.addTenant()
    const folder = await mkdtemp(join(tmpdir(), 'tenantry-import-'))
    t.after(() => rm(folder, { recursive: true }))
    const file = join(folder, 'users.ndjson')
    await writeFile(file, '{"email": "ada"}\n')
    const path = `/tenants/${tenantId}/users/import`
    const page = await fixture.open(t, path, { expected: [/ERR_UPLOAD_FILE_CHANGED/] })
    async function choose(): Promise<void> {
      const chooser = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Users' }).click()
      // A browser reports no choice of what the input has already.
      await expectValue(page.locator('input[type=file]'), '')
      await (await chooser).setFiles(file)
    }
    await choose()
    await page.getByText('email: Invalid email').waitFor()
    await writeFile(file, '{"email": "ada@example.com"}\n')
    await page.getByRole('button', { name: 'Start the import' }).click()
    await page.getByText('The file was changed or moved after it was chosen. Choose it again.').waitFor()
    await expectCount(page.getByRole('button', { name: 'Start again' }), 0)
    await choose()
    await page.getByText('Fits').waitFor()
    await page.getByRole('button', { name: 'Start the import' }).click()
    await page.getByText('1 imported').waitFor()
  })

  test('the dry look is that of the file that was chosen last, also when the one before is read later', async (t) => {
    const { tenantId } = await fixture.service.addTenant()
    const page = await fixture.open(t, `/tenants/${tenantId}/users/import`)
    await page.evaluate(() => {
      const { arrayBuffer } = Blob.prototype
      const { promise, resolve } = Promise.withResolvers<void>()
      Blob.prototype.arrayBuffer = function () {
        Blob.prototype.arrayBuffer = arrayBuffer
        const bytes = promise.then(() => arrayBuffer.call(this))
        Object.assign(window, { release: resolve, bytes })
        return bytes
      }
    })
    await page.locator('input[type=file]').setInputFiles(fileOf([{ email: 'kim@example.com' }]))
    await page.locator('input[type=file]').setInputFiles(fileOf([{ email: 'bob@example.com' }]))
    await page.getByText('Fits').waitFor()
    await page.evaluate(async () => {
      const { release, bytes } = window as unknown as { release: () => void; bytes: Promise<unknown> }
      release()
      await bytes
      await new Promise((resolve) => setTimeout(resolve))
      await new Promise(requestAnimationFrame)
    })
    await page.getByText('bob@example.com').waitFor()
    await expectCount(page.getByText('kim@example.com'), 0)
  })

  test('says when a file has no lines, and accepts another one', async (t) => {
    const { tenantId } = await fixture.service.addTenant()
    const page = await fixture.open(t, `/tenants/${tenantId}/users/import`)
    await page.locator('input[type=file]').setInputFiles(fileOf([]))
    await page.getByText('The file has no lines.').waitFor()
    await page.locator('input[type=file]').setInputFiles(fileOf([{ email: 'ada@example.com' }]))
    await page.getByText('Fits').waitFor()
  })
})
