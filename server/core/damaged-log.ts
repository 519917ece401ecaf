import { ServiceError } from './service-error.ts'

/**
 * A stored value of an event log that the service never writes, so something else wrote to the database. Beneath the operations
 * that show events, all of which declare the code.
 */
export function damagedLog(row: string, field: string): ServiceError {
  return new ServiceError('EVENT_LOG_DAMAGED', {}, { cause: new Error(`${row} has an invalid value in ${field}`) })
}
