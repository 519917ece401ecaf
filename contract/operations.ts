import * as account from './accounts/account.ts'
import * as addresses from './accounts/account-addresses.ts'
import { listActivity } from './accounts/activity.ts'
import * as otp from './accounts/otp.ts'
import { resetPassword } from './accounts/password-reset.ts'
import { checkProfile, getProfile, updateProfile } from './accounts/profile.ts'
import { getFormState } from './accounts/profile-forms.ts'
import * as signIn from './accounts/sign-in.ts'
import * as consoleSession from './admin/console-session.ts'
import * as delivery from './admin/delivery.ts'
import { getDeployment } from './admin/deployment.ts'
import * as events from './admin/events.ts'
import * as keys from './admin/keys.ts'
import * as messages from './admin/messages.ts'
import * as operators from './admin/operators.ts'
import * as profileSchema from './admin/profile-schema.ts'
import * as signingKeys from './admin/signing-keys.ts'
import { getStatistics, getTenantStatistics } from './admin/statistics.ts'
import * as tenants from './admin/tenants.ts'
import * as userAccess from './admin/user-access.ts'
import * as userLines from './admin/user-lines.ts'
import * as users from './admin/users.ts'
import * as verification from './admin/verify-events.ts'
import type { Operation } from './operation.ts'
import * as system from './system.ts'
import { getTenantConfiguration } from './tenants/tenant-configuration.ts'

/** Every operation by name. The name is also the `operationId` and the method of the client. */
export const operations = {
  issueOtp: otp.issueOtp,
  verifyOtp: otp.verifyOtp,
  resendOtp: otp.resendOtp,
  getOtpStatus: otp.getOtpStatus,
  resetPassword,
  signUp: signIn.signUp,
  checkSignUp: signIn.checkSignUp,
  signIn: signIn.signIn,
  stepUp: signIn.stepUp,
  refreshSession: signIn.refreshSession,
  signOut: signIn.signOut,
  getTenantConfiguration,
  getAccount: account.getAccount,
  deleteAccount: account.deleteAccount,
  getProfile,
  updateProfile,
  checkProfile,
  getFormState,
  changePassword: account.changePassword,
  changeEmail: addresses.changeEmail,
  changePhone: addresses.changePhone,
  listSessions: account.listSessions,
  endSession: account.endSession,
  addIdentity: account.addIdentity,
  removeIdentity: account.removeIdentity,
  exportAccount: account.exportAccount,
  listActivity,
  recoverAccount: addresses.recoverAccount,

  createTenant: tenants.createTenant,
  listTenants: tenants.listTenants,
  getTenant: tenants.getTenant,
  updateTenant: tenants.updateTenant,
  deleteTenant: tenants.deleteTenant,
  readConfiguration: tenants.readConfiguration,
  replaceConfiguration: tenants.replaceConfiguration,
  updateConfiguration: tenants.updateConfiguration,
  readProfileSchema: profileSchema.readProfileSchema,
  publishProfileSchema: profileSchema.publishProfileSchema,
  listProfileSchemaVersions: profileSchema.listProfileSchemaVersions,
  readProfileSchemaVersion: profileSchema.readProfileSchemaVersion,
  readProfileMigration: profileSchema.readProfileMigration,
  diffProfileSchemas: profileSchema.diffProfileSchemas,
  checkProfileSchema: profileSchema.checkProfileSchema,
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
  importUsers: userLines.importUsers,
  exportUsers: userLines.exportUsers,
  listUserIdentities: userAccess.listUserIdentities,
  removeUserIdentity: userAccess.removeUserIdentity,
  sendPasswordReset: userAccess.sendPasswordReset,
  listUserSessions: users.listUserSessions,
  endUserSessions: users.endUserSessions,
  endUserSession: users.endUserSession,
  readUserProfile: users.readUserProfile,
  updateUserProfile: users.updateUserProfile,
  listMessages: messages.listMessages,
  getMessageStatistics: messages.getMessageStatistics,
  retryMessage: messages.retryMessage,
  listTestingChannelMessages: system.listTestingChannelMessages,
  clearTestingChannelMessages: system.clearTestingChannelMessages,
  listEvents: events.listEvents,
  exportEvents: events.exportEvents,
  listCheckpoints: events.listCheckpoints,
  verifyEvents: verification.verifyEvents,
  listDeploymentEvents: events.listDeploymentEvents,
  exportDeploymentEvents: events.exportDeploymentEvents,
  listDeploymentCheckpoints: events.listDeploymentCheckpoints,
  getCheckpointKeys: events.getCheckpointKeys,
  verifyDeploymentEvents: verification.verifyDeploymentEvents,
  getDeployment,
  getStatistics,
  getTenantStatistics,
  listSigningKeys: signingKeys.listSigningKeys,
  rotateSigningKeys: signingKeys.rotateSigningKeys,
  createOperator: operators.createOperator,
  listOperators: operators.listOperators,
  getOperator: operators.getOperator,
  updateOperator: operators.updateOperator,
  revokeOperator: operators.revokeOperator,
  rotateOperatorKey: operators.rotateOperatorKey,
  getCurrentOperator: operators.getCurrentOperator,

  getJwks: system.getJwks,
  getOpenIdConfiguration: system.getOpenIdConfiguration,
  getLiveness: system.getLiveness,
  getReadiness: system.getReadiness,
  getMetrics: system.getMetrics,
  getOpenApi: system.getOpenApi,
  getProfileSchemaDocument: system.getProfileSchemaDocument,
} as const satisfies Record<string, Operation>

/** Operations that respond with server-sent events; the client has no methods for them. */
export const streams = {
  streamTestingChannelMessages: system.streamTestingChannelMessages,
  streamEvents: events.streamEvents,
  streamDeploymentEvents: events.streamDeploymentEvents,
} as const satisfies Record<string, Operation>

/** The session of the console, which a browser holds in a cookie; the client has no methods for it. */
export const consoleOperations = {
  createConsoleSession: consoleSession.createConsoleSession,
  getConsoleSession: consoleSession.getConsoleSession,
  endConsoleSession: consoleSession.endConsoleSession,
} as const satisfies Record<string, Operation>

/** Every operation of the API by its name. */
export const allOperations: Readonly<Record<string, Operation>> = { ...operations, ...streams, ...consoleOperations }

/** The name of each operation. */
export const operationNames: ReadonlyMap<Operation, string> = new Map(
  Object.entries(allOperations).map(([name, operation]) => [operation, name]),
)

export type Operations = typeof operations
export type OperationName = keyof Operations
