import { stdSerializers } from 'pino'

/**
 * What the log may know of an error: its class, and what it and its causes say and where they come from. Never what
 * else they carry: the request, or a value bound to a statement.
 */
export function describeError(error: Error): { type: string; message: string; stack: string } {
  const { type, message, stack } = stdSerializers.err(error)
  return { type, message, stack }
}
