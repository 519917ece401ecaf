import { z } from 'zod'
import { Timestamp } from '../envelope.ts'
import { operation } from '../operation.ts'

const EventFault = z.strictObject({
  batch: z.int(),
  sequence: z.int().optional().describe('Absent when the hashes do not tell which event of the batch it is.'),
  kind: z
    .enum(['missing', 'changed', 'reordered', 'signature', 'gap'])
    .describe(
      '`missing`: an event or the end of the log is not stored. `changed`: something is not stored as it was sealed, or was never sealed. `reordered`: events or batches have another order. `signature`: a signature does not hold. `gap`: batches are missing, or one does not continue the one before.',
    ),
  problem: z.string().describe('For the operator.'),
})

const VerifiedEvents = z.strictObject({
  verified: z
    .strictObject({ batches: z.int(), events: z.int() })
    .describe('Batches without a fault, and their events.'),
  purged: z
    .strictObject({ events: z.int(), lastBatch: z.int().nullable() })
    .describe('Events whose retention has ended, and the last batch with such events. Their batches still verify.'),
  erased: z.int().describe('Events without their personal part, because the person was erased.'),
  head: z
    .strictObject({ batch: z.int(), hash: z.string(), sealedAt: Timestamp })
    .nullable()
    .describe('The last batch; null when nothing is sealed.'),
  faults: z.array(EventFault).describe('The first 100 faults; empty when the log is as it was sealed.'),
  faultCount: z.int(),
})

const verifying = {
  method: 'POST',
  auth: 'admin',
  scope: 'events:read',
  body: z.strictObject({
    fromBatch: z
      .int()
      .min(1)
      .default(1)
      .describe('The first batch to verify. The batch before is trusted if its signature holds.'),
  }),
  status: 201,
  output: VerifiedEvents,
} as const

export const verifyEvents = operation({
  ...verifying,
  path: '/admin/tenants/:tenantId/events/verify',
  summary: 'Verify the events of a tenant',
  description:
    'Computes every hash of the sealed log again and checks every signature. Changes nothing. Verifying takes about 10 seconds for each million events; one verification runs at a time in each process.',
  params: z.object({ tenantId: z.string() }),
  errors: ['TENANT_NOT_FOUND'],
})

export const verifyDeploymentEvents = operation({
  ...verifying,
  path: '/admin/events/verify',
  summary: 'Verify the events of the deployment',
  description: 'Like `POST /admin/tenants/{tenantId}/events/verify`, for the log of the deployment.',
  errors: [],
})
