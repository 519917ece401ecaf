export { applyProfileSchemaDelta } from '../../../contract/profile-schema-delta.ts'
export type { AccessToken, CallOptions } from './call-options.ts'
export { createTenantryClient, type TenantryClient, type TenantryClientOptions } from './client.ts'
export {
  type RateLimit,
  TenantryAnswerError,
  TenantryConnectionError,
  TenantryError,
  TenantryStorageError,
  TenantryTimeoutError,
} from './errors.ts'
export type * from './generated/types.ts'
export type { Lines } from './lines-source.ts'
export type { InputOf, OutputOf, ResetPassword } from './methods.ts'
export type { ComponentType, FieldDetail } from './profile-types.ts'
export { createSession } from './session/create-session.ts'
export type {
  Session,
  SessionOptions,
  SessionState,
  SessionStorage,
  StepUpProof,
  StepUpRequest,
} from './session/session.ts'
