import type { PostgresUrl } from './postgres-url.ts'

/** Slightly longer than the connect timeout of one host (`connection.ts`), in milliseconds. */
const hostMs = 2_500

/**
 * How long opening a database waits for a connection, in milliseconds: long enough to try every host. The first host may
 * be unresponsive and the second the primary, and the error can only give the reason for each host once all were tried.
 */
export const openingTimeoutMs = ({ hosts }: Pick<PostgresUrl, 'hosts'>): number => hosts.length * hostMs
