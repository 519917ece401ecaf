import { z } from 'zod'
import { emailAddress } from '../email-address.ts'
import { EventDetail } from '../events.ts'
import { asciiDomain } from '../fields/domain-name.ts'
import { EmailSenders, SmsSenders } from '../senders/delivery-senders.ts'
import { text } from '../text.ts'
import { canonicalLocale, DeliveryTemplates } from './delivery-templates.ts'
import { settingRanges, type WholeRange } from './setting-ranges.ts'
import { SmsDestination } from './sms-destinations.ts'
import { AuthMethod } from './tenant-configuration.ts'

const whole = (min: number, max: number) => z.int().min(min).max(max)
const within = ({ min, max }: WholeRange) => whole(min, max)

/** The tenant's client ids at an identity provider: ID tokens must be issued for one of them (`aud`). */
const Provider = z.strictObject({
  clientIds: z
    .array(z.string().regex(/^[\x21-\x7e]{1,255}$/, { error: 'Expected a client id as shown by the provider' }))
    .min(1, { error: 'Give at least one client id, or leave the provider out' })
    .max(20),
  plainNonce: z
    .boolean()
    .optional()
    .describe('Also accepts ID tokens with the raw nonce instead of its SHA-256, for SDKs that cannot hash it.'),
})

/** The tenant's enabled sign-in methods and their settings. Only `methods` is public. */
export const AuthModule = z.strictObject({
  methods: z.array(AuthMethod).max(AuthMethod.options.length),
  google: Provider.optional(),
  apple: Provider.optional(),
  facebook: Provider.optional(),
  guest: z
    .strictObject({
      idleDays: within(settingRanges.auth.guest.idleDays)
        .optional()
        .describe('Guests without activity for this many days are deleted. Default: never.'),
    })
    .optional(),
})
export type AuthModule = z.infer<typeof AuthModule>

/** One-time password settings; a one-time password keeps those it was issued with. Only `length` is public. */
export const OtpModule = z.strictObject({
  length: within(settingRanges.otp.length).default(6).describe('Number of digits of a code.'),
  ttlSeconds: within(settingRanges.otp.ttlSeconds).default(600),
  resendIntervalSeconds: within(settingRanges.otp.resendIntervalSeconds).default(60),
  maxResends: within(settingRanges.otp.maxResends).default(3),
  maxVerifyAttempts: within(settingRanges.otp.maxVerifyAttempts).default(5),
})
export type OtpModule = z.infer<typeof OtpModule>

/** Upload rules, all of them public; `maxSize` is in bytes. */
export const UploadModule = z.strictObject({
  allowedTypes: z.array(z.string().regex(/^[\w.+-]+\/[\w.+*-]+$/)).max(100),
  maxSize: whole(1, Number.MAX_SAFE_INTEGER),
})

/** A browser origin: scheme, host and port only (RFC 6454 7). */
export const Origin = z
  .string()
  .refine((value) => URL.canParse(value) && new URL(value).origin === value && /^https?:[^*]+$/.test(value), {
    error: 'Expected an origin such as https://app.example.com',
  })

/** Security settings of a tenant. Never public. */
export const SecurityModule = z.strictObject({
  enumerationProtection: z
    .boolean()
    .default(false)
    .describe(
      'Password resets, sign-ups and changes of an address get the same answer for known and unknown addresses. A sign-up then requires `token`, a verified one-time password for the address: update apps that sign users up without one first.',
    ),
  passwordBlocklist: z
    .boolean()
    .default(false)
    .describe(
      'Rejects common passwords, and passwords equal to the e-mail address, its local part or the tenant’s name.',
    ),
  freshSeconds: within(settingRanges.security.freshSeconds)
    .default(600)
    .describe('How long a sign-in counts as fresh. Sensitive account operations require a fresh sign-in.'),
  allowedOrigins: z.array(Origin).max(100).default([]).describe('Browser origins that may use a publishable key.'),
})
export type SecurityModule = z.infer<typeof SecurityModule>

/** Templates and senders of messages. Never public. */
export const DeliveryModule = z.strictObject({
  email: EmailSenders.optional().describe('E-mail senders in order of preference. Default: those of the deployment.'),
  sms: SmsSenders.optional().describe('SMS senders in order of preference. Default: those of the deployment.'),
  from: z
    .strictObject({ address: emailAddress, name: text({ max: 100 }).optional() })
    .optional()
    .describe('The From address of e-mail.'),
  smsCountries: z
    .array(SmsDestination)
    .max(300)
    .optional()
    .describe(
      'Allowed destinations of SMS: countries (ISO 3166-1, such as `FR`). Default: all countries. Global ranges (`+800`, `+808`, `+870`, `+878`, `+881`, `+882`, `+883`, `+888`, `+979`) and special types of numbers (`premium:GB`, also `shared-cost`, `uan`, `personal`, `voicemail`) are allowed only if listed.',
    ),
  smsDailyBudget: within(settingRanges.delivery.smsDailyBudget)
    .default(500)
    .describe('Maximum number of SMS per day (UTC); 0 sends none.'),
  defaultLocale: z
    .string()
    .refine((value) => canonicalLocale(value) !== null, { error: 'Expected a language tag such as fr or pt-BR' })
    .optional(),
  webOtpDomain: z
    .string()
    .refine((value) => asciiDomain(value) === value, { error: 'Expected a domain such as app.example.com' })
    .optional()
    .describe('The site where users enter codes from SMS. Browsers then offer to fill them in (WebOTP).'),
  templates: DeliveryTemplates.optional(),
})
export type DeliveryModule = z.infer<typeof DeliveryModule>

/** What is recorded of what happens in a tenant, and for how long it is kept. Never public. */
export const EventsModule = z.strictObject({
  detail: EventDetail.default('security').describe(
    '`security` leaves out what is frequent and rarely needed, such as issued codes; `off` records operators’ acts only.',
  ),
  days: whole(1, 3650).default(90).describe('How long events are kept.'),
  operatorDays: whole(1, 3650).default(400).describe('How long the acts of operators are kept.'),
  profileValues: z
    .boolean()
    .default(false)
    .describe('Records the values of profile fields before and after a change, except sensitive and unreadable ones.'),
})
export type EventsModule = z.infer<typeof EventsModule>

/** The modules of the service; each has a schema here and a public projection in `server/tenants/`. */
export const knownModules = {
  auth: AuthModule,
  otp: OtpModule,
  upload: UploadModule,
  security: SecurityModule,
  delivery: DeliveryModule,
  events: EventsModule,
} as const

/** Keys that would collide with the response, or with properties of objects. */
const reservedKeys = new Set(['profileschema', 'meta', 'data', 'error', '__proto__', 'constructor', 'prototype'])

/**
 * The whole configuration: modules of the service by their schema, and custom modules of the tenant, stored unchanged.
 * Rejects the keys `profileSchema`, `meta`, `data` and `error`, and known modules in a different letter case.
 */
export const TenantModules = z
  .looseObject({
    auth: AuthModule.optional(),
    otp: OtpModule.optional(),
    upload: UploadModule.optional(),
    security: SecurityModule.optional(),
    delivery: DeliveryModule.optional(),
    events: EventsModule.optional(),
  })
  .superRefine((modules, context) => {
    for (const key of Object.keys(modules)) {
      const folded = key.toLowerCase()
      const reserved = reservedKeys.has(folded) || (folded in knownModules && !Object.hasOwn(knownModules, key))
      if (reserved)
        context.addIssue({
          code: 'custom',
          path: [key],
          message: 'This key is reserved; choose another module name',
        })
      else if (!/^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(key)) {
        context.addIssue({
          code: 'custom',
          path: [key],
          message: 'Invalid module name; use 1 to 64 letters, digits, _ or -, starting with a letter',
        })
      }
    }
  })
export type TenantModules = z.infer<typeof TenantModules>

/**
 * Module names reserved for later versions of the service. Requests with one are rejected, in any letter case; a stored
 * configuration with one remains readable.
 */
export const reservedModules: ReadonlySet<string> = new Set([
  ...['audit', 'branding', 'captcha', 'forms', 'hooks', 'legal', 'limits', 'links', 'locales', 'mfa'],
  ...['operators', 'organizations', 'passkeys', 'privacy', 'profile', 'profiles', 'profileschemadelta', 'sessions'],
  ...['uploads', 'webhooks'],
])

function refuseReserved(names: readonly string[], context: z.RefinementCtx): void {
  for (const name of names) {
    if (!reservedModules.has(name.toLowerCase())) continue
    const message = 'This name is reserved for a later version; choose another module name'
    context.addIssue({ code: 'custom', path: [name], message })
  }
}

/** The whole configuration in a request. */
export const NewTenantModules = TenantModules.superRefine((modules, context) =>
  refuseReserved(Object.keys(modules), context),
)

/** A merge patch of the configuration (RFC 7396): objects are merged, null removes, anything else replaces. */
export const TenantModulesPatch = z.record(z.string(), z.unknown()).superRefine((patch, context) => {
  const brought = Object.keys(patch).filter((name) => patch[name] !== null)
  refuseReserved(brought, context)
})
