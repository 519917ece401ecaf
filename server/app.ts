import * as account from '../contract/accounts/account.ts'
import * as addresses from '../contract/accounts/account-addresses.ts'
import * as activity from '../contract/accounts/activity.ts'
import * as otp from '../contract/accounts/otp.ts'
import * as reset from '../contract/accounts/password-reset.ts'
import * as profile from '../contract/accounts/profile.ts'
import * as profileForms from '../contract/accounts/profile-forms.ts'
import * as auth from '../contract/accounts/sign-in.ts'
import * as consoleSession from '../contract/admin/console-session.ts'
import * as adminDelivery from '../contract/admin/delivery.ts'
import * as deployment from '../contract/admin/deployment.ts'
import * as adminEvents from '../contract/admin/events.ts'
import * as adminKeys from '../contract/admin/keys.ts'
import * as adminMessages from '../contract/admin/messages.ts'
import * as operators from '../contract/admin/operators.ts'
import * as adminProfileSchema from '../contract/admin/profile-schema.ts'
import * as signingKeyContract from '../contract/admin/signing-keys.ts'
import * as statistics from '../contract/admin/statistics.ts'
import * as adminTenants from '../contract/admin/tenants.ts'
import * as userAccess from '../contract/admin/user-access.ts'
import * as userLines from '../contract/admin/user-lines.ts'
import * as adminUsers from '../contract/admin/users.ts'
import * as verification from '../contract/admin/verify-events.ts'
import * as system from '../contract/system.ts'
import * as configuration from '../contract/tenants/tenant-configuration.ts'
import { deleteAccount, getAccount } from './accounts/account.ts'
import { addIdentity } from './accounts/add-identity.ts'
import { changeEmail, changePhone } from './accounts/addresses/change-address.ts'
import { recoverAccount } from './accounts/addresses/recover-account.ts'
import { changePassword } from './accounts/change-password.ts'
import { exportAccount } from './accounts/export-account.ts'
import { listActivity } from './accounts/list-activity.ts'
import { removeIdentity } from './accounts/remove-identity.ts'
import { refreshSession } from './accounts/sessions/refresh-session.ts'
import { endSession, listSessions } from './accounts/sessions/sessions-of-user.ts'
import { signOut } from './accounts/sessions/sign-out.ts'
import { checkSignUp } from './accounts/sign-in/check-sign-up.ts'
import { signIn } from './accounts/sign-in/sign-in.ts'
import { signUp } from './accounts/sign-in/sign-up.ts'
import { stepUp } from './accounts/sign-in/step-up.ts'
import { readConfiguration, replaceConfiguration, updateConfiguration } from './admin/configuration/configuration.ts'
import { clearTestingChannelMessages } from './admin/delivery/clear-testing-channel.ts'
import { previewMessage, sendTestMessage } from './admin/delivery/delivery.ts'
import { getMessageStatistics } from './admin/delivery/message-statistics.ts'
import { listMessages, retryMessage } from './admin/delivery/messages.ts'
import { getCheckpointKeys } from './admin/events/checkpoint-keys.ts'
import { streamDeploymentEvents, streamEvents } from './admin/events/event-stream.ts'
import { listCheckpoints, listDeploymentCheckpoints, listDeploymentEvents, listEvents } from './admin/events/events.ts'
import { exportDeploymentEvents, exportEvents } from './admin/events/export-events.ts'
import { verifyDeploymentEvents, verifyEvents } from './admin/events/verify-events.ts'
import { createTenantKey, listTenantKeys, revokeTenantKey, rotateTenantKey } from './admin/keys.ts'
import { revokeOperator, rotateOperatorKey, updateOperator } from './admin/operators/operator-changes.ts'
import { createOperator, getCurrentOperator, getOperator, listOperators } from './admin/operators/operators.ts'
import { checkProfileSchema } from './admin/profile-schema/check-profile-schema.ts'
import { publishProfileSchema, readProfileSchema } from './admin/profile-schema/profile-schema.ts'
import {
  diffProfileSchemas,
  listProfileSchemaVersions,
  readProfileMigration,
  readProfileSchemaVersion,
} from './admin/profile-schema/profile-schema-versions.ts'
import { listSigningKeys, rotateSigningKeys } from './admin/signing-keys.ts'
import { getStatistics, getTenantStatistics } from './admin/statistics.ts'
import { createTenant, deleteTenant, getTenant, listTenants, updateTenant } from './admin/tenants.ts'
import { createUser } from './admin/users/create-user.ts'
import { exportUsers } from './admin/users/export-users.ts'
import { importUsers } from './admin/users/import-users.ts'
import { listUsers } from './admin/users/list-users.ts'
import { updateUser } from './admin/users/update-user.ts'
import { listUserIdentities, removeUserIdentity, sendPasswordReset } from './admin/users/user-access.ts'
import { endUserSession, endUserSessions, listUserSessions } from './admin/users/user-sessions.ts'
import { deleteUser, getUser } from './admin/users/users.ts'
import { listTestingChannelMessages } from './delivery/testing-channel.ts'
import { streamTestingChannelMessages } from './delivery/testing-channel-stream.ts'
import { type Route, serve } from './http/mount.ts'
import { getOpenApi } from './http/openapi/document.ts'
import { getMetrics } from './metrics/get-metrics.ts'
import { createConsoleSession, endConsoleSession, getConsoleSession } from './operators/console-session.ts'
import { getOtpStatus } from './otp/get-otp-status.ts'
import { issueOtp } from './otp/issue-otp.ts'
import { resendOtp } from './otp/resend-otp.ts'
import { verifyOtp } from './otp/verify-otp.ts'
import { resetPassword } from './password-reset/reset-password.ts'
import { checkProfile } from './profiles/check-profile.ts'
import { getFormState } from './profiles/get-form-state.ts'
import { getProfile } from './profiles/get-profile.ts'
import { updateProfile } from './profiles/update-profile.ts'
import { readUserProfile, updateUserProfile } from './profiles/user-profile.ts'
import type { Environment } from './settings/config.ts'
import { getDeployment } from './system/get-deployment.ts'
import { getJwks } from './system/get-jwks.ts'
import { getLiveness } from './system/get-liveness.ts'
import { getOpenIdConfiguration } from './system/get-openid-configuration.ts'
import { getReadiness } from './system/get-readiness.ts'
import { getProfileSchemaDocument } from './system/profile-schema-document.ts'
import { getTenantConfiguration } from './tenants/get-tenant-configuration.ts'

/**
 * The whole API, one line per operation: who may call it, how often a client address may, its declaration in
 * `contract/`, and its handler. Authentication and limit repeat the declaration for the reader; a line that differs
 * from it, or a handler that does not fit it, does not compile. `http/mount.ts` turns a line into a route: request
 * checks, parsing, handler, response.
 */
const routes: readonly Route[] = [
  //    authentication    limit   operation                             handler
  serve('tenant, user?', '30/h', otp.issueOtp, issueOtp),
  serve('tenant', '60/h', otp.verifyOtp, verifyOtp),
  serve('tenant', '30/h', otp.resendOtp, resendOtp),
  serve('tenant', '600/h', otp.getOtpStatus, getOtpStatus),
  serve('tenant', '10/h', reset.resetPassword, resetPassword),
  serve('tenant', '-', configuration.getTenantConfiguration, getTenantConfiguration),
  serve('tenant', '100/h', auth.signUp, signUp),
  serve('tenant', '60/h', auth.checkSignUp, checkSignUp),
  serve('tenant', '300/h', auth.signIn, signIn),
  serve('tenant, user', '300/h', auth.stepUp, stepUp),
  serve('tenant', '600/h', auth.refreshSession, refreshSession),
  serve('tenant, user', '600/h', auth.signOut, signOut),
  serve('tenant, user', '-', account.getAccount, getAccount),
  serve('tenant, user', '30/h', account.deleteAccount, deleteAccount),
  serve('tenant, user', '-', profile.getProfile, getProfile),
  serve('tenant, user', '30/h', profile.updateProfile, updateProfile),
  serve('tenant, user', '60/h', profile.checkProfile, checkProfile),
  serve('tenant, user', '-', profileForms.getFormState, getFormState),
  serve('tenant, user', '30/h', account.changePassword, changePassword),
  serve('tenant, user', '30/h', addresses.changeEmail, changeEmail),
  serve('tenant, user', '30/h', addresses.changePhone, changePhone),
  serve('tenant, user', '-', account.listSessions, listSessions),
  serve('tenant, user', '600/h', account.endSession, endSession),
  serve('tenant, user', '300/h', account.addIdentity, addIdentity),
  serve('tenant, user', '300/h', account.removeIdentity, removeIdentity),
  serve('tenant, user', '30/h', account.exportAccount, exportAccount),
  serve('tenant, user', '-', activity.listActivity, listActivity),
  serve('tenant', '10/h', addresses.recoverAccount, recoverAccount),

  serve('admin', '-', adminTenants.createTenant, createTenant),
  serve('admin', '-', adminTenants.listTenants, listTenants),
  serve('admin', '-', adminTenants.getTenant, getTenant),
  serve('admin', '-', adminTenants.updateTenant, updateTenant),
  serve('admin', '-', adminTenants.deleteTenant, deleteTenant),
  serve('admin', '-', adminTenants.readConfiguration, readConfiguration),
  serve('admin', '-', adminTenants.replaceConfiguration, replaceConfiguration),
  serve('admin', '-', adminTenants.updateConfiguration, updateConfiguration),
  serve('admin', '-', adminProfileSchema.readProfileSchema, readProfileSchema),
  serve('admin', '-', adminProfileSchema.publishProfileSchema, publishProfileSchema),
  serve('admin', '-', adminProfileSchema.listProfileSchemaVersions, listProfileSchemaVersions),
  serve('admin', '-', adminProfileSchema.readProfileSchemaVersion, readProfileSchemaVersion),
  serve('admin', '-', adminProfileSchema.readProfileMigration, readProfileMigration),
  serve('admin', '-', adminProfileSchema.diffProfileSchemas, diffProfileSchemas),
  serve('admin', '-', adminProfileSchema.checkProfileSchema, checkProfileSchema),
  serve('admin', '-', adminDelivery.previewMessage, previewMessage),
  serve('admin', '-', adminDelivery.sendTestMessage, sendTestMessage),
  serve('admin', '-', adminKeys.createTenantKey, createTenantKey),
  serve('admin', '-', adminKeys.listTenantKeys, listTenantKeys),
  serve('admin', '-', adminKeys.revokeTenantKey, revokeTenantKey),
  serve('admin', '-', adminKeys.rotateTenantKey, rotateTenantKey),
  serve('admin', '-', adminUsers.createUser, createUser),
  serve('admin', '-', adminUsers.listUsers, listUsers),
  serve('admin', '-', adminUsers.getUser, getUser),
  serve('admin', '-', adminUsers.updateUser, updateUser),
  serve('admin', '-', adminUsers.deleteUser, deleteUser),
  serve('admin', '-', userLines.importUsers, importUsers),
  serve('admin', '-', userLines.exportUsers, exportUsers),
  serve('admin', '-', userAccess.listUserIdentities, listUserIdentities),
  serve('admin', '-', userAccess.removeUserIdentity, removeUserIdentity),
  serve('admin', '-', userAccess.sendPasswordReset, sendPasswordReset),
  serve('admin', '-', adminUsers.listUserSessions, listUserSessions),
  serve('admin', '-', adminUsers.endUserSessions, endUserSessions),
  serve('admin', '-', adminUsers.endUserSession, endUserSession),
  serve('admin', '-', adminUsers.readUserProfile, readUserProfile),
  serve('admin', '-', adminUsers.updateUserProfile, updateUserProfile),
  serve('admin', '-', adminMessages.listMessages, listMessages),
  serve('admin', '-', adminMessages.getMessageStatistics, getMessageStatistics),
  serve('admin', '-', adminMessages.retryMessage, retryMessage),
  serve('admin', '-', adminEvents.listEvents, listEvents),
  serve('admin', '-', adminEvents.exportEvents, exportEvents),
  serve('admin', '-', adminEvents.streamEvents, streamEvents),
  serve('admin', '-', adminEvents.listCheckpoints, listCheckpoints),
  serve('admin', '-', verification.verifyEvents, verifyEvents),
  serve('admin', '-', adminEvents.listDeploymentEvents, listDeploymentEvents),
  serve('admin', '-', adminEvents.exportDeploymentEvents, exportDeploymentEvents),
  serve('admin', '-', adminEvents.streamDeploymentEvents, streamDeploymentEvents),
  serve('admin', '-', adminEvents.listDeploymentCheckpoints, listDeploymentCheckpoints),
  serve('admin', '-', adminEvents.getCheckpointKeys, getCheckpointKeys),
  serve('admin', '-', verification.verifyDeploymentEvents, verifyDeploymentEvents),
  serve('admin', '-', deployment.getDeployment, getDeployment),
  serve('admin', '-', statistics.getStatistics, getStatistics),
  serve('admin', '-', statistics.getTenantStatistics, getTenantStatistics),
  serve('admin', '-', signingKeyContract.listSigningKeys, listSigningKeys),
  serve('admin', '-', signingKeyContract.rotateSigningKeys, rotateSigningKeys),
  serve('admin', '-', operators.createOperator, createOperator),
  serve('admin', '-', operators.listOperators, listOperators),
  serve('admin', '-', operators.getOperator, getOperator),
  serve('admin', '-', operators.updateOperator, updateOperator),
  serve('admin', '-', operators.revokeOperator, revokeOperator),
  serve('admin', '-', operators.rotateOperatorKey, rotateOperatorKey),
  serve('admin', '-', operators.getCurrentOperator, getCurrentOperator),

  serve('console', '10/15m', consoleSession.createConsoleSession, createConsoleSession),
  serve('console', '-', consoleSession.getConsoleSession, getConsoleSession),
  serve('console', '-', consoleSession.endConsoleSession, endConsoleSession),

  serve('none', '-', system.getJwks, getJwks),
  serve('none', '-', system.getOpenIdConfiguration, getOpenIdConfiguration),
  serve('none', '-', system.getLiveness, getLiveness),
  serve('none', '-', system.getReadiness, getReadiness),
  serve('admin', '-', system.getMetrics, getMetrics),
  serve('none', '-', system.getOpenApi, getOpenApi),
  serve('none', '-', system.getProfileSchemaDocument, getProfileSchemaDocument),
]

/** In production these routes do not exist, and no setting adds them (threat C33). */
const testingChannelRoutes: readonly Route[] = [
  serve('admin', '-', system.listTestingChannelMessages, listTestingChannelMessages),
  serve('admin', '-', system.clearTestingChannelMessages, clearTestingChannelMessages),
  serve('admin', '-', system.streamTestingChannelMessages, streamTestingChannelMessages),
]

/** The routes that a deployment serves. */
export const routesIn = (environment: Environment): readonly Route[] =>
  environment === 'production' ? routes : [...routes, ...testingChannelRoutes]
