import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventTypes } from '../../contract/events.ts'
import { openCanaries } from '../support/attacks/canaries.ts'
import { eventRows } from '../support/events/recorded-events.ts'
import type { TestService } from '../support/service.ts'
import { useEverything } from '../support/use-everything.ts'
import { openActsWorld } from './acts-world.testkit.ts'
import { operatorKeyActs } from './operator-key-acts.testkit.ts'
import { typesOfRareActs } from './rare-acts.testkit.ts'
import { serviceActs } from './service-acts.testkit.ts'
import { tenantActs } from './tenant-acts.testkit.ts'
import { userActs } from './user-acts.testkit.ts'

const typesIn = ({ database }: Pick<TestService, 'database'>) => eventRows(database).map(({ row }) => row['type'])

test('records each type of the catalogue by a real call (threat H05)', async (t) => {
  const recorded = new Set<unknown>()
  const canaries = await openCanaries()
  t.after(() => canaries[Symbol.asyncDispose]())
  await useEverything(canaries)
  for (const type of typesIn(canaries.service)) recorded.add(type)
  const world = await openActsWorld()
  t.after(() => world.service.close())
  for (const acts of [tenantActs, userActs, serviceActs, operatorKeyActs]) {
    for (const act of Object.values(acts).flatMap(Object.values))
      await act(world, () => world.service.clock.advance(1_000))
  }
  for (const type of typesIn(world.service)) recorded.add(type)
  for (const type of await typesOfRareActs(t)) recorded.add(type)
  const advice = 'record each type in an act of test/events/*-acts.testkit.ts, or in use-everything.ts'
  assert.deepEqual([...recorded].sort(), eventTypes.toSorted(), advice)
})
