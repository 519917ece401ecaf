import { z } from 'zod'
import type { DeliveryMethod } from '../accounts/otp.ts'
import type { FieldTexts } from './sender-form.ts'

/** A type of sender that tenants can configure. `server/delivery/providers/kinds/` has its implementation. */
export interface SenderKind {
  /** The value of the setting `type`. */
  readonly type: string
  readonly methods: readonly DeliveryMethod[]
  /** What forms call the type. */
  readonly label: string
  /** Where messages go, as pages show it: the first text such as `{host}:{port}` of which every setting has a value. */
  readonly destination: readonly string[]
  /**
   * The schema of the settings; secrets must also accept `maskedSecret`. Those registered in `fieldTexts` are the fields of
   * the form, in this order.
   */
  readonly settings: z.ZodObject
  /** Settings that are encrypted at rest and never returned. */
  readonly secrets: readonly string[]
  /** Settings of the server's environment that configure one for all tenants; empty if that is not possible. */
  readonly environment: readonly string[]
  /** Problems that only this kind reports, and what the operator can do about each. */
  readonly advice: readonly (readonly [problem: RegExp, advice: string])[]
}

/** The labels of settings in forms. Apart from the descriptions of the schemas, which are part of the API's document. */
export const fieldTexts: z.core.$ZodRegistry<FieldTexts, z.ZodType<string | number | undefined>> = z.registry()

/** Returned in place of a stored secret; sent back, it keeps that secret. */
export const maskedSecret = '••••'

/** A string that must match a pattern; every violation has the same message. */
export const matching = (pattern: RegExp, error: string) => z.string({ error }).regex(pattern, { error })

/** Identifies the sender in the state of a message; unique in a list. */
export const SenderName = matching(
  /^[a-z0-9][a-z0-9-]{0,31}$/,
  'Name a sender with 1 to 32 lower-case letters, digits and hyphens',
).optional()
