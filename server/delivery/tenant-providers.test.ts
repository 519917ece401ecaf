import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { manualClock } from '../../test/support/manual-clock.ts'
import { renderedEmail } from '../../test/support/peers/rendered-message.ts'
import { createKeyring } from '../secrets/keyring.ts'
import { generateMasterKeys } from '../secrets/master-keys.ts'
import { readConfiguration } from '../tenants/tenant-configuration.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'
import { createSmtpProvider } from './providers/kinds/smtp.ts'
import { TenantProviders } from './tenant-providers.ts'

const server = { host: 'mail.example.com', port: 587, tls: 'starttls', credentials: null } as const
const settings = { ...server, from: null, allowPrivate: false }

/** A deployment without senders; nothing connects before the first message. */
const openProviders = (createProvider = (name: string) => createSmtpProvider({ ...settings, name })) =>
  new TenantProviders({
    keyring: createKeyring(generateMasterKeys(0)),
    clock: manualClock(0),
    logger: pino({ enabled: false }),
    deploymentProviders: [],
    createProvider: (_settings, name) => createProvider(name),
  })

const snapshotOf = (id: string, delivery: object, revision = 1) =>
  ({ tenant: { id, revision }, configuration: readConfiguration({ delivery }) }) as TenantSnapshot

const email = [{ type: 'smtp', host: 'mail.example.com', port: 587 }]

test('keeps the connections and circuits of a tenant, however many tenants without senders are served', () => {
  const providers = openProviders()
  const own = snapshotOf('own', { email })
  const chain = providers.chainFor('email', own)
  for (let other = 0; other < 600; other++) providers.chainFor('email', snapshotOf(`other ${other}`, {}))
  assert.equal(providers.chainFor('email', own), chain)
})

test('closes the chains of the tenant that was not used for longest, beyond 500 tenants with senders', () => {
  const providers = openProviders()
  const tenants = Array.from({ length: 501 }, (_, index) => snapshotOf(`tenant ${index}`, { email }))
  const chains = tenants.slice(0, 500).map((tenant) => providers.chainFor('email', tenant))
  assert.equal(providers.chainFor('email', tenants[0]!), chains[0])
  providers.chainFor('email', tenants[500]!)
  assert.equal(providers.chainFor('email', tenants[0]!), chains[0])
  assert.notEqual(providers.chainFor('email', tenants[1]!), chains[1])
})

test('replaces the chains of both methods with the configuration', () => {
  const providers = openProviders()
  const both = { email, sms: [{ type: 'http', url: 'https://sms.example.com', secret: `whsec_${'A'.repeat(32)}` }] }
  const before = (['email', 'sms'] as const).map((method) => providers.chainFor(method, snapshotOf('own', both)))
  const changed = snapshotOf('own', both, 2)
  assert.notEqual(providers.chainFor('email', changed), before[0])
  assert.notEqual(providers.chainFor('sms', changed), before[1])
  assert.deepEqual(providers.chainFor('sms', snapshotOf('own', { email }, 3)).providers, [])
})

test('forgets the circuits of senders that were removed', async () => {
  const providers = openProviders(() => assert.fail('these settings can never send'))
  const chain = providers.chainFor('email', snapshotOf('own', { email }))
  for (let message = 0; message < 5; message++) await assert.rejects(chain.send(renderedEmail()))
  assert.equal(providers.openCircuits('email'), 1)
  assert.equal(providers.has('email', snapshotOf('own', {}, 2)), false)
  assert.equal(providers.openCircuits('email'), 0)
})
