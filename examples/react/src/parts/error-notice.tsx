import { TenantryConnectionError, TenantryError } from '@tenantry/client'
import { useLanguage } from '../language.tsx'

/** What went wrong, in words for the user. Messages of fields stand beside the fields instead. */
export function ErrorNotice({ error }: { error: unknown }) {
  const { texts } = useLanguage()
  if (error === undefined || error === null) return null
  // The sign-in screen says that the session has ended. Afterwards, the form can be sent again.
  if (error instanceof TenantryError && error.code === 'INVALID_USER_TOKEN') return null
  return (
    <div role="alert" className="notice error">
      {describe()}
      {error instanceof TenantryError && (
        <small>
          {texts.requestId} {error.requestId}
        </small>
      )}
    </div>
  )

  function describe(): string {
    if (error instanceof TenantryConnectionError) return texts.offline
    if (!(error instanceof TenantryError)) return texts.unexpected
    if (error.code === 'FRESH_SIGN_IN_REQUIRED') return texts.notConfirmed
    if (error.retryAfter !== undefined) return texts.tooMany(error.retryAfter)
    if (error.validation !== undefined) return texts.fixFields(Object.keys(error.validation).length)
    return error.message
  }
}

/** The message for one field of a form, from the error of its last attempt. */
export function messageFor(field: string, error: unknown): string | undefined {
  return error instanceof TenantryError ? error.validation?.[field] : undefined
}
