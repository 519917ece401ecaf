import { isRecord } from '../../../../contract/fields/profile-values.ts'
import { applyProfileSchemaDelta } from '../../../../contract/profile-schema-delta.ts'
import type { ProfileSchema, PublicTenantConfiguration, ReadProfile } from '../generated/types.ts'
import { joined } from '../joined.ts'
import { type Observable, observable } from '../observable.ts'
import { placeOf } from '../session/place-of.ts'
import type { Session, SessionStorage } from '../session/session.ts'
import { nextFormOf } from './signed-in.ts'

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
    readMissing()
    return session.onChange(readMissing)
  })

  /** Requests what is not known: the configuration, or the newer schema with the form that the session names. */
  function readMissing(): void {
    const form = nextFormOf(session.state)
    const forms = state.get().configuration?.profileSchema?.forms
    if (!forms || (form && !forms[form])) void reload()
  }

  const reload = joined(async (): Promise<void> => {
    const { configuration } = state.get()
    try {
      const held = configuration?.profileSchema ?? (await beside(session, readSchema))
      const query = held && { schemaVersion: held.version, schemaDelta: 'true' }
      const { profileSchemaDelta: delta, ...answer } = await session.client.getTenantConfiguration(query)
      let current = answer.profileSchema ?? held
      if (held && delta) {
        current = delta.from === held.version ? applyProfileSchemaDelta(held, delta) : undefined
        // The whole schema if what is held does not fit the delta.
        if (!isSchema(current)) current = (await session.client.getTenantConfiguration()).profileSchema
      }
      // A published version never changes, so the stored one can be used for as long as it is current.
      if (current && current !== held)
        await beside(session, (storage, key) => storage.setItem(key, JSON.stringify(current)))
      state.set({ configuration: { ...answer, profileSchema: current }, error: undefined })
    } catch (error) {
      state.set({ configuration, error: error as Error })
    }
  })

  const fieldsGone = (profile: ReadProfile): string[] => {
    const names = state.get().configuration?.profileSchema?.components.map(({ name }) => name) ?? []
    const gone = names.filter((name) => !Object.hasOwn(profile, name))
    if (gone.length > 0) void reload()
    return gone
  }

  return { state, reload, fieldsGone }
}

/** The stored schema; undefined if there is none. */
async function readSchema(storage: SessionStorage, key: string): Promise<ProfileSchema | undefined> {
  const schema: unknown = JSON.parse((await storage.getItem(key))!)
  return isSchema(schema) ? schema : undefined
}

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
