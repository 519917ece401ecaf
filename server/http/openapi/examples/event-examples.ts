import type { listActivity } from '../../../../contract/accounts/activity.ts'
import type * as declarations from '../../../../contract/admin/events.ts'
import type { verifyDeploymentEvents, verifyEvents } from '../../../../contract/admin/verify-events.ts'
import type { Operation } from '../../../../contract/operation.ts'
import { ids, now } from './demo-tenant.ts'
import type { ExamplesOf } from './example.ts'

const hash = (letter: string) => `${letter.repeat(42)}A`

const signedIn = {
  id: '01KG9YRWDGMC8ZD5BFZ1M4QK2E',
  sequence: 1042,
  type: 'sign_in.succeeded' as const,
  at: '2026-01-31T11:59:50.000Z',
  tenantId: ids.tenant,
  actor: { kind: 'user' as const, id: ids.ada, session: ids.session },
  subject: { kind: 'user' as const, id: ids.ada },
  outcome: 'done' as const,
  details: { method: 'password', session: ids.session },
  where: {
    network: '203.0.113.0/24',
    userAgent: 'Chrome 142 on macOS',
    requestId: '01KG9YRWDG3VPT1X7G0FHN0QJW',
  },
}

const revoked = {
  id: '01KG9YS7G0M4T52M6D8RJ9DN3C',
  sequence: 17,
  type: 'operator.revoked' as const,
  at: now,
  tenantId: null,
  actor: { kind: 'operator' as const, id: 'root' },
  subject: { kind: 'operator' as const, id: '01KG9XA0V0CG1BSRTTN7VR5QZS' },
  outcome: 'done' as const,
  where: { network: '198.51.100.0/24', userAgent: 'curl 8', requestId: '01KG9YS7G0HT0G6P3A5PB4FQ4T' },
}

const checkpoint = {
  tenantId: ids.tenant,
  batch: 208,
  firstSequence: 1040,
  count: 3,
  sealedAt: now,
  root: hash('r'),
  previous: hash('p'),
  hash: hash('h'),
  kid: hash('k'),
  signature: `${'s'.repeat(85)}A`,
  kept: null,
  purgedAt: null,
  purgeKid: null,
  purgeSignature: null,
}
const ofDeployment = { ...checkpoint, tenantId: null, batch: 9, firstSequence: 17, count: 1 }

const { sequence, id, type, at, actor, subject, outcome, details, where } = signedIn
const sealed = {
  sequence,
  id,
  at,
  type,
  actor: { kind: actor.kind, id: actor.id },
  subject,
  outcome,
  requestId: where.requestId,
  public: { details, session: actor.session },
  personal: { network: where.network, salt: 'EXAMPLEEXAMPLEEXAMPLEE', userAgent: where.userAgent },
  commitment: hash('c'),
}
const done = (head: { batch: number }, last: number) => ({
  done: { events: last, batches: head.batch, head: { batch: head.batch, sequence: last, hash: checkpoint.hash } },
})

const verified = {
  verified: { batches: 208, events: 722 },
  purged: { events: 0, lastBatch: null },
  erased: 0,
  head: { batch: checkpoint.batch, hash: checkpoint.hash, sealedAt: checkpoint.sealedAt },
}

/** The sign-in as Ada sees it. */
export const activity = {
  id,
  type,
  at,
  actor: { kind: actor.kind, session: actor.session },
  outcome,
  details,
  where: { network: where.network, userAgent: where.userAgent },
}

type Events = {
  readonly [Name in keyof typeof declarations as (typeof declarations)[Name] extends Operation
    ? Name
    : never]: (typeof declarations)[Name]
} & {
  readonly listActivity: typeof listActivity
  readonly verifyEvents: typeof verifyEvents
  readonly verifyDeploymentEvents: typeof verifyDeploymentEvents
}

/** Examples of the operations on events. */
export const eventExamples: { readonly [Name in keyof Events]: ExamplesOf<Events[Name] & Operation> } = {
  listEvents: { answers: { page: { items: [signedIn], nextCursor: ids.nextPage } } },
  listDeploymentEvents: { answers: { lastPage: { items: [revoked], nextCursor: null } } },
  listCheckpoints: { answers: { page: { items: [checkpoint], nextCursor: 'MjA4' } } },
  listDeploymentCheckpoints: { answers: { page: { items: [ofDeployment], nextCursor: 'OQ' } } },
  exportEvents: {
    answers: { event: sealed, batch: { batch: { ...checkpoint, rowHashes: null } }, done: done(checkpoint, 1042) },
  },
  exportDeploymentEvents: {
    answers: { batch: { batch: { ...ofDeployment, rowHashes: null } }, done: done(ofDeployment, 17) },
  },
  getCheckpointKeys: {
    answers: {
      one: { keys: [{ crv: 'Ed25519', kty: 'OKP', x: hash('x'), kid: hash('k'), alg: 'EdDSA', use: 'sig' }] },
    },
  },
  verifyEvents: {
    bodies: { whole: {}, newest: { fromBatch: 200 } },
    answers: {
      whole: { ...verified, purged: { events: 320, lastBatch: 64 }, erased: 3, faults: [], faultCount: 0 },
      changed: {
        ...verified,
        faults: [
          {
            batch: 208,
            sequence: 1040,
            kind: 'changed',
            problem: 'the personal part of event 1040 is not the one that was recorded',
          },
        ],
        faultCount: 1,
      },
    },
  },
  verifyDeploymentEvents: {
    bodies: { whole: {} },
    answers: { empty: { ...verified, verified: { batches: 0, events: 0 }, head: null, faults: [], faultCount: 0 } },
  },
  streamEvents: { answers: { signIn: signedIn } },
  streamDeploymentEvents: { answers: { revocation: revoked } },
  listActivity: {
    answers: {
      lastPage: {
        items: [activity],
        nextCursor: null,
      },
    },
  },
}
