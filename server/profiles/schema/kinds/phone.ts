import { phoneNumbers } from '../../../../contract/phone-number.ts'
import type { FieldKind } from '../field-kind.ts'
import { allowList } from '../rules.ts'

export const phone: FieldKind = {
  takesOptions: false,
  rules: {
    countries: allowList((item) => phoneNumbers().isSupportedCountry(item), 'country codes such as FR'),
  },
}
