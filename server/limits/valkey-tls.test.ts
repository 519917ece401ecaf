import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { noValkey, startValkey, type ValkeyServer } from '../../test/support/databases/valkey-server.ts'
import { createAuthority } from '../../test/support/peers/certificate.ts'
import { recordedLog } from '../../test/support/recorded-log.ts'
import { until } from '../../test/support/until.ts'
import { startSpoilingServer } from './spoiling-server.testkit.ts'
import { createValkeyRateLimiter } from './valkey-rate-limiter.ts'
import { parseValkeyUrl } from './valkey-url.ts'

const password = 'not-to-be-told'
const warnings: Error[] = []
process.on('warning', (warning) => warnings.push(warning))

test('survives invalid bytes after a certificate that it rejects (threat G08)', async () => {
  const { cert, key } = createAuthority('Their authority').issue('localhost')
  await using server = await startSpoilingServer({ cert, key })
  const { logger, log } = recordedLog()
  const address = parseValkeyUrl(`valkeys://localhost:${server.port}`)
  const limiter = await createValkeyRateLimiter(address, { logger })
  await until(() => server.spoiled >= 3)
  await limiter.close()
  assert.match(log.join(), /not from a trusted authority/)
})

describe('Valkey over TLS', { skip: noValkey }, () => {
  const ours = createAuthority('Our authority')
  let folder: string
  let ourFile: string
  let theirFile: string
  /** Its certificate is for the name alone. */
  let named: ValkeyServer
  /** Its certificate is for the address alone. */
  let addressed: ValkeyServer
  before(async () => {
    if (noValkey) return
    folder = await mkdtemp(join(tmpdir(), 'tenantry-valkey-tls-'))
    ourFile = join(folder, 'ours.pem')
    theirFile = join(folder, 'theirs.pem')
    await writeFile(ourFile, ours.cert)
    await writeFile(theirFile, createAuthority('Their authority').cert)
    named = await startValkey({ password, certificate: ours.issue('localhost') })
    addressed = await startValkey({ password, certificate: ours.issue('127.0.0.1') })
  })
  after(async () => {
    await named?.close()
    await addressed?.close()
    await rm(folder, { recursive: true })
  })

  /** Whether a limiter on this URL counts in the server, and what it logged. */
  async function tryOut(server: ValkeyServer, url: string): Promise<{ isShared: boolean; log: string }> {
    const { logger, log } = recordedLog()
    const limiter = await createValkeyRateLimiter(parseValkeyUrl(url), { logger, answerMs: 2_000 })
    await server.client.flushall()
    const { admitted } = await limiter.take('resend', 'a subject', { quota: 2, windowSeconds: 60 }, 0)
    assert.ok(admitted)
    await until(() => limiter.isShared === true || log.length > 0)
    await limiter.close()
    assert.doesNotMatch(log.join(), /not-to-be-told/)
    return { isShared: (await server.client.keys('tenantry:limit:*')).length === 1, log: log.join() }
  }

  const at = (server: ValkeyServer, host: string) => `:${password}@${host}:${server.address.port}`

  test('shares limits over TLS with the right authority and host name', async () => {
    assert.deepEqual(await named.client.config('GET', 'port'), ['port', '0'])
    for (const scheme of ['valkeys', 'rediss']) {
      const url = `${scheme}://${at(named, 'localhost')}/0?cacert=${ourFile}`
      assert.deepEqual(await tryOut(named, url), { isShared: true, log: '' })
    }
  })

  test('verifies an IP address and sends no SNI for it', async () => {
    const url = `valkeys://${at(addressed, '127.0.0.1')}?cacert=${ourFile}`
    assert.deepEqual(await tryOut(addressed, url), { isShared: true, log: '' })
    assert.deepEqual(warnings, [])
  })

  test('rejects an untrusted authority and another host name, and logs what to do', async () => {
    const refused: [ValkeyServer, string, RegExp][] = [
      [named, at(named, 'localhost'), /not from a trusted authority .* set cacert=<file> in the URL/],
      [named, `${at(named, 'localhost')}?cacert=${theirFile}`, /not from a trusted authority/],
      [named, `${at(named, '127.0.0.1')}?cacert=${ourFile}`, /use the host name of the certificate in the URL/],
      [addressed, `${at(addressed, 'localhost')}?cacert=${ourFile}`, /use the host name of the certificate/],
    ]
    for (const [server, rest, message] of refused) {
      const { isShared, log } = await tryOut(server, `valkeys://${rest}`)
      assert.equal(isShared, false)
      assert.match(log, message)
      assert.match(log, /Valkey does not answer/)
    }
  })

  test('sends a client certificate; logs what to do without one or with one of another authority', async () => {
    await using asking = await startValkey({
      certificate: ours.issue('localhost'),
      clientAuthority: createAuthority('Their authority'),
      password,
    })
    await using trusting = await startValkey({ certificate: ours.issue('localhost'), clientAuthority: ours, password })
    const { cert, key } = ours.issue('a client')
    const files = { cert: join(folder, 'client.crt'), key: join(folder, 'client.key') }
    await writeFile(files.cert, cert)
    await writeFile(files.key, key)
    const trusted = (server: ValkeyServer) => `valkeys://${at(server, 'localhost')}?cacert=${ourFile}`
    const shown = `&cert=${files.cert}&key=${files.key}`
    assert.deepEqual(await tryOut(trusting, `${trusted(trusting)}${shown}`), { isShared: true, log: '' })
    const refused: [ValkeyServer, string, RegExp][] = [
      [trusting, trusted(trusting), /client certificates?[;,.].*cert=<file>&key=<file>/],
      [
        asking,
        `${trusted(asking)}${shown}`,
        /rejected the client certificate .*cert=<file>&key|check that the server trusts the certificate in cert=<file>/,
      ],
    ]
    for (const [server, url, message] of refused) {
      const { isShared, log } = await tryOut(server, url)
      assert.equal(isShared, false)
      assert.match(log, message)
    }
    assert.throws(() => parseValkeyUrl(`${trusted(trusting)}&cert=${files.cert}`), /^Error: has cert, but no key; /)
  })

  test('sends nothing in clear to a server without TLS', async () => {
    await using clear = await startValkey({ password })
    const { isShared, log } = await tryOut(clear, `valkeys://${at(clear, 'localhost')}?cacert=${ourFile}`)
    assert.equal(isShared, false)
    assert.match(log, /(?:ETIMEDOUT|no TLS|before secure TLS|not established).*Valkey does not answer/)
  })
})
