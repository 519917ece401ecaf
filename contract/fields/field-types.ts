import type { FieldType } from './field-type.ts'
import { boolean } from './types/boolean.ts'
import { country, currency, language, timezone } from './types/codes.ts'
import { consent } from './types/consent.ts'
import { email } from './types/email.ts'
import { list } from './types/list.ts'
import { date, datetime, month, time, week } from './types/moments.ts'
import { integer, number } from './types/numbers.ts'
import { multiselect, select } from './types/options.ts'
import { address, name } from './types/parts.ts'
import { phone } from './types/phone.ts'
import { url } from './types/url.ts'
import { multiline, text } from './types/written-text.ts'

/** The names of all field types. */
export type FieldTypeName =
  | 'text'
  | 'multiline'
  | 'email'
  | 'phone'
  | 'url'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'time'
  | 'select'
  | 'multiselect'
  | 'list'
  | 'month'
  | 'week'
  | 'country'
  | 'language'
  | 'currency'
  | 'timezone'
  | 'name'
  | 'address'
  | 'consent'

/** The values of every field type. */
export const fieldTypes: Readonly<Record<FieldTypeName, FieldType>> = {
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
