import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EventKind, type EventType, eventKinds, eventTypes } from '../../contract/events.ts'
import { openCanaries } from '../support/attacks/canaries.ts'
import { eventRows } from '../support/events/recorded-events.ts'
import { useEverything } from '../support/use-everything.ts'
import { openActsWorld } from './acts-world.testkit.ts'
import { operatorKeyActs } from './operator-key-acts.testkit.ts'
import { recordedByRareActs } from './rare-acts.testkit.ts'
import { serviceActs } from './service-acts.testkit.ts'
import { tenantActs } from './tenant-acts.testkit.ts'
import { userActs } from './user-acts.testkit.ts'

/** Members of the details and changes of an event that the catalogue does not declare for its type. */
function undeclaredIn({ row, public: shown }: ReturnType<typeof eventRows>[number]): string[] {
  const type = String(row['type'])
  const { details = [], changes = [] }: EventKind = eventKinds[type as EventType]
  const changed: string[] = typeof changes === 'string' ? [] : (shown.changed ?? [])
  return [
    ...Object.keys(shown.details ?? {}).filter((name) => !details.includes(name)),
    ...changed.filter((name) => !changes.includes(name)),
  ].map((name) => `${type}: ${name}`)
}

test('records each type of the catalogue, with what it declares, by a real call (threat H05)', async (t) => {
  const canaries = await openCanaries()
  t.after(() => canaries[Symbol.asyncDispose]())
  await useEverything(canaries)
  const world = await openActsWorld()
  t.after(() => world.service.close())
  for (const acts of [tenantActs, userActs, serviceActs, operatorKeyActs]) {
    for (const act of Object.values(acts).flatMap(Object.values))
      await act(world, () => world.service.clock.advance(1_000))
  }
  const databases = [canaries.service.database, world.service.database]
  const recorded = [...databases.flatMap(eventRows), ...(await recordedByRareActs(t))]
  const types = new Set(recorded.map(({ row }) => row['type']))
  const advice = 'record each type in an act of test/events/*-acts.testkit.ts, or in use-everything.ts'
  assert.deepEqual([...types].sort(), eventTypes.toSorted(), advice)
  assert.deepEqual([...new Set(recorded.flatMap(undeclaredIn))], [], 'declare them in contract/events.ts')
})
