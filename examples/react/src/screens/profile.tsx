import { validateProfile } from '@tenantry/client/profile'
import { useProfileForm } from '@tenantry/client/react'
import { useState } from 'react'
import { useLanguage } from '../language.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { ProfileField } from '../parts/profile-field.tsx'
import { submitting } from '../parts/submitting.ts'

/** The profile, rendered from the tenant's schema: one fieldset per section. */
export function ProfileScreen() {
  const { texts, language } = useLanguage()
  const [outcome, setOutcome] = useState<'saved' | 'unchanged' | null>(null)
  const { status, sections, fields, setValue, submit, reset, error } = useProfileForm({
    locale: language,
    validate: validateProfile,
    onSaved: () => setOutcome('saved'),
  })
  const isChanged = fields.some((field) => field.isChanged)
  const invalid = fields.filter((field) => field.error !== undefined)

  async function save() {
    setOutcome(null)
    // After a failure to read the profile, submitting reads it again.
    if (!isChanged && status !== 'failed') return setOutcome('unchanged')
    await submit()
  }

  if (status === 'loading') return <p role="status">{texts.loading}</p>
  return (
    <form className="card" noValidate onSubmit={submitting(save)}>
      <h1>{texts.profile}</h1>
      {sections.map(({ section, title, description, fields }) => (
        <fieldset key={section}>
          <legend>{title ?? section}</legend>
          {description && <p className="hint">{description}</p>}
          <div className="grid">
            {fields.map((field) => (
              <ProfileField key={field.name} field={field} onChange={(value) => setValue(field.name, value)} />
            ))}
          </div>
        </fieldset>
      ))}
      <ErrorNotice error={error} />
      {invalid.length > 0 && (
        <p role="alert" className="notice error">
          {texts.fixFields(invalid.length)}
        </p>
      )}
      <p role="status">
        {outcome === 'saved' && !isChanged && texts.saved}
        {outcome === 'unchanged' && !isChanged && texts.nothingChanged}
      </p>
      <div className="actions sticky">
        <button type="submit" disabled={status === 'saving'}>
          {texts.save}
        </button>
        {isChanged && (
          <button type="button" className="quiet" onClick={reset}>
            {texts.discard}
          </button>
        )}
      </div>
    </form>
  )
}
