import { z } from 'zod'

/** A point in time: ISO 8601 in UTC with milliseconds. */
export const Timestamp = z.iso.datetime({ precision: 3 })
const firstTime = Date.parse('0000-01-01T00:00:00.000Z')
const lastTime = Date.parse('9999-12-31T23:59:59.999Z')
/** Whether a time is a `Timestamp` in UTC too: an offset can lead to the year 10000. */
const hasTimestamp = (time: string): boolean => !(Date.parse(time) < firstTime || Date.parse(time) > lastTime)

/** A point in time from a client: ISO 8601 with `Z` or an offset. */
export const givenTime = (error?: z.core.$ZodErrorMap) =>
  z.iso.datetime({ offset: true, ...(error && { error }) }).refine(hasTimestamp)

/** `2026-01-31T12:00:00.000Z` from epoch milliseconds. */
export const timestamp = (time: number): string => new Date(time).toISOString()
export const optionalTimestamp = (time: number | null): string | null => (time === null ? null : timestamp(time))

export const Meta = z.object({ requestId: z.string(), timestamp: Timestamp })

/** The body of a success response. */
export const success = <T extends z.ZodType>(data: T) => z.strictObject({ meta: Meta, data })

/** `{success: true}`, the response of operations that return no data. */
export const Done = z.strictObject({ success: z.literal(true) })

/** A query arrives as text. The document describes what the text must be: an integer. */
const pageLimit: z.ZodType<number, number | string> = z
  .string()
  .regex(/^[1-9]\d{0,2}$/)
  .transform(Number)
  .meta({ type: 'integer', minimum: 1, maximum: 200 })

/** Query parameters of a list. `nextCursor` of one page is the `cursor` of the next. */
export const PageQuery = z.object({
  limit: pageLimit.optional().describe('Items per page. Default: 50.'),
  cursor: z.string().min(1).max(200).optional().describe('`nextCursor` of the previous page.'),
})
/** One page of a list. */
export const page = <T extends z.ZodType>(item: T) =>
  z.strictObject({ items: z.array(item), nextCursor: z.string().nullable() })
