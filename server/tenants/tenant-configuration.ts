import type { z } from 'zod'
import {
  type AuthModule,
  DeliveryModule,
  EventsModule,
  knownModules,
  type OtpModule,
  SecurityModule,
  type UploadModule,
} from '../../contract/tenants/tenant-modules.ts'
import type { SealedSecrets } from '../delivery/sender-secrets.ts'
import type { StoredConfiguration } from './tenant.ts'

/** The settings of a tenant. A stored module that is invalid counts as missing. */
export interface TenantConfiguration {
  /** false when the tenant has no configuration at all. */
  readonly exists: boolean
  readonly auth: z.infer<typeof AuthModule> | null
  readonly otp: OtpModule | null
  readonly upload: z.infer<typeof UploadModule> | null
  readonly security: SecurityModule
  /** Templates and senders of messages, without secrets; the defaults when absent. */
  readonly delivery: DeliveryModule
  readonly events: EventsModule
  /** The sealed secrets of `delivery`. */
  readonly senderSecrets: SealedSecrets
  /** Modules that only the tenant defines, returned to clients unchanged. */
  readonly own: Readonly<Record<string, unknown>>
}

/**
 * The member of the stored map that contains sealed secrets. No module can have this name, and no response contains it.
 */
export const senderSecretsKey = '$senderSecrets'

/** The modules of a new tenant. */
export const defaultModules = {
  auth: { methods: ['password'] },
  otp: knownModules.otp.parse({}),
} as const

export function readConfiguration(modules: StoredConfiguration['modules']): TenantConfiguration {
  const map = modules ?? {}
  return {
    exists: Object.keys(map).length > 0,
    auth: read(knownModules.auth, map['auth']),
    otp: read(knownModules.otp, map['otp']),
    upload: read(knownModules.upload, map['upload']),
    security: read(knownModules.security, map['security']) ?? SecurityModule.parse({}),
    delivery: read(knownModules.delivery, map['delivery']) ?? DeliveryModule.parse({}),
    events: read(knownModules.events, map['events']) ?? EventsModule.parse({}),
    senderSecrets: (map[senderSecretsKey] ?? {}) as SealedSecrets,
    own: Object.fromEntries(
      Object.entries(map).filter(([key]) => key !== senderSecretsKey && !Object.hasOwn(knownModules, key)),
    ),
  }
}

/** JSON objects and arrays. */
interface Members {
  [name: PropertyKey]: Members
}

/**
 * A stored module; null when it is invalid. Settings that only a later version has are left out: its servers store them
 * during a rolling upgrade, and the other settings of the module still hold on this one.
 */
function read<S extends z.ZodType>(schema: S, value: unknown): z.output<S> | null {
  const { data, error } = schema.safeParse(value)
  const unknown = error?.issues.filter((issue) => issue.code === 'unrecognized_keys') ?? []
  if (unknown.length === 0) return data ?? null
  const known = structuredClone(value) as Members
  for (const { path, keys } of unknown) {
    const owner = path.reduce((members, name) => members[name]!, known)
    for (const key of keys) delete owner[key]
  }
  return schema.safeParse(known).data ?? null
}

/**
 * What clients may see: only `length` of `otp`, and nothing of `security`, `delivery` and `events`, so that no secret can leak.
 * @param schema the member with the public profile schema, or what changed in it
 * @returns null when `auth` or `otp` is missing: the tenant is not configured
 */
export function publicConfiguration(configuration: TenantConfiguration, schema: object | null): object | null {
  const { auth, otp, upload, own } = configuration
  if (auth === null || otp === null) return null
  return {
    auth: { methods: auth.methods },
    otp: { length: otp.length },
    ...(upload && { upload: { allowedTypes: upload.allowedTypes, maxSize: upload.maxSize } }),
    ...own,
    ...schema,
  }
}
