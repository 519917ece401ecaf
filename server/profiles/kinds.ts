import type { ComponentType } from '../../contract/profile-schema.ts'
import type { FieldKind } from './field-kind.ts'
import { boolean } from './kinds/boolean.ts'
import { email, url } from './kinds/internet.ts'
import { list } from './kinds/list.ts'
import { date, datetime, time } from './kinds/moments.ts'
import { integer, number } from './kinds/numbers.ts'
import { multiselect, select } from './kinds/options.ts'
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
}

/** Planned types, which cannot be published yet, with the alternative until then. */
export const plannedTypes: ReadonlyMap<string, string> = new Map([
  ['country', 'use type select with the countries as options'],
  ['language', 'use type select with the languages as options'],
  ['currency', 'use type select with the currencies as options'],
  ['timezone', 'use type select with the time zones as options, or type text'],
  ['address', 'use one text field for each part'],
  ['name', 'use one text field for each part'],
  ['image', 'it needs uploads; use type url'],
  ['file', 'it needs uploads; use type url'],
])
