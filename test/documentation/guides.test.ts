import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { generateMasterKeys } from '../../server/secrets/master-keys.ts'
import { startMailServer } from '../support/delivery/sending.ts'
import { readPage } from '../support/documentation/page-blocks.ts'
import { startPageServer } from '../support/documentation/page-server.ts'
import { runPageInOneShell } from '../support/documentation/page-shell.ts'
import { freePort } from '../support/free-port.ts'
import { until } from '../support/until.ts'

for (const name of ['cors', 'profile-schema', 'quickstart-any-language']) {
  const path = `docs/guides/${name}.md`
  test(`the commands of ${path} print what it shows`, async () => {
    await using server = await startPageServer()
    await server.runPage(await readPage(path))
  })
}

test('the commands of docs/guides/hardening.md print what it shows', async () => {
  await using server = await startPageServer({ TENANTRY_ADMIN_KEY: 'admin-key-of-the-guide-to-hardening' })
  await server.runPage(await readPage('docs/guides/hardening.md'))
})

for (const name of ['guests', 'sign-in-with-a-code']) {
  const path = `docs/guides/${name}.md`
  test(`the commands of ${path} print what it shows`, async () => {
    await using server = await startPageServer()
    await runPageInOneShell(server, await readPage(path))
  })
}

test('the commands of docs/guides/going-to-production.md print what it shows', async () => {
  const mail = await startMailServer()
  const [port, adminPort, metricsPort] = [await freePort(), await freePort(), await freePort()]
  const settings = {
    PORT: String(port),
    HOST: '127.0.0.1',
    TENANTRY_ENVIRONMENT: 'production',
    TENANTRY_DRAIN_SECONDS: '0',
    TENANTRY_PUBLIC_URL: 'https://accounts.example.com',
    TENANTRY_ADMIN_KEY: 'production-admin-key-of-at-least-32-characters',
    TENANTRY_MASTER_KEYS: generateMasterKeys(0),
    TENANTRY_TRUSTED_PROXIES: '127.0.0.1',
    ADMIN_PORT: String(adminPort),
    METRICS_PORT: String(metricsPort),
    SMTP_URL: `smtp://127.0.0.1:${mail.port}?tls=off`,
    MAIL_FROM: 'Example Accounts <accounts@example.com>',
  }
  await using server = await startPageServer(settings, (_, folder) => ({
    'https://accounts.example.com': `http://127.0.0.1:${port}`,
    'http://127.0.0.1:9464': `http://127.0.0.1:${metricsPort}`,
    '/backups/': `${folder}/backups/`,
    '/tmp/trial/': `${folder}/tmp/trial/`,
  }))
  await until(() => server.server.output().includes('metrics listening'))
  await mkdir(join(server.folder, 'backups'))
  const tenant = JSON.parse(await server.run('tenantry tenant create --name "My app" --json'))
  const { key } = JSON.parse(await server.run(`tenantry key create --tenant ${tenant.id} --name web --json`))
  const security = { allowedOrigins: ['https://app.example.com'], passwordBlocklist: true }
  await server.run(
    `echo '${JSON.stringify({ security })}' | npm run -s tenantry -- configuration patch --tenant ${tenant.id} -`,
  )
  Object.assign(server.known, { tenant: tenant.id, key })
  assert.ok((await server.runLists(await readPage('docs/guides/going-to-production.md'))) > 20)
})
