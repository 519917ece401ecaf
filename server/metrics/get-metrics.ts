import type { getMetrics as operation } from '../../contract/system.ts'
import type { Handler } from '../core/handler.ts'

/** `GET /metrics`. */
export const getMetrics: Handler<typeof operation> = async (_input, _call, { metrics }) => ({
  body: await metrics.text(),
  cacheControl: 'no-store',
})
