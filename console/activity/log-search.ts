import { texts } from '../shell/search.ts'

/** Filters of events, page and open event, as they stand in the URL. `live` is `on` while new events appear by themselves. */
export const logSearch = texts(
  'type',
  'outcome',
  'actorId',
  'subjectId',
  'since',
  'until',
  'requestId',
  'event',
  'live',
  'cursor',
)

export type LogSearch = Readonly<ReturnType<typeof logSearch>>
