import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readDeployment } from '../support/deploy/deployment.ts'
import { podsOf, readDeployFile, understand, type Yaml } from '../support/deploy/manifests.ts'

/** The longest shutdown after the drain, in seconds: server/startup/run.ts. */
const closingSeconds = 15
/** `TENANTRY_DRAIN_SECONDS` outside development. */
const drainSeconds = 5

const { secrets, sqlite, postgres, containers, objectOf, close } = await readDeployment()
after(close)
const composed = [sqlite, postgres]
const [pod] = podsOf([objectOf('Deployment')])
const servers = containers.filter(({ name }) => name.startsWith('tenantry'))

test('a stopped server has time to drain and to shut down', async () => {
  assert.match(
    await readFile(join(import.meta.dirname, '../../server/startup/run.ts'), 'utf8'),
    new RegExp(`shutdownTimeoutMs = ${closingSeconds}_000`),
  )
  assert.equal(servers.length, 4)
  for (const container of servers) {
    assert.equal(understand(container, secrets).config.drainSeconds, drainSeconds)
  }
  for (const [name, service] of composed.flatMap(({ services }) => Object.entries<Yaml>(services))) {
    if (!name.startsWith('tenantry')) continue
    assert.ok(Number.parseInt(service.stop_grace_period, 10) > drainSeconds + closingSeconds, name)
  }
  assert.ok(pod.terminationGracePeriodSeconds > drainSeconds + closingSeconds)
})

test('health checks notice a stopping server before its drain ends', async () => {
  const [{ readinessProbe, lifecycle }] = pod.containers
  assert.ok(readinessProbe.periodSeconds * readinessProbe.failureThreshold < drainSeconds)
  assert.equal(lifecycle, undefined, 'the server itself waits')
  const caddyfile = await readDeployFile('Caddyfile')
  const secondsOf = (name: string) => Number(new RegExp(`${name} (\\d+)s`).exec(caddyfile)?.[1])
  assert.ok(secondsOf('health_interval') + secondsOf('health_timeout') < drainSeconds)
})
