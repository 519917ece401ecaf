import type { getMetrics as operation } from '../../contract/system.ts'
import type { Handler } from '../core/handler.ts'
import type { Metrics } from './metrics.ts'

/** `GET /metrics` : for callers with the admin key. */
export const getMetrics =
  (metrics: Metrics): Handler<typeof operation> =>
  async () => ({ body: await metrics.text(), cacheControl: 'no-store' })
