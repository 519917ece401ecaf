import { operations } from '../../contract/operations.ts'
import type { getOpenApi as operation } from '../../contract/system.ts'
import type { Handler } from '../handler.ts'
import { version } from '../version.ts'
import { buildOpenApi } from './openapi.ts'

/** `GET /openapi.json`: built at first asking, since it takes a while and most processes are never asked. */
export function getOpenApi(serverUrl: string): Handler<typeof operation> {
  let body: string | undefined
  return () => ({
    body: (body ??= JSON.stringify(buildOpenApi(operations, { version, serverUrl }))),
    cacheControl: 'no-cache',
  })
}
