export type { ProfileFormField, ProfileFormSection, ProfileFormStep, ProfileFormView } from './react/profile-fields.ts'
export {
  SessionProvider,
  type SessionProviderProps,
  type UsedSession,
  type UsedTenantConfiguration,
  useSession,
  useTenantConfiguration,
} from './react/session-provider.ts'
export { type ProfileFormOptions, type UsedProfileForm, useProfileForm } from './react/use-profile-form.ts'
