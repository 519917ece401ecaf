import { z } from 'zod'

/** A point in time: ISO 8601 in UTC with milliseconds. */
export const Timestamp = z.iso.datetime({ precision: 3 })
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
