import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { BlockList } from 'node:net'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { getLiveness, getMetrics, getReadiness } from '../../contract/system.ts'
import { defaultHashMemoryMiB } from '../../server/passwords/hash-memory.ts'
import { readConfig } from '../../server/settings/read-config.ts'
import { readDeployment } from '../support/deploy/deployment.ts'
import {
  composeContainers,
  podsOf,
  readCompose,
  readDeployFile,
  understand,
  type Yaml,
} from '../support/deploy/manifests.ts'

const root = join(import.meta.dirname, '../..')

const { secrets, sqlite, postgres, kubernetes, containers, objectOf, close } = await readDeployment()
after(close)

const server = () => podsOf([objectOf('Deployment')])[0]

test('the server accepts the settings of every manifest and knows each of them', () => {
  assert.deepEqual(
    containers.map(({ name }) => name),
    ['tenantry', 'tenantry-1', 'tenantry-2', 'migrate', 'migration', 'tenantry'],
  )
  for (const container of containers) {
    const { config, looked } = understand(container, secrets)
    const unknown = Object.keys(container.env).filter((name) => !looked.has(name))
    assert.deepEqual(unknown, [], container.name)
    assert.equal(config.environment, 'production')
    assert.equal(config.publicUrl, 'https://accounts.example.com')
  }
})

test('every server has the ports that the checklist for production uses', async () => {
  const page = await readFile(join(root, 'docs/guides/going-to-production.md'), 'utf8')
  const used = [...new Set(page.match(/(?<=127\.0\.0\.1:)\d+(?=[\s/])/g))].map(Number)
  for (const container of containers.filter(({ name }) => !name.startsWith('migrat'))) {
    const { admin, metricsPort } = understand(container, secrets).config
    assert.deepEqual(used, [admin?.port, metricsPort], container.name)
  }
})

test('the check finds a misspelled name, an invalid value and a secret that is not mounted', () => {
  const [container] = containers
  const changed = (env: Record<string, string>) =>
    understand({ ...container!, env: { ...container!.env, ...env } }, secrets)
  assert.throws(() => changed({ TENANTRY_TRUSTED_PROXY: '10.0.0.1' }), /TENANTRY_TRUSTED_PROXY: unknown setting/)
  assert.throws(() => changed({ PORT: '4000/tcp' }), /PORT: /)
  assert.throws(() => changed({ VALKEY_URL_FILE: '/run/secrets/valkey-url' }), /where no secret is mounted/)
  const { looked } = changed({ METRIC_PORT: '9464' })
  assert.ok(!looked.has('METRIC_PORT') && looked.has('METRICS_PORT'))
})

test('secrets come from files only, and generated ones are complete', async () => {
  const secret = [...understand(containers[0]!, secrets).looked].filter((name) => name.endsWith('_FILE'))
  assert.ok(secret.length >= 6)
  for (const { name, env } of containers) {
    for (const file of secret) assert.equal(env[file.replace(/_FILE$/, '')], undefined, `${name}: ${file}`)
  }
  for (const { secrets: declared, services } of [sqlite, postgres]) {
    for (const [name, { file }] of Object.entries<Yaml>(declared)) assert.equal(file, `secrets/${name}`)
    for (const { secrets: used = [] } of Object.values<Yaml>(services)) {
      for (const name of used) assert.ok((await stat(join(secrets, name))).isFile() && name in declared)
    }
  }
  assert.equal((await stat(secrets)).mode & 0o777, 0o700)
  const text = (name: string) => readFile(join(secrets, name), 'utf8')
  assert.match(
    await text('valkey-configuration'),
    new RegExp(`^requirepass ${(await text('valkey-password')).trim()}$`, 'm'),
  )
  for (const value of Object.values(objectOf('Secret').stringData))
    assert.match(String(value), /<.+>/, 'a form, not a secret')
})

test('with several servers a migration runs before them and they do not migrate', async () => {
  for (const container of containers.slice(1)) {
    const { database, valkey } = understand(container, secrets).config
    assert.ok(database.engine === 'postgres' && !database.migrate && database.rowLevelSecurity)
    assert.ok(database.passwordFile?.endsWith('/postgres-password'))
    assert.equal(valkey?.host, 'valkey')
  }
  const { migrate, 'tenantry-1': first, 'tenantry-2': second } = postgres.services
  for (const { depends_on } of [first, second])
    assert.equal(depends_on.migrate.condition, 'service_completed_successfully')
  assert.deepEqual(migrate.depends_on, { postgres: { condition: 'service_healthy' } })
  const [container] = podsOf([objectOf('Job')])[0].containers
  assert.deepEqual(container.args, migrate.command)
  const home = dirname(secrets)
  await writeFile(join(home, 'database-url'), `sqlite:${join(home, 'tenantry.db')}\n`)
  const [script, ...args] = migrate.command
  const env = { DATABASE_URL_FILE: join(home, 'database-url') }
  const run = await promisify(execFile)(process.execPath, [join(root, script.replace(/^app\//, '')), ...args], { env })
  assert.match(run.stdout, /from an empty database/)
})

test('servers trust the forwarded addresses of the proxy only, and it forwards to their port', async () => {
  const { proxy } = postgres.services
  const { ipv4_address: address } = proxy.networks.front
  const isIn = (subnet: string) => {
    const [network = '', prefix] = subnet.split('/')
    const networks = new BlockList()
    networks.addSubnet(network, Number(prefix))
    return networks.check(address)
  }
  const [front] = postgres.networks.front.ipam.config
  assert.ok(isIn(front.subnet))
  // Docker gives the servers, which start first, any free address of the range, or of the network if there is none.
  assert.ok(!isIn(front.ip_range ?? front.subnet), `${address} is not reserved for the proxy`)
  assert.equal(postgres.services['tenantry-1'].environment.TENANTRY_TRUSTED_PROXIES, address)
  assert.equal(
    sqlite.services.tenantry.environment.TENANTRY_TRUSTED_PROXIES,
    sqlite.networks.front.ipam.config[0].gateway,
  )
  const caddyfile = await readDeployFile('Caddyfile')
  const { port } = readConfig({})
  const upstreams = composeContainers(postgres).filter(({ name }) => name !== 'migrate')
  const to = upstreams.map(({ name }) => `${name}:${port}`).join(' ')
  assert.match(caddyfile, new RegExp(`reverse_proxy ${to} \\{`))
  assert.match(caddyfile, new RegExp(`health_uri ${getReadiness.path}\n`))
  const keptMs = Number(
    /keepAliveTimeout: (\d+)_000/.exec(await readFile(join(root, 'server/http/server.ts'), 'utf8'))?.[1],
  )
  assert.ok(Number(/keepalive (\d+)s/.exec(caddyfile)?.[1]) < keptMs)
  assert.deepEqual(sqlite.services.tenantry.ports, [`127.0.0.1:${port}:${port}`])
})

test('probes, ports and names of the Kubernetes objects agree with each other and with the server', async () => {
  const [container] = server().containers
  const ports = Object.fromEntries(container.ports.map(({ name, containerPort }: Yaml) => [name, containerPort]))
  const { config } = understand(containers.at(-1)!, secrets)
  assert.deepEqual(ports, { http: config.port, admin: config.admin?.port, metrics: config.metricsPort })
  assert.equal(container.startupProbe.httpGet.path, getLiveness.path)
  assert.equal(container.livenessProbe.httpGet.path, getLiveness.path)
  assert.equal(container.readinessProbe.httpGet.path, getReadiness.path)
  for (const { spec } of kubernetes.filter(({ kind }) => kind === 'Service')) {
    for (const { targetPort } of spec.ports) assert.ok(targetPort in ports)
  }
  const [endpoint] = objectOf('ServiceMonitor').spec.endpoints
  assert.deepEqual(endpoint, { port: 'metrics', path: getMetrics.path })
  const { jobLabel } = objectOf('ServiceMonitor').spec
  const alerts = await readFile(join(root, 'deploy/prometheus/alerts.yaml'), 'utf8')
  assert.ok(alerts.includes(`job="${objectOf('Service', 'tenantry').metadata.labels[jobLabel]}"`))
  const policy = objectOf('NetworkPolicy', 'tenantry').spec
  assert.deepEqual(policy.ingress.map(({ ports: [{ port }] }: Yaml) => port).sort(), Object.keys(ports).sort())
  const labels = { 'app.kubernetes.io/name': 'tenantry' }
  const { spec } = objectOf('Deployment')
  assert.deepEqual([spec.selector.matchLabels, spec.template.metadata.labels], [labels, labels])
  for (const name of ['tenantry', 'tenantry-admin']) {
    assert.deepEqual(objectOf('Service', name).spec.selector, labels)
  }
  assert.deepEqual(policy.podSelector.matchLabels, labels)
  assert.deepEqual(
    objectOf('Service', 'tenantry').metadata.labels,
    objectOf('ServiceMonitor').spec.selector.matchLabels,
  )
  assert.deepEqual(objectOf('PodDisruptionBudget').spec.selector.matchLabels, labels)
  assert.equal(objectOf('HorizontalPodAutoscaler').spec.scaleTargetRef.name, objectOf('Deployment').metadata.name)
  for (const { kind, metadata } of kubernetes) assert.equal(metadata.namespace ?? metadata.name, 'tenantry', kind)
})

test('pods do not get the environment variables of the Service called tenantry, which are no known settings', () => {
  assert.throws(() => readConfig({ TENANTRY_SERVICE_HOST: '10.0.0.1' }), /TENANTRY_SERVICE_HOST: unknown setting/)
  for (const pod of podsOf(kubernetes)) assert.equal(pod.enableServiceLinks, false)
})

test('a server has memory for its concurrent password hashes and 200 MiB more', () => {
  const mebibytes = (quantity: string) => {
    const [, count, unit = ''] = /^(\d+)(Mi|Gi|m|g)$/.exec(quantity)!
    return Number(count) * (/^g/i.test(unit) ? 1024 : 1)
  }
  const limits = [
    server()!.containers[0]!.resources.limits.memory,
    ...[sqlite, postgres].flatMap(({ services }) =>
      Object.entries<Yaml>(services)
        .filter(([name]) => name.startsWith('tenantry'))
        .map(([, service]) => service.deploy.resources.limits.memory),
    ),
  ]
  assert.equal(limits.length, 4)
  for (const limit of limits) {
    const room = mebibytes(limit) - defaultHashMemoryMiB(mebibytes(limit) * 2 ** 20)
    assert.ok(room >= 200, `${limit} leaves ${room} MiB`)
  }
  for (const { env, name } of containers) assert.equal(env['TENANTRY_HASH_MEMORY'], undefined, name)
})

test('no container runs as root, writes to its image or holds a capability', async () => {
  const version = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')).version
  for (const { securityContext, containers: all } of podsOf(kubernetes)) {
    assert.deepEqual([securityContext.runAsNonRoot, securityContext.seccompProfile.type], [true, 'RuntimeDefault'])
    for (const container of all) {
      assert.deepEqual(container.securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      assert.ok(container.image.endsWith(`/tenantry:${version}`))
      assert.ok(container.resources.limits.memory)
    }
  }
  for (const { services } of [sqlite, postgres]) {
    for (const service of Object.values<Yaml>(services)) {
      assert.ok(service.deploy.resources.limits.memory)
      if (service.image !== 'tenantry') continue
      assert.deepEqual([service.read_only, service.cap_drop], [true, ['ALL']])
      assert.deepEqual(service.security_opt, ['no-new-privileges:true'])
    }
  }
})

test('Compose fails without a public address', async () => {
  await assert.rejects(readCompose('compose.postgres.yaml', {}), /PUBLIC_URL: the public URL/)
})
