import { stdSerializers } from 'pino'

/**
 * What may be logged of an error: its class, and the messages and stacks of it and its causes. Never other properties,
 * which can hold the request or a value bound to a statement.
 */
export function describeError(error: Error): { type: string; message: string; stack: string } {
  const { type, message, stack } = stdSerializers.err(error)
  return { type, message, stack }
}
