import type { ComponentType } from '../../../contract/profile-schema.ts'
import type { FieldKind } from './field-kind.ts'
import { boolean } from './kinds/boolean.ts'
import { country, currency, language, timezone } from './kinds/codes.ts'
import { consent } from './kinds/consent.ts'
import { email, url } from './kinds/internet.ts'
import { list } from './kinds/list.ts'
import { date, datetime, month, time, week } from './kinds/moments.ts'
import { integer, number } from './kinds/numbers.ts'
import { multiselect, select } from './kinds/options.ts'
import { address, name } from './kinds/parts.ts'
import { phone } from './kinds/phone.ts'
import { multiline, text } from './kinds/written-text.ts'

/** The rules of the supported field types, whose values `contract/fields/` validates. */
export const fieldKinds: Readonly<Record<ComponentType, FieldKind>> = {
  text,
  multiline,
  email,
  phone,
  url,
  number,
  integer,
  boolean,
  date,
  datetime,
  time,
  select,
  multiselect,
  list,
  month,
  week,
  country,
  language,
  currency,
  timezone,
  name,
  address,
  consent,
}

/** Planned types, which cannot be published yet, with the alternative until then. */
export const plannedTypes: ReadonlyMap<string, string> = new Map([
  ['image', 'it needs uploads; use type url'],
  ['file', 'it needs uploads; use type url'],
])
