export { createTenantryClient, type TenantryClient, type TenantryClientOptions } from './client.ts'
export { TenantryAnswerError, TenantryConnectionError, TenantryError, TenantryTimeoutError } from './errors.ts'
export type { InputOf, OutputOf } from './methods.ts'
