import { otpReference } from '../../../server/events/subjects.ts'
import type { TestService, TestTenant } from '../service.ts'
import { eventRows } from './recorded-events.ts'

/** Follows the log of a tenant. */
export interface EventRecorder {
  /**
   * The events since the last call, sorted, such as `otp.locked by tenantKey key about user jane {"otp":"…"}`; a refusal has
   * its code in brackets, and changes follow a `~`. Ids have the names that `name` gave them, else `…`; one-time passwords
   * are named by their references.
   */
  next(): string[]
  name(id: string, as: string): void
}

const anyId = /[0-7][0-9A-HJKMNP-TV-Z]{25}/g
const anyReference = /(?<="otp":"|about otp )[\w-]{22}(?=[" ]|$)/g

export function recordEvents(service: TestService, { tenantId, key, secretKey }: TestTenant): EventRecorder {
  const names = new Map([key, secretKey].map((each) => [each.toUpperCase().match(anyId)?.[0] ?? each, 'key']))
  const rowsOfTenant = () => eventRows(service.database).filter(({ log }) => log === tenantId)
  const seen = new Set(rowsOfTenant().map(({ id }) => id))

  function lineOf({ row, public: { code, details, session }, changes }: EventRow): string {
    const words = (...parts: unknown[]) => parts.filter((part) => part !== null && part !== undefined).join(' ')
    const line = words(
      row['type'],
      code && `[${code}]`,
      words('by', row['actor_kind'], row['actor_id'], session),
      words('about', row['subject_kind'], row['subject_id']),
      details && JSON.stringify(details),
      changes && `~${JSON.stringify(changes)}`,
    )
    return line.replaceAll(anyId, (id) => names.get(id) ?? '…').replaceAll(anyReference, (id) => names.get(id) ?? '…')
  }

  return {
    next() {
      // Tests read codes as the operator.
      const rows = rowsOfTenant().filter(({ id, row }) => !seen.has(id) && row['type'] !== 'codes.read')
      for (const { id } of rows) seen.add(id)
      return rows.map(lineOf).sort()
    },
    name(id, as) {
      names.set(id, as)
      names.set(otpReference(id), as)
    },
  }
}

type EventRow = ReturnType<typeof eventRows>[number]
