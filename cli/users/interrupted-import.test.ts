import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { startTestService } from '../../test/support/service.ts'
import { until } from '../../test/support/until.ts'

test('an interrupted import says that rows may be stored, and that the same file can be imported again', async (t) => {
  await using service = await startTestService()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const { tenantId } = await service.addTenant()
    const words = ['user', 'import', '-', '--tenant', tenantId, '--url', service.baseUrl]
    const child = spawn(process.execPath, [join(import.meta.dirname, '../tenantry.ts'), ...words], {
      env: { PATH: process.env['PATH'], TENANTRY_ADMIN_KEY: service.adminKey },
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    t.after(() => child.kill('SIGKILL'))
    let errors = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text
    })
    // Standard input does not end, so the import waits for more rows than the first batches.
    child.stdin.write('{"guest": true}\n'.repeat(100))
    await until(async () => (await service.admin.listUsers({ tenantId })).items.length > 0)
    child.kill(signal)
    assert.deepEqual(await once(child, 'close'), [null, signal])
    assert.match(
      errors,
      /^Interrupted\.\nRows up to this point may have been stored\. Import the same file again: .+\n$/,
    )
  }
})
