import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { Ajv } from 'ajv'
import { parse } from 'yaml'
import { readDeployment } from '../support/deploy/deployment.ts'
import {
  composeContainers,
  kubernetesContainers,
  readCompose,
  readDeployFile,
  understand,
} from '../support/deploy/manifests.ts'
import { chartValues, readChartFile, renderChart } from '../support/deploy/render-chart.ts'
import { blocksOf, readPage } from '../support/documentation/page-blocks.ts'
import { send } from '../support/http/wire.ts'
import { startTestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const root = join(import.meta.dirname, '../..')
const page = await readPage('docs/guides/deploying.md')
const blocks = blocksOf(page)
const blockWith = (text: string): string => blocks.find((block) => block.text.includes(text))?.text ?? assert.fail(text)

const { secrets, sqlite, postgres, kubernetes, objectOf, close } = await readDeployment()
after(close)
const compose: Record<string, typeof sqlite> = {
  'deploy/compose.sqlite.yaml': sqlite,
  'deploy/compose.postgres.yaml': postgres,
}

/** The services that the arguments of `docker compose -f …` name. */
function servicesIn([verb = '', ...words]: readonly string[]): string[] {
  const named = words.filter((word, index) => !word.startsWith('-') && words[index - 1] !== '--entrypoint')
  if (['exec', 'run'].includes(verb)) return named.slice(0, 1)
  assert.ok(['build', 'stop', 'up'].includes(verb), verb)
  return named
}

for (const name of ['deploying', 'moving-to-postgresql', 'backup-and-restore']) {
  test(`the Docker commands of docs/guides/${name}.md name files, services, networks and volumes that exist`, async () => {
    const text = await readPage(`docs/guides/${name}.md`)
    const code = [...blocksOf(text).map((block) => block.text), ...(text.match(/`docker [^`]*`/g) ?? [])].join('\n')
    let file = ''
    let count = 0
    for (const { groups } of code.matchAll(
      /(?:docker compose -f\s+(?<named>\S+)|(?<=[(; \n])compose) (?<words>[^;|<>)`\n"]*)/g,
    )) {
      file = groups?.['named'] ?? file
      const words = groups?.['words']?.match(/\S+/g) ?? []
      if (words.length === 0) continue
      for (const service of servicesIn(words)) assert.ok(compose[file]?.services[service], `${file}: ${service}`)
      count++
    }
    assert.ok(count > 2, `${count}`)
    const known = Object.values(compose).flatMap(({ name: project, networks, volumes }) =>
      [...Object.keys(networks), ...Object.keys(volumes)].map((own) => `${project}_${own}`),
    )
    for (const [, place] of code.matchAll(/(?:--network|-v) ([\w-]+)/g)) assert.ok(known.includes(place!), place)
    for (const [, path] of code.matchAll(/\bapp\/(\S+\.ts)/g)) assert.ok(existsSync(join(root, path!)), path)
  })
}

test('the compose files take the variables of deploy/.env that the guide shows, and no others', async () => {
  const env = Object.fromEntries(
    [...blockWith('PUBLIC_URL=').matchAll(/^(\w+)='?(.*?)'?$/gm)].map(([, name, value]) => [name!, value!]),
  )
  for (const path of Object.keys(compose)) {
    const file = path.replace('deploy/', '')
    const taken = [...(await readDeployFile(file)).matchAll(/\$\{(\w+)/g)].map(([, name]) => name!)
    assert.deepEqual(
      [...new Set(taken)].filter((name) => name !== 'TENANTRY_IMAGE').toSorted(),
      Object.keys(env).toSorted(),
    )
    for (const container of composeContainers(await readCompose(file, env))) {
      assert.equal(understand(container, secrets).config.publicUrl, env['PUBLIC_URL'])
    }
  }
})

test('the commands for systemd install what the unit reads, with its secrets for root only', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-install-'))
  t.after(() => rm(folder, { recursive: true }))
  for (const name of ['make-secrets.sh', 'systemd'])
    await cp(join(root, 'deploy', name), join(folder, 'deploy', name), { recursive: true })
  await mkdir(join(folder, 'etc/systemd/system'), { recursive: true })
  const asked = 'useradd() { echo "useradd $*"; }\nsystemctl() { echo "systemctl $*"; }\n'
  const script = asked + (blockWith('useradd') + blockWith('systemctl enable')).replaceAll('/etc/', `${folder}/etc/`)
  const { stdout } = await promisify(execFile)('sh', ['-euc', script], { cwd: folder })
  const unit = readFileSync(join(folder, 'etc/systemd/system/tenantry.service'), 'utf8')
  const settingOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1]
  assert.deepEqual(stdout.trim().split('\n'), [
    `useradd --system --home-dir /var/lib/${settingOf('StateDirectory')} ${settingOf('User')}`,
    'systemctl daemon-reload',
    'systemctl enable --now tenantry',
  ])
  assert.ok(existsSync(join(folder, settingOf('EnvironmentFile')!)))
  for (const [, path] of unit.matchAll(/^LoadCredential=[\w-]+:(.*)$/gm))
    assert.equal((await stat(join(folder, path!))).mode & 0o777, 0o600, path)
  assert.deepEqual((await readdir(join(folder, 'etc/tenantry'))).toSorted(), [
    'admin-key',
    'master-keys',
    'smtp-url',
    'tenantry.env',
  ])
})

test('the command line tool of a systemd deployment is given its server, its database and its keys', async () => {
  const settings = await readDeployFile('systemd/tenantry.env.example')
  const env = Object.fromEntries([...settings.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]))
  const exported = new Map(
    ['cd /opt/tenantry', 'DATABASE_URL=sqlite:/var/lib'].flatMap((text) =>
      [...blockWith(text).matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name!, value!] as const),
    ),
  )
  assert.equal(exported.get('TENANTRY_URL'), `http://${env['HOST']}:${env['ADMIN_PORT']}`)
  assert.equal(exported.get('DATABASE_URL'), env['DATABASE_URL'])
  const unit = await readDeployFile('systemd/tenantry.service')
  for (const name of ['TENANTRY_ADMIN_KEY_FILE', 'TENANTRY_MASTER_KEYS_FILE'])
    assert.ok(unit.includes(`LoadCredential=${env[name]?.split('/').at(-1)}:${exported.get(name)}\n`), name)
})

test('the commands for Kubernetes apply every object, and name what exists', async () => {
  const commands = blockWith('kubectl apply')
  const applied = [...commands.matchAll(/-f (deploy\/kubernetes\/\S+)/g)].map(([, path]) => path!)
  const files = (await readdir(join(root, 'deploy/kubernetes'))).filter((name) => name !== 'secret.example.yaml')
  assert.deepEqual(applied.toSorted(), files.map((name) => `deploy/kubernetes/${name}`).toSorted())
  const { metadata, stringData } = objectOf('Secret')
  assert.ok(commands.includes(`-n ${metadata.namespace} create secret generic ${metadata.name} `))
  const given = [...commands.matchAll(/--from-file=(\S+)/g)].map(([, name]) => name!)
  assert.deepEqual(given.toSorted(), Object.keys(stringData).toSorted())
  for (const [, kind = '', name] of page.matchAll(/ (job|deployment|service)\/(\S+)/g)) {
    const found = kubernetes.find((object) => object.kind.toLowerCase() === kind && object.metadata.name === name)
    assert.ok(found, `${kind}/${name}`)
  }
})

test('the commands for Helm create the namespace of the Secret, and then install the chart in it', () => {
  const [namespace = '', install = ''] = blocks
    .filter(({ heading, language }) => heading === 'With Helm' && language === 'sh')
    .map(({ text }) => text)
  assert.equal(namespace, 'kubectl apply -f deploy/kubernetes/namespace.yaml\n')
  assert.ok(install.includes(`--namespace ${objectOf('Namespace').metadata.name} `))
})

test('the chart accepts the values that the guide shows, and the server their settings', () => {
  const values = parse(blockWith('# values.mine.yaml'))
  const validate = new Ajv().compile(JSON.parse(readChartFile('values.schema.json')))
  assert.ok(validate(chartValues(values)), JSON.stringify(validate.errors))
  const { objects, objectOf: find } = renderChart(values)
  for (const container of kubernetesContainers([...objects, objectOf('Secret')])) {
    assert.equal(understand(container, secrets).config.publicUrl, values.publicUrl)
  }
  assert.equal(find('Ingress').spec.rules[0].host, values.ingress.host)
})

test('a line of the request log has the fields that the guide lists', async () => {
  await using service = await startTestService({ requestLogMode: 'on' })
  const { key } = await service.addTenant()
  service.log.length = 0
  await send(service.baseUrl, { path: '/tenant-configuration', headers: [['x-tenant-key', key]] })
  await until(() => service.log.some((line) => line.includes('"msg":"request"')))
  const names = Object.keys(JSON.parse(service.log.find((line) => line.includes('"msg":"request"'))!))
  assert.deepEqual(names, Object.keys(JSON.parse(blockWith('"msg":"request"'))))
  const [, section = ''] = page.split('## 8. The request log\n')
  const listed = [...section.split('\n## ')[0]!.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell]) =>
    cell!.replaceAll('`', '').split(', '),
  )
  const ofEveryLine = ['level', 'time', 'pid', 'hostname', 'msg']
  assert.deepEqual(listed, [...names.filter((name) => !ofEveryLine.includes(name)), 'cutOff'])
})
