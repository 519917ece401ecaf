import { operations, streams } from '../../contract/operations.ts'
import type { getOpenApi as operation } from '../../contract/system.ts'
import type { Handler } from '../core/handler.ts'
import { version } from '../core/version.ts'
import type { LimitSettings } from '../limits/limit-settings.ts'
import { buildOpenApi } from './openapi.ts'

/** `GET /openapi.json`, with this deployment's limits: built at first asking, since most processes are never asked. */
export function getOpenApi(serverUrl: string, limits: LimitSettings): Handler<typeof operation> {
  let body: string | undefined
  return () => {
    body ??= JSON.stringify(buildOpenApi({ ...operations, ...streams }, { version, serverUrl, limits }))
    return { body, cacheControl: 'no-cache' }
  }
}
