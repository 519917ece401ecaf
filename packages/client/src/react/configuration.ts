import { isRecord } from '../../../../contract/fields/profile-values.ts'
import { applyProfileSchemaDelta } from '../../../../contract/profile-schema-delta.ts'
import type { ProfileSchema, ProfileSchemaDelta, PublicTenantConfiguration, ReadProfile } from '../generated/types.ts'
import { joined } from '../joined.ts'
import { type Observable, observable } from '../observable.ts'
import { placeOf } from '../session/place-of.ts'
import type { Session, SessionStorage } from '../session/session.ts'

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
  /** The fields that a newer version of the schema, by which the service answered, no longer has. Reads that version. */
  readonly fieldsGone: (profile: ReadProfile) => string[]
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
      if (current && current !== held) await storeSchema(session, current)
      state.set({ configuration: { ...answer, profileSchema: current }, error: undefined })
    } catch (error) {
      state.set({ configuration, error: error as Error })
    }
  })

  /** The whole schema if what is held does not fit the delta. */
  const changed = async (held: ProfileSchema, delta: ProfileSchemaDelta): Promise<ProfileSchema | undefined> => {
    const next = delta.from === held.version ? applyProfileSchemaDelta(held, delta) : undefined
    return isSchema(next) ? next : (await session.client.getTenantConfiguration()).profileSchema
  }

  const fieldsGone = (profile: ReadProfile): string[] => {
    const names = state.get().configuration?.profileSchema?.components.map(({ name }) => name) ?? []
    const gone = names.filter((name) => !Object.hasOwn(profile, name))
    if (gone.length > 0) void reload()
    return gone
  }

  return { state, reload, fieldsGone }
}

/** The stored schema; undefined if there is none. */
const readSchema = (session: Session) =>
  beside(session, async (storage, key) => {
    const schema: unknown = JSON.parse((await storage.getItem(key))!)
    return isSchema(schema) ? schema : undefined
  })

/** A published version never changes, so the stored one can be used for as long as it is current. */
const storeSchema = (session: Session, schema: ProfileSchema) =>
  beside(session, (storage, key) => storage.setItem(key, JSON.stringify(schema)))

/** Uses the storage of the session. Undefined if it has none or fails: the schema is then requested again next time. */
async function beside<T>(
  session: Session,
  use: (storage: SessionStorage, key: string) => T | Promise<T>,
): Promise<T | undefined> {
  try {
    const { find, key } = placeOf.get(session)!
    return await use(find()!, `${key}.profileSchema`)
  } catch {
    return undefined
  }
}

function isSchema(value: unknown): value is ProfileSchema {
  const { version, components, presentation, forms } = (value ?? {}) as Record<string, unknown>
  const hasLists = Array.isArray(components) && Array.isArray(presentation)
  return typeof version === 'string' && hasLists && isRecord(forms)
}
