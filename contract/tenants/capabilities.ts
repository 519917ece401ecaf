import { z } from 'zod'

/** Capabilities that can be restricted for a tenant. */
export const tenantCapabilities = ['reset_password', 'otp', 'sign_up', 'profile_update', 'sign_in', 'upload'] as const
/** Capabilities that can be restricted for one user. */
export const userCapabilities = ['profile_update', 'sign_in', 'upload'] as const

export const Capability = z.enum(tenantCapabilities)
export const UserCapability = z.enum(userCapabilities)
export type Capability = z.infer<typeof Capability>
export type UserCapability = z.infer<typeof UserCapability>
