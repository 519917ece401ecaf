import { Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'
import { relativeTime } from './relative-time.ts'
import { serverNow } from './server-time.ts'

const exact = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'long' })
const short = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

/** A point in time, relative to now; the exact time is in the tooltip, in the element and on paper. "–" for none. */
export function Time({ at }: { readonly at: string | null }) {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 30_000)
    return () => clearInterval(timer)
  }, [])
  if (at === null) return '–'
  return (
    <Tooltip label={exact.format(new Date(at))}>
      <time dateTime={at} data-on-paper={short.format(new Date(at))}>
        <span>{relativeTime(Date.parse(at), now)}</span>
      </time>
    </Tooltip>
  )
}
