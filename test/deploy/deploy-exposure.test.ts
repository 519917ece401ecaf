import assert from 'node:assert/strict'
import { BlockList } from 'node:net'
import { after, test } from 'node:test'
import { readDeployment } from '../support/deploy/deployment.ts'
import { readStages } from '../support/deploy/image-rehearsal.ts'
import { readDeployFile, understand, type Yaml } from '../support/deploy/manifests.ts'

/** The ports and addresses that the manifests open, and the third-party images they run. */

const { secrets, sqlite, postgres, containers, objectOf, close } = await readDeployment()
after(close)

test('each server has /admin on a port that no proxy, published port or public Service reaches', async () => {
  const servers = containers.filter(({ name }) => !name.startsWith('migrat'))
  assert.equal(servers.length, 4)
  for (const container of servers) {
    const { admin, port } = understand(container, secrets).config
    assert.ok(admin !== null && admin.port !== port, container.name)
    const published = [sqlite, postgres].flatMap(({ services }) =>
      Object.values<Yaml>(services).flatMap(({ ports = [] }) => ports),
    )
    assert.ok(published.every((each: string) => !each.includes(String(admin.port))))
    assert.ok(!(await readDeployFile('Caddyfile')).includes(String(admin.port)))
  }
  const served = objectOf('Service', 'tenantry').spec.ports.map(({ targetPort }: Yaml) => targetPort)
  assert.deepEqual(served, ['http', 'metrics'])
  const admin = objectOf('Service', 'tenantry-admin')
  assert.deepEqual(
    admin.spec.ports.map(({ targetPort }: Yaml) => targetPort),
    ['admin'],
  )
  assert.equal(admin.spec.type, undefined, 'reached inside the cluster only')
})

test('Caddy answers /admin and /console itself and sends HSTS', async () => {
  const caddyfile = await readDeployFile('Caddyfile')
  assert.match(caddyfile, /^\t@operators path \/admin\* \/console\*\n\trespond @operators 404\n/m)
  const [, seconds] = /^\theader Strict-Transport-Security "max-age=(\d+)"$/m.exec(caddyfile) ?? []
  assert.ok(Number(seconds) >= 31_536_000)
})

test('servers and migration can reach the database, DNS and public addresses, and nothing else in the cluster', () => {
  const { config } = understand(containers.at(-1)!, secrets)
  assert.ok(config.database.engine === 'postgres' && config.valkey !== null)
  for (const name of ['tenantry', 'tenantry-migration']) {
    const { policyTypes, egress, podSelector } = objectOf('NetworkPolicy', name).spec
    assert.deepEqual(policyTypes, ['Ingress', 'Egress'])
    assert.equal(podSelector.matchLabels['app.kubernetes.io/name'], name)
    const [dns, database, outside] = egress
    assert.deepEqual(new Set(dns.ports.map(({ port }: Yaml) => port)), new Set([53]))
    assert.deepEqual(
      database.ports.map(({ port }: Yaml) => port),
      name === 'tenantry' ? [5432, config.valkey.port] : [5432],
    )
    if (name !== 'tenantry') assert.equal(outside, undefined)
    const blocked = new BlockList()
    for (const { ipBlock } of outside?.to ?? []) {
      for (const network of ipBlock.except) {
        const [address, prefix] = network.split('/')
        blocked.addSubnet(address, Number(prefix), address.includes(':') ? 'ipv6' : 'ipv4')
      }
    }
    if (outside === undefined) continue
    for (const address of ['10.96.0.1', '172.20.0.1', '192.168.0.1', '169.254.169.254', '100.100.100.200'])
      assert.ok(blocked.check(address), address)
    for (const address of ['fd00::1', 'fe80::1']) assert.ok(blocked.check(address, 'ipv6'), address)
    assert.ok(!blocked.check('93.184.216.34'))
  }
})

test('third-party images are pinned by digest, with their tag', async () => {
  const composed = [sqlite, postgres].flatMap(({ services }) => Object.values<Yaml>(services).map(({ image }) => image))
  const built = (await readStages()).map(({ base }) => base)
  const images = [...composed.filter((image) => image !== 'tenantry'), ...built]
  assert.equal(images.length, 6)
  for (const image of images) assert.match(image, /^[a-z/]+:[\w.-]+@sha256:[0-9a-f]{64}$/)
})
