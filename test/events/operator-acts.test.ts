import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { canonicalJson } from '../../server/core/canonical-json.ts'
import { newestEvent, type Recorded, recordedAfter } from '../support/recorded-events.ts'
import { type ActsWorld, openActsWorld } from './acts-world.testkit.ts'
import { serviceActs } from './service-acts.testkit.ts'
import { tenantActs } from './tenant-acts.testkit.ts'
import { userActs } from './user-acts.testkit.ts'

let world: ActsWorld
before(async () => {
  world = await openActsWorld()
})
after(() => world.service.close())

const operatorActs = { ...tenantActs, ...userActs, ...serviceActs }

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
