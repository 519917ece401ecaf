import { texts } from '../shell/search.ts'
import { conditionsIn, parametersOf } from './profile-search/conditions.ts'

const userTexts = texts('q', 'state', 'cursor')

/** Text, state and page of the list of users, and conditions on profile fields. */
export const userSearch = (search: Record<string, unknown>) => ({
  ...userTexts(search),
  ...parametersOf(conditionsIn(search)),
})
