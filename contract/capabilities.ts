import { z } from 'zod'

/** What can be restricted for a tenant (design 3). */
export const tenantCapabilities = ['reset_password', 'otp', 'sign_up', 'profile_update', 'sign_in', 'upload'] as const
/** What can be restricted for one user (design 3). */
export const userCapabilities = ['profile_update', 'sign_in', 'upload'] as const

export const Capability = z.enum(tenantCapabilities)
export const UserCapability = z.enum(userCapabilities)
export type Capability = z.infer<typeof Capability>
export type UserCapability = z.infer<typeof UserCapability>
