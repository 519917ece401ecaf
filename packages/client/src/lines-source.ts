/** The media type of lines (NDJSON). */
export const linesType = 'application/x-ndjson'

/**
 * Lines to send: an iterable of objects, one per line; or serialised lines as text, bytes, a file or a stream. The service
 * rejects a pause of more than 20 s.
 */
export type Lines =
  | string
  | Uint8Array
  | Blob
  | ReadableStream<Uint8Array>
  | Iterable<object | string>
  | AsyncIterable<object | string>
