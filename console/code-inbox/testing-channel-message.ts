import type { AdminOutputOf } from '../../packages/client/src/admin.ts'

/** A message that production would have sent, with its code. */
export type TestingChannelMessage = AdminOutputOf<'listTestingChannelMessages'>['messages'][number]
