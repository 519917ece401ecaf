import { applyProfileSchemaDelta } from '../../../../contract/profile-schema-delta.ts'
import type { ProfileSchema, ProfileSchemaDelta, PublicTenantConfiguration } from '../generated/types.ts'
import { placeOf, type SessionPlace } from '../session/place-of.ts'
import type { Session } from '../session/session.ts'
import { joined } from './joined.ts'
import { type Observable, observable } from './observable.ts'

/** The tenant configuration as far as it was read. */
export interface ConfigurationState {
  readonly configuration: PublicTenantConfiguration | undefined
  /** Why the last request failed; the configuration read before is kept. */
  readonly error: Error | undefined
}

/** The configuration of a session's tenant, requested once for all components. */
export interface Configuration {
  readonly state: Observable<ConfigurationState>
  /** Requests the configuration again; joins a request under way. Does not reject. */
  readonly reload: () => Promise<void>
}

/** What is known before the first answer, and while rendering on a server. */
export const unknownConfiguration: ConfigurationState = { configuration: undefined, error: undefined }

const configurations = new WeakMap<Session, Configuration>()

/** Held by the session, so that a provider that is mounted twice does not request it twice. */
export function configurationOf(session: Session): Configuration {
  const configuration = configurations.get(session) ?? createConfiguration(session)
  configurations.set(session, configuration)
  return configuration
}

function createConfiguration(session: Session): Configuration {
  const state = observable(unknownConfiguration, () => {
    if (state.get() === unknownConfiguration) void reload()
    return undefined
  })

  const reload = joined(async (): Promise<void> => {
    const { configuration } = state.get()
    try {
      const held = configuration?.profileSchema ?? (await readSchema(session))
      const query = held && { schemaVersion: held.version, schemaDelta: 'true' }
      const { profileSchemaDelta: delta, ...answer } = await session.client.getTenantConfiguration(query)
      const current = answer.profileSchema ?? (delta && held ? await changed(held, delta) : held)
      if (current !== undefined && current !== held) await storeSchema(session, current)
      state.set({ configuration: { ...answer, ...(current && { profileSchema: current }) }, error: undefined })
    } catch (error) {
      state.set({ configuration, error: error as Error })
    }
  })

  /** The whole schema if what is held does not fit the delta. */
  const changed = async (held: ProfileSchema, delta: ProfileSchemaDelta): Promise<ProfileSchema | undefined> => {
    const next = delta.from === held.version ? applyProfileSchemaDelta(held, delta) : undefined
    return isSchema(next) ? next : (await session.client.getTenantConfiguration()).profileSchema
  }

  return { state, reload }
}

const keyOf = ({ key }: SessionPlace) => `${key}.profileSchema`

/** The stored schema; undefined if there is none, or if the storage fails. */
async function readSchema(session: Session): Promise<ProfileSchema | undefined> {
  const place = placeOf.get(session)
  try {
    const schema: unknown = JSON.parse((await place?.find()?.getItem(keyOf(place))) ?? 'null')
    return isSchema(schema) ? schema : undefined
  } catch {
    return undefined
  }
}

/** A published version never changes, so the stored one can be used for as long as it is current. */
async function storeSchema(session: Session, schema: ProfileSchema): Promise<void> {
  const place = placeOf.get(session)
  try {
    await place?.find()?.setItem(keyOf(place), JSON.stringify(schema))
  } catch {
    // Without a storage the schema is requested again next time.
  }
}

function isSchema(value: unknown): value is ProfileSchema {
  const { version, components, presentation, forms } = (value ?? {}) as Record<string, unknown>
  const isComplete = Array.isArray(components) && Array.isArray(presentation) && typeof forms === 'object'
  return typeof version === 'string' && isComplete && forms !== null
}
