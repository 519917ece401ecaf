import { z } from 'zod'
import { PageQuery, page } from '../envelope.ts'
import { RecordedEvent } from '../events.ts'
import { operation } from '../operation.ts'

/** An event as the user sees it that it is about. */
export const Activity = RecordedEvent.pick({
  id: true,
  type: true,
  at: true,
  outcome: true,
  code: true,
  details: true,
  changes: true,
}).extend({
  actor: z.strictObject({
    kind: RecordedEvent.shape.actor.shape.kind.describe(
      '`user`: this user. `tenantKey`: the application, before the user was signed in. Others are not named.',
    ),
    session: z.string().optional(),
  }),
  where: RecordedEvent.shape.where
    .omit({ requestId: true })
    .describe('Both null for acts of operators and of the system.'),
})
export type Activity = z.infer<typeof Activity>

export const listActivity = operation({
  method: 'GET',
  path: '/account/activity',
  summary: 'List the activity of the account',
  description:
    'Returns what happened to the account in the last 90 days, newest first: sign-ins, refused sign-ins, sessions, sign-in methods, addresses and the password, with network and browser. An event is listed once it is sealed, usually within a second. Empty if the tenant records no events.',
  auth: 'tenant, user',
  query: PageQuery,
  status: 200,
  output: page(Activity),
  errors: ['EVENT_LOG_DAMAGED'],
})
