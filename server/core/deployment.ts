/**
 * Stands for the tenant in rows that belong to none: kept answers, counts and events of the deployment. The hashes of its event
 * log cover it, so it never changes. Not a ULID, so no tenant has this id.
 */
export const deployment = 'deployment'
