import type { Stores } from '../storage.ts'
import type { SharedCall } from './isolation-calls.testkit.ts'
import { rangeOf, searchOf } from './samples.testkit.ts'
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

const section = { limit: 9, before: null }
const [own, sharedOnly] = [['B 2', 'B 1'], ['B 2']]
const idsIn = async (list: ReturnType<Stores['eventLog']['list']>) => (await list).rows.map(({ id }) => id)

/** Reads of logs whose sequences, batches, users and requests another tenant’s log has too. */
export const sharedLogs: Record<string, SharedCall> = {
  'eventLog.list': [({ eventLog }) => idsIn(eventLog.list({}, section)), own],
  'eventLog.list by type': [({ eventLog }) => idsIn(eventLog.list({ type: 'sign_in.*' }, section)), own],
  'eventLog.list of a subject': [
    ({ eventLog }) => idsIn(eventLog.list({ subjectId: shared.user }, section)),
    sharedOnly,
  ],
  'eventLog.list of a subject by type': [
    ({ eventLog }) => idsIn(eventLog.list({ subjectId: shared.user, type: 'sign_in.*' }, section)),
    sharedOnly,
  ],
  'eventLog.list of an actor': [({ eventLog }) => idsIn(eventLog.list({ actorId: shared.user }, section)), own],
  'eventLog.list of an actor by type': [
    ({ eventLog }) => idsIn(eventLog.list({ actorId: shared.user, type: 'sign_in.*' }, section)),
    own,
  ],
  'eventLog.listAbout': [({ eventLog }) => idsIn(eventLog.listAbout(shared.user, section)), own],
  'eventLog.notErased': [({ eventLog }) => eventLog.notErased(0, 9), []],
  'eventLog.outside': [({ eventLog }) => eventLog.outside(1, 1), 4],
  'eventLog.between': [async ({ eventLog }) => (await eventLog.between(0, 9, 9)).map(({ id }) => id), own.toReversed()],
  'eventLog.head': [async ({ eventLog }) => (await eventLog.head()).batch, 2],
  'eventLog.batchesBetween': [
    async ({ eventLog }) => (await eventLog.batchesBetween(0, 9, 9)).map(({ batch }) => batch),
    [1, 2],
  ],
  'eventLog.batchesBefore': [
    async ({ eventLog }) => (await eventLog.batchesBefore(null, 9)).map(({ batch }) => batch),
    [2, 1],
  ],
  'eventLog.batchesSealed': [({ eventLog }) => eventLog.batchesSealed({}), { first: 1, last: 2 }],
}
