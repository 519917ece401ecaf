import type { z } from 'zod'
import type { listUsers as operation } from '../../../contract/admin/users.ts'
import { normaliseEmail } from '../../../contract/email-address.ts'
import { isSoundText } from '../../../contract/fields/sound-text.ts'
import { normalisePhone } from '../../../contract/phone-number.ts'
import type { AddressSearch, UserFilter } from '../../accounts/user.ts'
import { readSearchedText } from './searched-text.ts'

type Query = z.output<typeof operation.query>

/** What a query for users looks for: the beginning of an address, or filters. */
export type UserQuery = { readonly search: AddressSearch } | { readonly filter: UserFilter }

/** Reads a query apart from the conditions on profile fields. */
export function readUserQuery(query: Query): UserQuery | { readonly validation: Record<string, string> } {
  const email = query.email === undefined ? undefined : normaliseEmail(query.email)
  const phone = query.phone === undefined ? undefined : normalisePhone(query.phone)
  const idPrefix = query.id?.toUpperCase()
  const isPrefix = idPrefix === undefined || /^[0-9A-Z]{1,26}$/.test(idPrefix)
  const searched = query.q === undefined ? undefined : readSearchedText(query.q)
  const validation = {
    ...(email === null && { email: 'Invalid email' }),
    ...(phone === null && { phone: 'Validation rule not met' }),
    ...(!isPrefix && { id: 'Validation rule not met' }),
    ...(searched === null && { q: 'Validation rule not met' }),
    ...unsound(query),
    ...combined(query),
  }
  if (Object.keys(validation).length > 0) return { validation }
  const { state, order } = query
  const restrictedTo = { ...(state && { state }) }
  if (searched && 'kind' in searched) return { search: { ...searched, ...restrictedTo } }
  const prefix = searched?.idPrefix ?? idPrefix
  return {
    filter: {
      ...(email && { email }),
      ...(phone && { phone }),
      ...(prefix && { idPrefix: prefix }),
      ...restrictedTo,
      ...(order && { order }),
    },
  }
}

const unsound = ({ q }: Query) => (q === undefined || isSoundText(q) ? {} : { q: 'Invalid string' })

/** Parameters that have no meaning together. */
function combined({ q, order, email, phone, id, profile }: Query): Record<string, string> {
  const beside = Object.entries({ email, phone, id, profile }).find(([, value]) => value !== undefined)?.[0]
  if (q !== undefined && beside !== undefined) return { q: `Cannot be combined with ${beside}` }
  if (order === undefined || (q === undefined && profile === undefined)) return {}
  return { order: `Cannot be combined with ${q === undefined ? 'profile' : 'q'}` }
}
