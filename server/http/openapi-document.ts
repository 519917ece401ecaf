import { operations, streams } from '../../contract/operations.ts'
import type { getOpenApi as operation } from '../../contract/system.ts'
import type { Handler } from '../core/handler.ts'
import { version } from '../core/version.ts'
import type { LimitSettings } from '../limits/limit-settings.ts'
import { buildOpenApi } from './openapi.ts'

/** The OpenAPI document with the limits of this deployment, as JSON; built on the first call. */
export function createOpenApiDocument(serverUrl: string, limits: LimitSettings): () => string {
  let json: string | undefined
  return () => {
    json ??= JSON.stringify(buildOpenApi({ ...operations, ...streams }, { version, serverUrl, limits }))
    return json
  }
}

/** `GET /openapi.json`. */
export const getOpenApi: Handler<typeof operation> = (_input, _call, { openApiDocument }) => ({
  body: openApiDocument(),
  cacheControl: 'no-cache',
})
