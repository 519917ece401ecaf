import { Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'
import { relativeTime } from './relative-time.ts'

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })

/** A point in time, relative to now; the exact time is in the tooltip and in the element. "–" for none. */
export function Time({ at }: { readonly at: string | null }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [])
  if (at === null) return '–'
  return (
    <Tooltip label={exact.format(new Date(at))}>
      <time dateTime={at}>{relativeTime(Date.parse(at), now)}</time>
    </Tooltip>
  )
}
