import type { UserCapability } from '../../packages/client/src/admin.ts'

/** What can be withdrawn from a user, in words. */
export const capabilityNames: Readonly<Record<UserCapability, string>> = {
  sign_in: 'Signing in',
  profile_update: 'Changing the profile',
  upload: 'Uploading files',
}

export const userCapabilities = Object.keys(capabilityNames) as readonly UserCapability[]
