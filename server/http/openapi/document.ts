import { allOperations } from '../../../contract/operations.ts'
import type { getOpenApi as operation } from '../../../contract/system.ts'
import type { Handler } from '../../core/handler.ts'
import { version } from '../../core/version.ts'
import type { LimitSettings } from '../../limits/limit-settings.ts'

/** The OpenAPI document with the limits of this deployment, as JSON; loaded and built on the first call. */
export function createOpenApiDocument(serverUrl: string, limits: LimitSettings): () => Promise<string> {
  let json: string | undefined
  return async () => {
    const { buildOpenApi } = await import('./openapi.ts')
    json ??= JSON.stringify(buildOpenApi(allOperations, { version, serverUrl, limits }))
    return json
  }
}

/** `GET /openapi.json`. */
export const getOpenApi: Handler<typeof operation> = async (_input, _call, { openApiDocument }) => ({
  body: await openApiDocument(),
  cacheControl: 'no-cache',
})
