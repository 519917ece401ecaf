import * as accounts from './accounts.ts'
import * as delivery from './admin-delivery.ts'
import * as keys from './admin-keys.ts'
import * as messages from './admin-messages.ts'
import * as tenants from './admin-tenants.ts'
import * as users from './admin-users.ts'
import type { Operation } from './operation.ts'
import * as otp from './otp.ts'
import { resetPassword } from './password-reset.ts'
import { getProfile, updateProfile } from './profile.ts'
import * as system from './system.ts'
import { getTenantConfiguration } from './tenant-configuration.ts'

/** Every operation by its name, which is also its `operationId` and the client's method. */
export const operations = {
  issueOtp: otp.issueOtp,
  verifyOtp: otp.verifyOtp,
  resendOtp: otp.resendOtp,
  getOtpStatus: otp.getOtpStatus,
  resetPassword,
  signUp: accounts.signUp,
  signIn: accounts.signIn,
  getTenantConfiguration,
  getProfile,
  updateProfile,

  createTenant: tenants.createTenant,
  listTenants: tenants.listTenants,
  getTenant: tenants.getTenant,
  updateTenant: tenants.updateTenant,
  deleteTenant: tenants.deleteTenant,
  readConfiguration: tenants.readConfiguration,
  replaceConfiguration: tenants.replaceConfiguration,
  updateConfiguration: tenants.updateConfiguration,
  readProfileSchema: tenants.readProfileSchema,
  publishProfileSchema: tenants.publishProfileSchema,
  checkProfileSchema: tenants.checkProfileSchema,
  previewMessage: delivery.previewMessage,
  sendTestMessage: delivery.sendTestMessage,
  createTenantKey: keys.createTenantKey,
  listTenantKeys: keys.listTenantKeys,
  revokeTenantKey: keys.revokeTenantKey,
  rotateTenantKey: keys.rotateTenantKey,
  createUser: users.createUser,
  listUsers: users.listUsers,
  getUser: users.getUser,
  updateUser: users.updateUser,
  deleteUser: users.deleteUser,
  readUserProfile: users.readUserProfile,
  updateUserProfile: users.updateUserProfile,
  listMessages: messages.listMessages,
  retryMessage: messages.retryMessage,
  listTestingChannelMessages: system.listTestingChannelMessages,

  getJwks: system.getJwks,
  getLiveness: system.getLiveness,
  getReadiness: system.getReadiness,
  getOpenApi: system.getOpenApi,
} as const satisfies Record<string, Operation>

/** Operations that answer with events for as long as they are listened to; the client has no methods for them. */
export const streams = {
  streamTestingChannelMessages: system.streamTestingChannelMessages,
} as const satisfies Record<string, Operation>

export type Operations = typeof operations
export type OperationName = keyof Operations
