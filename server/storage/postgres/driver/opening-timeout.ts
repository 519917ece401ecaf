import type { PostgresUrl } from './postgres-url.ts'

/** A little longer than it takes to give a host up that is mute (`connection.ts`), in milliseconds. */
const hostMs = 2_500

/**
 * How long whoever opens a database waits for a connection, in milliseconds: until every host has been tried. The first
 * may be mute and the second take writes, and why each cannot be used is told only when all have been tried.
 */
export const openingTimeoutMs = ({ hosts }: Pick<PostgresUrl, 'hosts'>): number => hosts.length * hostMs
