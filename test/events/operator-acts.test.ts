import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Operation } from '../../contract/operation.ts'
import { operations, streams } from '../../contract/operations.ts'
import { canonicalJson } from '../../server/core/canonical-json.ts'
import { newestEvent, type Recorded, recordedAfter } from '../support/events/recorded-events.ts'
import { type ActsWorld, openActsWorld } from './acts-world.testkit.ts'
import { operatorKeyActs } from './operator-key-acts.testkit.ts'
import { serviceActs } from './service-acts.testkit.ts'
import { tenantActs } from './tenant-acts.testkit.ts'
import { userActs } from './user-acts.testkit.ts'

let world: ActsWorld
before(async () => {
  world = await openActsWorld()
})
after(() => world.service.close())

const operatorActs = { ...tenantActs, ...userActs, ...serviceActs, ...operatorKeyActs }

/** Operations of an operator that change nothing that the log tells, though their method says so. */
const withoutEvents: Readonly<Record<string, string>> = {
  checkProfileSchema: 'only judges a schema',
  previewMessage: 'only renders a message',
  verifyEvents: 'only reads the log',
  verifyDeploymentEvents: 'only reads the log',
}

test('each operation of an operator that changes something has a line in these tables', () => {
  const changing = Object.entries<Operation>({ ...operations, ...streams })
    .filter(([, { auth, method, scope }]) => auth === 'admin' && (method !== 'GET' || recordedReads.has(scope)))
    .map(([name]) => name)
  const known = [...Object.keys(operatorActs), ...Object.keys(withoutEvents)]
  const advice = 'add acts to test/events/*-acts.testkit.ts that say what is recorded, or to withoutEvents'
  assert.deepEqual(known.toSorted(), changing.toSorted(), advice)
})

/** Scopes whose reading operations are recorded. */
const recordedReads = new Set<Operation['scope']>(['users:export', 'codes:read'])

const byType = (a: Recorded, b: Recorded): number => (keyOf(a) < keyOf(b) ? -1 : 1)
const keyOf = ({ type, details, changes }: Recorded) => canonicalJson([type, details ?? null, changes ?? null])

for (const [name, acts] of Object.entries(operatorActs)) {
  for (const [title, act] of Object.entries(acts)) {
    test(`${name}: ${title}`, async () => {
      const { service } = world
      let newest = ''
      const begin = () => {
        newest = newestEvent(service.database)
        // Ids of one millisecond are in no order.
        service.clock.advance(1_000)
      }
      const expected = await act(world, begin)
      const byRoot = expected.map((event) => ({ outcome: 'done', actor: 'operator root', ...event }))
      assert.deepEqual(recordedAfter(service.database, newest).toSorted(byType), byRoot.toSorted(byType))
    })
  }
}
