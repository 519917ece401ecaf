import type { getProfileSchemaDocument as operation } from '../../contract/system.ts'
import type { Document, Handler } from '../core/handler.ts'
import { publicDocument } from './public-document.ts'

let built: Document | undefined

/** `GET /profile-schema.json` (SCHEMA-11): the JSON Schema of a profile schema; loaded and built on the first call. */
export const getProfileSchemaDocument: Handler<typeof operation> = async () => {
  const { profileJsonSchema } = await import('./profile-json-schema.ts')
  built ??= publicDocument(JSON.stringify(profileJsonSchema()))
  return built
}
