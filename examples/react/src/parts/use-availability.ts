import { validateProfile } from '@tenantry/client/profile'
import { type ProfileFormField, useSession, useTenantConfiguration } from '@tenantry/client/react'
import { useEffect, useState } from 'react'

/** Milliseconds without a key press. The service allows 60 checks an hour. */
const pause = 400

/**
 * Whether the entered value of a unique field is free or taken, once the service has answered. The save decides: another
 * user can take a free value before it.
 */
export function useAvailability({ name, value, unique, isChanged }: ProfileFormField): 'free' | 'taken' | undefined {
  const { client, user } = useSession()
  const schema = useTenantConfiguration().configuration?.profileSchema
  const [answer, setAnswer] = useState<{ readonly value: unknown; readonly state: string | undefined }>()
  const isSignUp = user === null
  const isAsked = unique && isChanged && value !== null && schema !== undefined && isValid()

  useEffect(() => {
    if (!isAsked) return
    const newerInput = new AbortController()
    const { signal } = newerInput
    const timer = setTimeout(async () => {
      const profile = { [name]: value }
      try {
        const { fields } = await (isSignUp
          ? client.checkSignUp({ profile }, { signal })
          : client.checkProfile(profile, { signal }))
        setAnswer({ value, state: fields[name] })
      } catch {
        // Too many checks, or no connection: the user learns it from the save.
      }
    }, pause)
    return () => {
      clearTimeout(timer)
      newerInput.abort()
    }
  }, [client, isSignUp, isAsked, name, value])

  if (!isAsked || answer === undefined || answer.value !== value) return undefined
  return answer.state === 'ok' ? 'free' : answer.state === 'taken' ? 'taken' : undefined

  function isValid(): boolean {
    return schema !== undefined && Object.keys(validateProfile(schema, { [name]: value })).length === 0
  }
}
