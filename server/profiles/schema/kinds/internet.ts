import { asciiDomain, domainKey } from '../../../../contract/fields/domain-name.ts'
import type { FieldKind } from '../field-kind.ts'
import { allowList } from '../rules.ts'

const domains = allowList((item) => asciiDomain(item) !== undefined, 'domain names such as example.com', {
  key: domainKey,
})

export const email: FieldKind = { takesOptions: false, rules: { domains } }

export const url: FieldKind = { takesOptions: false, rules: { domains } }
