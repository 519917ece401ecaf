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

/** Every field type that can be published (design 7); a new one is a file in `kinds/`, a line here and one in the contract. */
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

/** Types that will come, with what to do until they do; publishing them is refused (design 7). */
export const plannedTypes: ReadonlyMap<string, string> = new Map([
  ['country', 'use select with the countries as options'],
  ['language', 'use select with the languages as options'],
  ['currency', 'use select with the currencies as options'],
  ['timezone', 'use select with the time zones as options, or text'],
  ['address', 'use one text field for each part'],
  ['name', 'use one text field for each part'],
  ['image', 'it needs uploads, which this service does not have yet; use url'],
  ['file', 'it needs uploads, which this service does not have yet; use url'],
])
