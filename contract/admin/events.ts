import { z } from 'zod'
import { givenTime, PageQuery, page, Timestamp } from '../envelope.ts'
import { actorKinds, eventTypes, RecordedEvent, subjectKinds } from '../events.ts'
import { operation } from '../operation.ts'
import { text } from '../text.ts'

const tenantPath = z.object({ tenantId: z.string() })
const moment = givenTime()

/** Whether a filter names a type or a group of types, such as `session.*`. */
function matchesTypes(filter: string): boolean {
  if (!filter.endsWith('.*')) return (eventTypes as readonly string[]).includes(filter)
  return eventTypes.some((type) => type.startsWith(filter.slice(0, -1)))
}

const EventQuery = PageQuery.extend({
  type: z
    .string()
    .refine(matchesTypes, {
      error: 'Unknown event type; name a type such as session.ended, or a group of types such as session.*',
    })
    .optional()
    .describe('Only events of this type, or of a group of types: `session.*`.'),
  actor: text({ max: 64 })
    .optional()
    .describe('Only acts of this user, operator or tenant key, by id; `root` for the root key.'),
  subject: text({ max: 64 }).optional().describe('Only events about this user, tenant key or other subject, by id.'),
  outcome: z.enum(['done', 'refused']).optional(),
  since: moment.optional().describe('Only events at this time or later.'),
  until: moment.optional().describe('Only events before this time.'),
  requestId: text({ max: 64 }).optional().describe('Only events of this request.'),
})

const listing =
  'Newest first. All filters must match. The filters `type`, `outcome` and `requestId` are checked event by event, of at most 20,000 events per page: a page may then have fewer items than `limit`, or none, and a `nextCursor` with which to continue. An event is listed once it is sealed, usually within a second.'

export const listEvents = operation({
  method: 'GET',
  path: '/admin/tenants/:tenantId/events',
  summary: 'List the events of a tenant',
  description: listing,
  auth: 'admin',
  scope: 'events:read',
  params: tenantPath,
  query: EventQuery,
  status: 200,
  output: page(RecordedEvent),
  errors: ['TENANT_NOT_FOUND', 'EVENT_LOG_DAMAGED'],
})

export const listDeploymentEvents = operation({
  method: 'GET',
  path: '/admin/events',
  summary: 'List the events of the deployment',
  description: `Acts that belong to no tenant: on operators, signing keys, and the creation and deletion of tenants. ${listing}`,
  auth: 'admin',
  scope: 'events:read',
  query: EventQuery,
  status: 200,
  output: page(RecordedEvent),
  errors: ['EVENT_LOG_DAMAGED'],
})

/** A sealed batch without the hashes of purged rows. */
export const Checkpoint = z.strictObject({
  tenantId: z.string().nullable().describe('null in the log of the deployment.'),
  batch: z.int().describe('Batches of a log are numbered from 1 without a gap.'),
  firstSequence: z.int(),
  count: z.int(),
  sealedAt: Timestamp,
  root: z.string().describe('base64url SHA-256 over the hashes of its events.'),
  previous: z.string().describe('`hash` of the batch before; empty in the first.'),
  hash: z.string().describe('base64url SHA-256 that covers `previous` and all members above.'),
  kid: z.string().describe('The checkpoint key of `signature`.'),
  signature: z.string().describe('base64url Ed25519 over the 32 bytes of `hash`.'),
  kept: z.int().nullable().describe('null while all of its events are stored; otherwise how many of them were kept.'),
  purgedAt: Timestamp.nullable(),
  purgeKid: z.string().nullable(),
  purgeSignature: z.string().nullable(),
})
export type Checkpoint = z.infer<typeof Checkpoint>

const checkpoints = {
  method: 'GET',
  auth: 'admin',
  scope: 'events:read',
  query: PageQuery,
  status: 200,
  output: page(Checkpoint),
} as const

export const listCheckpoints = operation({
  ...checkpoints,
  path: '/admin/tenants/:tenantId/events/checkpoints',
  summary: 'List the checkpoints of a tenant’s log',
  description:
    'Returns the signed batches of the log, newest first. Store them elsewhere: an export that is verified with them later cannot have been changed since.',
  params: tenantPath,
  errors: ['TENANT_NOT_FOUND', 'EVENT_LOG_DAMAGED'],
})

export const listDeploymentCheckpoints = operation({
  ...checkpoints,
  path: '/admin/events/checkpoints',
  summary: 'List the checkpoints of the deployment’s log',
  description: 'Like `GET /admin/tenants/{tenantId}/events/checkpoints`, for the log of the deployment.',
  errors: ['EVENT_LOG_DAMAGED'],
})

export const getCheckpointKeys = operation({
  method: 'GET',
  path: '/admin/checkpoint-keys',
  summary: 'Read the public keys of checkpoints',
  description:
    'Returns a JSON Web Key Set (RFC 7517) with every key that ever signed a batch, oldest first. The keys never change: store them elsewhere to verify exports without the service.',
  auth: 'admin',
  scope: 'events:read',
  // Operators of some tenants verify the logs of those.
  reach: 'own',
  status: 200,
  output: z.strictObject({
    keys: z.array(
      z.strictObject({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        x: z.string(),
        kid: z.string().describe('The thumbprint of the key (RFC 7638).'),
        alg: z.literal('EdDSA'),
        use: z.literal('sig'),
      }),
    ),
  }),
  envelope: false,
  errors: [],
})

/** An event as it was sealed: its hash can be computed from these members alone. */
export const SealedLine = z.strictObject({
  sequence: z.int(),
  id: z.string(),
  at: Timestamp.describe('Its hash covers the epoch milliseconds.'),
  type: z.enum(eventTypes),
  actor: z.strictObject({ kind: z.enum(actorKinds), id: z.string().nullable() }),
  subject: z.strictObject({ kind: z.enum(subjectKinds), id: z.string().nullable() }),
  outcome: z.enum(['done', 'refused']),
  requestId: z.string().nullable(),
  public: z.record(z.string(), z.unknown()),
  personal: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('What names a person, with the salt of its commitment; null once the person is erased.'),
  commitment: z.string().describe('base64url SHA-256 of `personal` in canonical JSON, as it was recorded.'),
})
export type SealedLine = z.infer<typeof SealedLine>

/** A line of an export: an event, the batch of the events before it, or, as the last line, the totals. */
export const EventLine = z.union([
  SealedLine,
  z.strictObject({
    batch: Checkpoint.extend({
      rowHashes: z
        .string()
        .nullable()
        .describe('The hashes of all its events, concatenated, in base64url, when some of them were purged.'),
    }),
  }),
  z.strictObject({
    done: z.strictObject({
      events: z.int(),
      batches: z.int(),
      head: z
        .strictObject({ batch: z.int(), sequence: z.int(), hash: z.string() })
        .nullable()
        .describe('The last batch of the log when the export began; null when nothing is sealed.'),
    }),
  }),
])
export type EventLine = z.infer<typeof EventLine>

const exporting = {
  method: 'GET',
  auth: 'admin',
  scope: 'events:read',
  query: z.object({
    since: moment.optional().describe('From the first batch that was sealed at this time or later.'),
    until: moment.optional().describe('To the last batch that was sealed before this time.'),
    format: z.enum(['ndjson']).optional().describe('JSON lines, the only format.'),
  }),
  outputLines: true,
  status: 200,
  output: EventLine,
} as const

export const exportEvents = operation({
  ...exporting,
  path: '/admin/tenants/:tenantId/events/export',
  summary: 'Export the events of a tenant',
  description:
    'Returns the sealed log as JSON lines (NDJSON), oldest first: the events of a batch, then the batch, and `done` as the last line. An export consists of whole batches, so that it can be verified without the service. The export is recorded as `events.exported` before its first line.',
  params: tenantPath,
  errors: ['TENANT_NOT_FOUND', 'EVENT_LOG_DAMAGED'],
})

export const exportDeploymentEvents = operation({
  ...exporting,
  path: '/admin/events/export',
  summary: 'Export the events of the deployment',
  description: 'Like `GET /admin/tenants/{tenantId}/events/export`, for the log of the deployment.',
  errors: ['EVENT_LOG_DAMAGED'],
})

const streaming = {
  method: 'GET',
  auth: 'admin',
  scope: 'events:read',
  query: z.object({
    lastEventId: z
      .string()
      .regex(/^(?:0|[1-9]\d{0,14})$/)
      .optional()
      .describe('For clients that cannot send `Last-Event-ID`, which takes precedence.'),
  }),
  status: 200,
  output: RecordedEvent,
  stream: true,
} as const

export const streamEvents = operation({
  ...streaming,
  path: '/admin/tenants/:tenantId/events/stream',
  summary: 'Follow the events of a tenant',
  description:
    'A stream of server-sent events: an event `event` for each event of the log once it is sealed, with its sequence as event id. Starts with the next event; with `Last-Event-ID`, after that one, without gaps or duplicates. A comment every 15 seconds keeps the connection open.',
  params: tenantPath,
  errors: ['TENANT_NOT_FOUND', 'EVENT_LOG_DAMAGED'],
})

export const streamDeploymentEvents = operation({
  ...streaming,
  path: '/admin/events/stream',
  summary: 'Follow the events of the deployment',
  description: 'Like `GET /admin/tenants/{tenantId}/events/stream`, for the log of the deployment.',
  errors: ['EVENT_LOG_DAMAGED'],
})
