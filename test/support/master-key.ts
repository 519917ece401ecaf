/** An entry of `TENANTRY_MASTER_KEYS` whose key is the same byte 32 times. */
export const keyOf = (id: string, fill: number): string => `${id}:${Buffer.alloc(32, fill).toString('base64')}`
