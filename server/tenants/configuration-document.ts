import { hash } from 'node:crypto'
import type { ProfileSchema, ProfileSchemaDelta } from '../../contract/profile-schema.ts'
import type { Document } from '../core/handler.ts'
import { publicConfiguration, type TenantConfiguration } from './tenant-configuration.ts'

/** What the body says of the profile schema: all of it, what changed, or nothing. */
export type SchemaPart =
  | { readonly profileSchema: ProfileSchema }
  | { readonly profileSchemaDelta: ProfileSchemaDelta }
  | null

/** A rendered configuration. */
export interface ConfigurationDocument extends Document {
  readonly body: Buffer
}

/**
 * The body of `GET /tenant-configuration` with its entity tag; null when the tenant is not configured.
 * @param language the language of its texts, if they are in one
 */
export function renderConfiguration(
  configuration: TenantConfiguration,
  schema: SchemaPart,
  language?: string,
): ConfigurationDocument | null {
  const shown = publicConfiguration(configuration, schema)
  if (shown === null) return null
  const body = Buffer.from(JSON.stringify(shown))
  return {
    body,
    etag: `"${hash('sha256', body, 'base64url').slice(0, 27)}"`,
    cacheControl: 'private, no-cache',
    vary: 'X-Tenant-Key, Origin',
    ...(language !== undefined && { contentLanguage: language }),
  }
}
