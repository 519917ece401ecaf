import type { ProfileSchema, ProfileSchemaDelta } from '../../contract/profile-schema.ts'
import { LruCache } from '../core/lru-cache.ts'
import { closestLanguage, languagesOf, localizeDelta, localizeSchema } from '../profiles/schema/localize-schema.ts'
import { publicSchema } from '../profiles/schema/public-schema.ts'
import { profileSchemaDelta } from '../profiles/schema/schema-delta.ts'
import { type ConfigurationDocument, renderConfiguration, type SchemaPart } from './configuration-document.ts'
import type { TenantStore } from './tenant.ts'
import type { TenantSnapshot } from './tenant-snapshot.ts'

/** Versions that a delta can lead from; the current one is the twentieth. */
const earlierVersions = 19
const keptDeltas = 8
const keptLanguages = 16
const keptRefusals = 1_000
/** A delta is sent when its JSON is smaller than this share of the schema's. */
const deltaShare = 0.6

/** What a client asks for besides the plain configuration. */
export interface Wanted {
  /** The version that the client holds, if it applies deltas. */
  readonly from?: string | undefined
  readonly locale?: string | undefined
}

/** A configuration with its whole schema, and the size of that. */
interface Whole extends ConfigurationDocument {
  readonly schemaBytes: number
}

/** The memory of an empty one. */
const leastBytes = 1_000

/**
 * The configurations of one snapshot with a delta, or in one language. Whatever clients ask for, it keeps a limited number
 * of them, computes a delta once per version, and reads the database at most 20 times.
 */
export class DerivedConfigurations {
  readonly snapshot: TenantSnapshot
  readonly #plain: Whole
  readonly #schema: ProfileSchema
  readonly #languages: ReadonlyMap<string, string>
  readonly #inLanguages = new LruCache<Whole>(keptLanguages)
  readonly #withDelta = new LruCache<ConfigurationDocument>(keptDeltas)
  /** Versions and languages whose delta is too large. */
  readonly #refusals = new Set<string>()
  readonly #deltas = new Map<string, Promise<ProfileSchemaDelta | null>>()
  #earlier: Promise<ReadonlySet<string>> | undefined
  #deltaBytes = 0

  constructor(snapshot: TenantSnapshot, plain: ConfigurationDocument) {
    this.snapshot = snapshot
    this.#schema = publicSchema(snapshot.profileSchema.schema)
    this.#plain = { ...plain, schemaBytes: bytesOf(this.#schema) }
    this.#languages = languagesOf(this.#schema)
  }

  /** About the memory that it takes, with the snapshot that it refers to. */
  get bytes(): number {
    const kept = [...this.#inLanguages.values(), ...this.#withDelta.values()]
    const keptBytes = kept.reduce((sum, { body }) => sum + body.length, 0)
    return leastBytes + 2 * this.#plain.body.length + keptBytes + this.#deltaBytes
  }

  find({ from, locale }: Wanted, store: TenantStore): ConfigurationDocument | Promise<ConfigurationDocument> {
    const language = locale === undefined ? undefined : closestLanguage(locale, this.#languages)
    if (from === undefined) return this.#whole(language)
    const key = keyOf(from, language)
    if (this.#refusals.has(key)) return this.#whole(language)
    return this.#withDelta.get(key) ?? this.#fromVersion(from, language, store)
  }

  /** @param language undefined: all languages; `''`: the default texts */
  #whole(language: string | undefined): Whole {
    if (language === undefined) return this.#plain
    const known = this.#inLanguages.get(language)
    if (known !== undefined) return known
    const schema = localizeSchema(this.#schema, language)
    const made = { ...this.#render({ profileSchema: schema }, language), schemaBytes: bytesOf(schema) }
    this.#inLanguages.set(language, made)
    return made
  }

  async #fromVersion(from: string, language: string | undefined, store: TenantStore): Promise<ConfigurationDocument> {
    const delta = (await this.#isEarlier(from, store)) ? await this.#deltaFrom(from, store) : null
    const whole = this.#whole(language)
    if (delta === null) return whole
    const localized = language === undefined ? delta : localizeDelta(delta, language)
    const key = keyOf(from, language)
    if (bytesOf(localized) >= deltaShare * whole.schemaBytes) {
      if (this.#refusals.size === keptRefusals) this.#refusals.clear()
      this.#refusals.add(key)
      return whole
    }
    const document = this.#render({ profileSchemaDelta: localized }, language)
    this.#withDelta.set(key, document)
    return document
  }

  async #isEarlier(version: string, store: TenantStore): Promise<boolean> {
    this.#earlier ??= readEarlier(this.snapshot, store)
    try {
      return (await this.#earlier).has(version)
    } catch (error) {
      this.#earlier = undefined
      throw error
    }
  }

  /** Concurrent calls share one read. */
  async #deltaFrom(version: string, store: TenantStore): Promise<ProfileSchemaDelta | null> {
    const known = this.#deltas.get(version)
    if (known !== undefined) return known
    const reading = this.#makeDelta(version, store)
    this.#deltas.set(version, reading)
    try {
      return await reading
    } catch (error) {
      this.#deltas.delete(version)
      throw error
    }
  }

  async #makeDelta(version: string, store: TenantStore): Promise<ProfileSchemaDelta | null> {
    const published = await store.findSchema(version)
    if (published === null) return null
    const delta = profileSchemaDelta(publicSchema(published.schema), this.#schema)
    this.#deltaBytes += bytesOf(delta)
    return delta
  }

  #render(schema: SchemaPart, language: string | undefined): ConfigurationDocument {
    // The default texts are in a language that the schema does not name.
    const named = language === undefined ? undefined : this.#languages.get(language)
    const document = renderConfiguration(this.snapshot.configuration, schema, named)
    if (document === null) throw new TypeError('A configuration that has a plain document is complete')
    return document
  }
}

/** A language has no spaces; what a client sends as a version may have. */
const keyOf = (from: string, language: string | undefined): string => `${language} ${from}`

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

async function readEarlier({ profileSchema }: TenantSnapshot, store: TenantStore): Promise<ReadonlySet<string>> {
  return new Set(await store.versionsBefore(profileSchema.ordinal, earlierVersions))
}
