import type { ComponentType } from '../../contract/profile-schema.ts'
import type { FieldKind } from './field-kind.ts'
import { boolean } from './kinds/boolean.ts'
import { date } from './kinds/date.ts'
import { datetime } from './kinds/datetime.ts'
import { email } from './kinds/email.ts'
import { integer } from './kinds/integer.ts'
import { list } from './kinds/list.ts'
import { multiline } from './kinds/multiline.ts'
import { multiselect } from './kinds/multiselect.ts'
import { number } from './kinds/number.ts'
import { phone } from './kinds/phone.ts'
import { select } from './kinds/select.ts'
import { text } from './kinds/text.ts'
import { time } from './kinds/time.ts'
import { url } from './kinds/url.ts'

/** The supported field types. To add one: a file in `kinds/`, a line here and one in the contract. */
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
