import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commitmentOf } from '../../core/commitment.ts'
import type { EventHead, SealedEvent, StoredBatch } from '../sealed-log.ts'
import {
  earlierKey,
  foreignKey,
  headOf,
  currentKey as key,
  purgeBatch,
  type SampleLog,
  sampleEvent,
  sampleLog,
  sealBatch,
  unpurged,
  verifySample,
} from './sample-log.testkit.ts'

const sizes = [5, 1, 8, 3]

const changeHead = (log: SampleLog, change: Partial<EventHead> | null) => {
  log.head = change && { ...log.head!, ...change }
}
const changeEvent = (log: SampleLog, sequence: number, change: Partial<SealedEvent>) => {
  log.events = log.events.map((event) => (event.sequence === sequence ? { ...event, ...change } : event))
}
const changeBatch = (log: SampleLog, number: number, change: Partial<StoredBatch>) => {
  log.batches = log.batches.map((batch) => (batch.batch === number ? { ...batch, ...change } : batch))
}
const dropEvent = (log: SampleLog, dropped: number) => {
  log.events = log.events.filter(({ sequence }) => sequence !== dropped)
}
const event = (log: SampleLog, sequence: number) => log.events.find((one) => one.sequence === sequence)!
/** Seals every batch from one on again, as the relay would with this key. */
const reseal = (log: SampleLog, from: number, by = foreignKey) => {
  for (let number = from; number <= log.batches.length; number++) {
    const events = log.events.filter(({ batch }) => batch === number)
    log.batches[number - 1] = sealBatch(log.tenantId, events, log.batches[number - 2] ?? null, by)
  }
  log.head = headOf(log)
}

const cases: readonly (readonly [title: string, tamper: (log: SampleLog) => void, ...faults: readonly string[]])[] = [
  ['the type of an event', (log) => changeEvent(log, 3, { type: 'user.deleted' }), '1 changed'],
  ['the only event of a batch', (log) => changeEvent(log, 6, { at: 1 }), '2.6 changed'],
  ['a personal part', (log) => changeEvent(log, 3, { personal: '{"salt":"x"}' }), '1.3 changed'],
  [
    'a personal part with its commitment',
    (log) => changeEvent(log, 3, { personal: '{}', commitment: commitmentOf('{}') }),
    '1 changed',
  ],
  ['the batch that an event names', (log) => changeEvent(log, 3, { batch: 2 }), '1.3 changed'],
  ['an event in the middle', (log) => dropEvent(log, 3), '1.3 missing'],
  ['the last event of a batch', (log) => dropEvent(log, 5), '1.5 missing'],
  ['all events of a batch', (log) => dropEvent(log, 6), '2.6 missing'],
  ['an event after the end', (log) => log.events.push(sampleEvent('acme', 18, 4)), '4.18 changed'],
  ['an event before the start', (log) => log.events.push(sampleEvent('acme', 0, 1)), '0.0 changed'],
  [
    'two events in the place of each other',
    (log) => {
      const [one, other] = [event(log, 8), event(log, 11)]
      changeEvent(log, 8, { ...other, sequence: 8 })
      changeEvent(log, 11, { ...one, sequence: 11 })
    },
    '3.9 reordered',
  ],
  ['the count of a batch', (log) => changeBatch(log, 2, { count: 2 }), '2 changed'],
  ['an absurd count', (log) => changeBatch(log, 2, { count: 2 ** 40 }), '2 changed'],
  ['the hash of a batch', (log) => changeBatch(log, 2, { hash: log.batches[0]!.hash }), '2 changed'],
  ['a signature', (log) => changeBatch(log, 2, { signature: log.batches[0]!.signature }), '2 signature'],
  ['a kid', (log) => changeBatch(log, 2, { kid: earlierKey.kid }), '2 signature'],
  ['a kid of no key', (log) => changeBatch(log, 2, { kid: foreignKey.kid }), '2 signature'],
  ['a dropped batch', (log) => log.batches.splice(1, 1), '3 gap'],
  ['the first batch', (log) => log.batches.splice(0, 1), '2 gap'],
  ['the last batch', (log) => log.batches.splice(3, 1), '3.15 changed', '3.16 changed', '3.17 changed', '4 gap'],
  [
    'the last batch with its events',
    (log) => {
      log.batches.splice(3, 1)
      log.events = log.events.filter(({ batch }) => batch !== 4)
    },
    '4 gap',
  ],
  ['the head', (log) => changeHead(log, null), '4 missing'],
  ['an earlier head', (log) => changeHead(log, { batch: 3 }), '4 missing'],
  ['the sequence of the head', (log) => changeHead(log, { sequence: 18 }), '4 changed'],
  ['the hash of the head', (log) => changeHead(log, { hash: 'x' }), '4 changed'],
  [
    'a batch of another tenant',
    (log) => changeBatch(log, 2, sampleLog('other', sizes, key).batches[1]!),
    '2 changed',
    '2 gap',
    '3 gap',
  ],
  [
    'an event of another tenant',
    (log) => changeEvent(log, 6, sampleLog('other', sizes, key).events[5]!),
    '2.6 changed',
  ],
  [
    'a log sealed again without the key',
    (log) => {
      dropEvent(log, 6)
      log.events = log.events.map((one) => (one.sequence > 6 ? { ...one, sequence: one.sequence - 1 } : one))
      changeEvent(log, 6, { batch: 2 })
      reseal(log, 2)
    },
    '2 signature',
    '3 signature',
    '4 signature',
  ],
  [
    'a deletion that is marked as a purge with a copied mark',
    (log) => {
      purgeBatch(log, 1, false, key)
      const { rowHashes, kept, purgedAt, purgeKid, purgeSignature } = log.batches[0]!
      changeBatch(log, 2, { rowHashes, kept, purgedAt, purgeKid, purgeSignature })
      dropEvent(log, 6)
    },
    '2 signature',
  ],
  [
    'a deletion that is marked as a purge without the key (threat L05)',
    (log) => {
      purgeBatch(log, 2, false, foreignKey)
      changeBatch(log, 2, { purgeKid: key.kid })
    },
    '2 signature',
  ],
  ['a purge that an unknown key has signed', (log) => purgeBatch(log, 2, false, foreignKey), '2 signature'],
  ['half of a mark', (log) => changeBatch(log, 2, { purgedAt: 1 }), '2 changed'],
  [
    'a purge that is hidden',
    (log) => {
      purgeBatch(log, 2, false, key)
      changeBatch(log, 2, unpurged)
    },
    '2.6 missing',
  ],
  [
    'a kept event',
    (log) => {
      purgeBatch(log, 3, true, key)
      dropEvent(log, 9)
    },
    '3 missing',
  ],
  [
    'a changed event among the kept',
    (log) => {
      purgeBatch(log, 3, true, key)
      changeEvent(log, 9, { outcome: 'refused' })
    },
    '3.9 changed',
  ],
  [
    'a purged event that takes the place of a kept one',
    (log) => {
      const purged = event(log, 10)
      purgeBatch(log, 3, true, key)
      dropEvent(log, 9)
      log.events.push(purged)
    },
    '3.10 changed',
  ],
  [
    'a purged event that is stored again',
    (log) => {
      const purged = event(log, 10)
      purgeBatch(log, 3, true, key)
      log.events.push(purged)
    },
    '3.10 changed',
    '3 changed',
  ],
  [
    'row hashes without the kept events',
    (log) => {
      purgeBatch(log, 3, true, key)
      changeBatch(log, 3, { rowHashes: null })
    },
    '3 signature',
    '3 changed',
    '3.9 changed',
    '3.12 changed',
  ],
]

for (const [title, tamper, ...faults] of cases) {
  test(`finds ${title}`, async () => {
    const log = sampleLog('acme', sizes, key)
    tamper(log)
    const found = await verifySample(log)
    assert.deepEqual(
      found.faults.map(
        ({ batch, sequence, kind }) => `${batch}${sequence === undefined ? '' : `.${sequence}`} ${kind}`,
      ),
      faults,
      JSON.stringify(found.faults, null, 1),
    )
  })
}
