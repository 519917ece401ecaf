import type { Stores } from '../storage.ts'
import { rangeOf, searchOf } from './samples.testkit.ts'
import type { SharedCall } from './shared-calls.testkit.ts'
import { shared, sharedPhoneOf } from './two-tenants.testkit.ts'

/** The phone number and the provider of each result, which distinguish two users with the same id. */
const searched = async (profileSearch: Stores['profileSearch'], ...values: Parameters<typeof searchOf>) =>
  (await profileSearch.list(searchOf(...values), { limit: 9, after: null })).map(({ user }) => [
    user.phone,
    ...user.providers,
  ])

/** Calls of searches on rows that two tenants have alike. */
export const sharedSearches: Record<string, SharedCall> = {
  'profileSearch.list': [
    ({ profileSearch }) => searched(profileSearch, ['city', shared.city]),
    [[sharedPhoneOf('B'), 'google']],
  ],
  'profileSearch.list by a further value that the user has elsewhere alone': [
    ({ profileSearch }) => searched(profileSearch, ['city', shared.city], ['plan', 'pro']),
    [],
  ],
  'profileSearch.list by a third one': [
    ({ profileSearch }) => searched(profileSearch, ['city', shared.city], ['age', '1'], ['plan', 'pro']),
    [],
  ],
  'profileSearch.holds a value that the user has elsewhere alone': [
    ({ profileSearch }) => profileSearch.holds(shared.user, rangeOf('plan', 'pro')),
    false,
  ],
}
