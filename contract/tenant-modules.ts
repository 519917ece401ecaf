import { z } from 'zod'
import { EmailSenders, SmsSenders } from './delivery-senders.ts'
import { canonicalLocale, DeliveryTemplates } from './delivery-templates.ts'
import { emailAddress } from './email-address.ts'
import { SmsDestination } from './sms-destinations.ts'
import { AuthMethod } from './tenant-configuration.ts'
import { text } from './text.ts'

const whole = (min: number, max: number) => z.int().min(min).max(max)

/** The tenant's own registration at a provider: ID tokens must be issued for one of these (`aud`). */
const Provider = z.strictObject({
  clientIds: z
    .array(z.string().regex(/^[\x21-\x7e]{1,255}$/, { error: 'Give a client id as the provider shows it' }))
    .min(1)
    .max(20),
  plainNonce: z
    .boolean()
    .optional()
    .describe('Also accepts ID tokens that carry the nonce itself, not its SHA-256: for SDKs that cannot hash it.'),
})

/** Sign-in methods enabled for the tenant, and what they need. Only `methods` is public. */
export const AuthModule = z.strictObject({
  methods: z.array(AuthMethod).max(6),
  google: Provider.optional(),
  apple: Provider.optional(),
  facebook: Provider.optional(),
  guest: z
    .strictObject({
      idleDays: whole(1, 3650).optional().describe('A guest unused for longer is erased; never when absent.'),
    })
    .optional(),
})
export type AuthModule = z.infer<typeof AuthModule>

/** One-time password settings (design 3); an OTP keeps those it was issued with. Only `length` is public. */
export const OtpModule = z.strictObject({
  length: whole(4, 10).default(6).describe('Digits of a code.'),
  ttlSeconds: whole(1, 3600).default(600),
  resendIntervalSeconds: whole(0, 3600).default(60),
  maxResends: whole(0, 20).default(3),
  maxVerifyAttempts: whole(1, 10).default(5),
})
export type OtpModule = z.infer<typeof OtpModule>

/** Upload rules (contract 2.2). Public as they are; `maxSize` in bytes. */
export const UploadModule = z.strictObject({
  allowedTypes: z.array(z.string().regex(/^[\w.+-]+\/[\w.+*-]+$/)).max(100),
  maxSize: whole(1, Number.MAX_SAFE_INTEGER),
})

/** A browser origin: scheme, host and port, nothing behind (RFC 6454 7). */
export const Origin = z
  .string()
  .refine((value) => URL.canParse(value) && new URL(value).origin === value && /^https?:[^*]+$/.test(value), {
    error: 'Expected an origin such as https://app.example.com',
  })

/** Protections a tenant chooses. Never public. */
export const SecurityModule = z.strictObject({
  enumerationProtection: z
    .boolean()
    .default(false)
    .describe('Unknown e-mail addresses answer a challenge as known ones do.'),
  passwordBlocklist: z
    .boolean()
    .default(false)
    .describe('Refuses common passwords, and those equal to the e-mail address, its local part or the tenant’s name.'),
  freshSeconds: whole(60, 86_400)
    .default(600)
    .describe('How long a sign-in counts as fresh; sensitive account operations need a fresh one.'),
  allowedOrigins: z
    .array(Origin)
    .max(100)
    .default([])
    .describe('Browser origins that may call with a publishable key.'),
})
export type SecurityModule = z.infer<typeof SecurityModule>

/** How messages look and through whom they go. Never public. */
export const DeliveryModule = z.strictObject({
  email: EmailSenders.optional().describe('Senders of e-mail, the first preferred; the deployment’s own when absent.'),
  sms: SmsSenders.optional().describe('Senders of SMS, the first preferred; the deployment’s own when absent.'),
  from: z
    .strictObject({ address: emailAddress, name: text({ max: 100 }).optional() })
    .optional()
    .describe('Where e-mail comes from.'),
  smsCountries: z
    .array(SmsDestination)
    .max(300)
    .optional()
    .describe(
      'Where SMS may go: countries (ISO 3166-1, `FR`), every one when absent. Never without being listed: global ranges (`+800`, `+808`, `+870`, `+878`, `+881`, `+882`, `+883`, `+888`, `+979`) and special types of numbers of a country (`premium:GB`, also `shared-cost`, `uan`, `personal`, `voicemail`).',
    ),
  smsDailyBudget: whole(0, 10_000_000)
    .default(500)
    .describe('The most SMS a day (UTC); 0 sends none. A tenant without this setting has the default.'),
  defaultLocale: z
    .string()
    .refine((value) => canonicalLocale(value) !== null, { error: 'Give a language tag such as fr or pt-BR' })
    .optional(),
  webOtpDomain: z
    .string()
    .regex(/^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/, {
      error: 'Give a domain such as app.example.com',
    })
    .optional()
    .describe('The site codes of SMS are entered at: browsers then offer to fill them in (WebOTP).'),
  templates: DeliveryTemplates.optional(),
})
export type DeliveryModule = z.infer<typeof DeliveryModule>

/** The modules the service knows; each has a schema here and a public projection in `tenants/`. */
export const knownModules = {
  auth: AuthModule,
  otp: OtpModule,
  upload: UploadModule,
  security: SecurityModule,
  delivery: DeliveryModule,
} as const

/** Keys that would collide with the answer or with the service's own (design 3). */
const reservedKeys = new Set(['profileschema', 'meta', 'data', 'error', '__proto__', 'constructor', 'prototype'])

/**
 * The whole configuration: known modules by their schema, any other key a module of the tenant's own, kept as it is.
 * Refused keys: `profileSchema`, `meta`, `data`, `error`, and known modules in other letter case.
 */
export const TenantModules = z
  .looseObject({
    auth: AuthModule.optional(),
    otp: OtpModule.optional(),
    upload: UploadModule.optional(),
    security: SecurityModule.optional(),
    delivery: DeliveryModule.optional(),
  })
  .superRefine((modules, context) => {
    for (const key of Object.keys(modules)) {
      const folded = key.toLowerCase()
      const reserved = reservedKeys.has(folded) || (folded in knownModules && !Object.hasOwn(knownModules, key))
      if (reserved)
        context.addIssue({
          code: 'custom',
          path: [key],
          message: 'This key is reserved: choose another name for the module',
        })
      else if (!/^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(key)) {
        context.addIssue({
          code: 'custom',
          path: [key],
          message: 'Name a module with 1 to 64 letters, digits, _ or -, a letter first',
        })
      }
    }
  })
export type TenantModules = z.infer<typeof TenantModules>

/**
 * Names that modules of the service may have in a later version. A request must not bring one, in any letter case; a
 * configuration that was stored with one stays readable.
 */
export const reservedModules: ReadonlySet<string> = new Set([
  ...['audit', 'branding', 'captcha', 'events', 'forms', 'hooks', 'legal', 'limits', 'links', 'locales', 'mfa'],
  ...['operators', 'organizations', 'passkeys', 'privacy', 'profile', 'profiles', 'sessions', 'uploads', 'webhooks'],
])

function refuseReserved(names: readonly string[], context: z.RefinementCtx): void {
  for (const name of names) {
    if (!reservedModules.has(name.toLowerCase())) continue
    const message = 'This name is reserved for a later version; choose another name for the module'
    context.addIssue({ code: 'custom', path: [name], message })
  }
}

/** The whole configuration as a request brings it. */
export const NewTenantModules = TenantModules.superRefine((modules, context) =>
  refuseReserved(Object.keys(modules), context),
)

/** A merge patch of the configuration (RFC 7396): objects merge, null removes, anything else replaces. */
export const TenantModulesPatch = z.record(z.string(), z.unknown()).superRefine((patch, context) => {
  const brought = Object.keys(patch).filter((name) => patch[name] !== null)
  refuseReserved(brought, context)
})
