import * as account from '../contract/account.ts'
import * as adminDelivery from '../contract/admin-delivery.ts'
import * as adminKeys from '../contract/admin-keys.ts'
import * as adminMessages from '../contract/admin-messages.ts'
import * as adminTenants from '../contract/admin-tenants.ts'
import * as adminUsers from '../contract/admin-users.ts'
import * as otp from '../contract/otp.ts'
import * as reset from '../contract/password-reset.ts'
import * as profile from '../contract/profile.ts'
import * as auth from '../contract/sign-in.ts'
import * as signingKeyContract from '../contract/signing-keys.ts'
import * as system from '../contract/system.ts'
import * as configuration from '../contract/tenant-configuration.ts'
import * as userLines from '../contract/user-lines.ts'
import { deleteAccount, getAccount } from './accounts/account.ts'
import { addIdentity } from './accounts/add-identity.ts'
import { changeEmail, changePhone } from './accounts/change-address.ts'
import { changePassword } from './accounts/change-password.ts'
import { exportAccount } from './accounts/export-account.ts'
import { recoverAccount } from './accounts/recover-account.ts'
import { refreshSession } from './accounts/refresh-session.ts'
import { removeIdentity } from './accounts/remove-identity.ts'
import { endSession, listSessions } from './accounts/sessions-of-user.ts'
import { signIn } from './accounts/sign-in.ts'
import { signOut } from './accounts/sign-out.ts'
import { signUp } from './accounts/sign-up.ts'
import { stepUp } from './accounts/step-up.ts'
import { accountCodes } from './accounts/verify-address.ts'
import { checkProfileSchema } from './admin/check-profile-schema.ts'
import { readConfiguration, replaceConfiguration, updateConfiguration } from './admin/configuration.ts'
import { createUser } from './admin/create-user.ts'
import { previewMessage, sendTestMessage } from './admin/delivery.ts'
import { exportUsers } from './admin/export-users.ts'
import { importUsers } from './admin/import-users.ts'
import { createTenantKey, listTenantKeys, revokeTenantKey, rotateTenantKey } from './admin/keys.ts'
import { listMessages, retryMessage } from './admin/messages.ts'
import { publishProfileSchema, readProfileSchema } from './admin/profile-schema.ts'
import { listSigningKeys, rotateSigningKeys } from './admin/signing-keys.ts'
import { createTenant, deleteTenant, getTenant, listTenants, updateTenant } from './admin/tenants.ts'
import { endUserSession, endUserSessions, listUserSessions } from './admin/user-sessions.ts'
import { deleteUser, getUser, listUsers, updateUser } from './admin/users.ts'
import { createSenderWatch } from './delivery/require-senders.ts'
import { listTestingChannelMessages } from './delivery/testing-channel.ts'
import { streamTestingChannelMessages } from './delivery/testing-channel-stream.ts'
import { type Route, serve } from './http/mount.ts'
import { getOpenApi } from './http/openapi-document.ts'
import { getMetrics } from './metrics/get-metrics.ts'
import { getOtpStatus } from './otp/get-otp-status.ts'
import { issueOtp } from './otp/issue-otp.ts'
import { resendOtp } from './otp/resend-otp.ts'
import { verifyOtp } from './otp/verify-otp.ts'
import { resetPassword } from './password-reset/reset-password.ts'
import { getProfile } from './profiles/get-profile.ts'
import { updateProfile } from './profiles/update-profile.ts'
import { readUserProfile, updateUserProfile } from './profiles/user-profile.ts'
import type { Services } from './services.ts'
import { getJwks, getLiveness, getOpenIdConfiguration, getReadiness } from './system/system.ts'
import { getTenantConfiguration } from './tenants/get-tenant-configuration.ts'

/**
 * The whole API on one page, one line an operation: who must be calling, how often an address may, the declaration,
 * and the work. Request checks and answers are `http/mount.ts`'s.
 */
export function routesOf(services: Services): Route[] {
  const { storage, snapshots, keyring, delivery, signingKeys, environment, profileBytes, stopping } = services
  const watch = createSenderWatch(services)
  const codes = accountCodes(services)
  const routes = [
    //     authentication    limit   operation                             handler
    serve('tenant, user?', '30/h', otp.issueOtp, issueOtp(services)),
    serve('tenant', '60/h', otp.verifyOtp, verifyOtp(services, codes)),
    serve('tenant', '30/h', otp.resendOtp, resendOtp(delivery, codes)),
    serve('tenant', '600/h', otp.getOtpStatus, getOtpStatus()),
    serve('tenant', '10/h', reset.resetPassword, resetPassword(services)),
    serve('tenant', '-', configuration.getTenantConfiguration, getTenantConfiguration()),
    serve('tenant', '100/h', auth.signUp, signUp(services)),
    serve('tenant', '300/h', auth.signIn, signIn(services)),
    serve('tenant, user', '300/h', auth.stepUp, stepUp(services)),
    serve('tenant', '600/h', auth.refreshSession, refreshSession(services, services.logger)),
    serve('tenant, user', '600/h', auth.signOut, signOut()),
    serve('tenant, user', '-', account.getAccount, getAccount()),
    serve('tenant, user', '30/h', account.deleteAccount, deleteAccount(services)),
    serve('tenant, user', '-', profile.getProfile, getProfile()),
    serve('tenant, user', '30/h', profile.updateProfile, updateProfile(profileBytes)),
    serve('tenant, user', '30/h', account.changePassword, changePassword(services)),
    serve('tenant, user', '30/h', account.changeEmail, changeEmail(services)),
    serve('tenant, user', '30/h', account.changePhone, changePhone(services)),
    serve('tenant, user', '-', account.listSessions, listSessions()),
    serve('tenant, user', '600/h', account.endSession, endSession()),
    serve('tenant, user', '300/h', account.addIdentity, addIdentity(services)),
    serve('tenant, user', '300/h', account.removeIdentity, removeIdentity(services)),
    serve('tenant, user', '30/h', account.exportAccount, exportAccount()),
    serve('tenant', '10/h', account.recoverAccount, recoverAccount(services)),

    serve('admin', '-', adminTenants.createTenant, createTenant(storage, watch)),
    serve('admin', '-', adminTenants.listTenants, listTenants(storage)),
    serve('admin', '-', adminTenants.getTenant, getTenant(storage)),
    serve('admin', '-', adminTenants.updateTenant, updateTenant(storage)),
    serve('admin', '-', adminTenants.deleteTenant, deleteTenant(storage)),
    serve('admin', '-', adminTenants.readConfiguration, readConfiguration(storage)),
    serve('admin', '-', adminTenants.replaceConfiguration, replaceConfiguration(storage, keyring, watch)),
    serve('admin', '-', adminTenants.updateConfiguration, updateConfiguration(storage, keyring, watch)),
    serve('admin', '-', adminTenants.readProfileSchema, readProfileSchema(storage)),
    serve('admin', '-', adminTenants.publishProfileSchema, publishProfileSchema(storage)),
    serve('admin', '-', adminTenants.checkProfileSchema, checkProfileSchema(storage)),
    serve('admin', '-', adminDelivery.previewMessage, previewMessage(snapshots)),
    serve('admin', '-', adminDelivery.sendTestMessage, sendTestMessage(storage, snapshots, services.transport)),
    serve('admin', '-', adminKeys.createTenantKey, createTenantKey(storage)),
    serve('admin', '-', adminKeys.listTenantKeys, listTenantKeys(storage)),
    serve('admin', '-', adminKeys.revokeTenantKey, revokeTenantKey(storage)),
    serve('admin', '-', adminKeys.rotateTenantKey, rotateTenantKey(storage)),
    serve('admin', '-', adminUsers.createUser, createUser(storage, snapshots, services)),
    serve('admin', '-', adminUsers.listUsers, listUsers(storage)),
    serve('admin', '-', adminUsers.getUser, getUser(storage)),
    serve('admin', '-', adminUsers.updateUser, updateUser(storage)),
    serve('admin', '-', adminUsers.deleteUser, deleteUser(storage)),
    serve('admin', '-', userLines.importUsers, importUsers(services)),
    serve('admin', '-', userLines.exportUsers, exportUsers(storage, snapshots)),
    serve('admin', '-', adminUsers.listUserSessions, listUserSessions(storage)),
    serve('admin', '-', adminUsers.endUserSessions, endUserSessions(storage)),
    serve('admin', '-', adminUsers.endUserSession, endUserSession(storage)),
    serve('admin', '-', adminUsers.readUserProfile, readUserProfile(storage, snapshots)),
    serve('admin', '-', adminUsers.updateUserProfile, updateUserProfile(storage, snapshots, profileBytes)),
    serve('admin', '-', adminMessages.listMessages, listMessages(storage)),
    serve('admin', '-', adminMessages.retryMessage, retryMessage(storage, delivery)),
    serve('admin', '-', signingKeyContract.listSigningKeys, listSigningKeys(signingKeys)),
    serve('admin', '-', signingKeyContract.rotateSigningKeys, rotateSigningKeys(signingKeys)),

    serve('none', '-', system.getJwks, getJwks(signingKeys)),
    serve('none', '-', system.getOpenIdConfiguration, getOpenIdConfiguration(services.publicUrl)),
    serve('none', '-', system.getLiveness, getLiveness(storage)),
    serve('none', '-', system.getReadiness, getReadiness(storage, stopping)),
    serve('admin', '-', system.getMetrics, getMetrics(services.metrics)),
    serve('none', '-', system.getOpenApi, getOpenApi(services.publicUrl, services.limits)),
  ]
  // Threat C33: in production the testing channel's routes do not exist, and no setting brings them back.
  if (environment !== 'production') {
    const { inbox } = storage.system
    routes.push(
      serve('admin', '-', system.listTestingChannelMessages, listTestingChannelMessages(inbox, keyring)),
      serve('admin', '-', system.streamTestingChannelMessages, streamTestingChannelMessages(inbox, keyring)),
    )
  }
  return routes
}
