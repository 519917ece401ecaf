import { validateProfile } from '@tenantry/client/profile'
import { useProfileForm } from '@tenantry/client/react'
import { useLanguage } from '../language.tsx'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { ProfileField } from '../parts/profile-field.tsx'
import { submitting } from '../parts/submitting.ts'
import { VerifyAddress } from '../parts/verify-address.tsx'
import { goTo, Link } from '../router.tsx'

/** The form with steps that the service names after a sign-in. Each step is saved when the user continues. */
export function OnboardingScreen({ form }: { readonly form: string }) {
  const { texts, language } = useLanguage()
  const { status, steps, sections, setValue, next, back, error } = useProfileForm({
    form,
    locale: language,
    validate: validateProfile,
  })
  if (status === 'loading') return <p role="status">{texts.loading}</p>
  const index = steps.findIndex(({ isCurrent }) => isCurrent)
  const current = steps[index]
  const section = sections[0]

  async function go() {
    if ((await next()) && index === steps.length - 1) goTo('profile')
  }

  return (
    <section className="card narrow">
      <h1>{current?.title ?? texts.profile}</h1>
      <ol className="steps" aria-label={texts.steps}>
        {steps.map(({ step, title, isCurrent, isComplete }) => (
          <li key={step} aria-current={isCurrent ? 'step' : undefined} className={isComplete ? 'complete' : undefined}>
            {title ?? step}
            {isComplete && <span className="hidden-text"> {texts.stepComplete}</span>}
          </li>
        ))}
      </ol>
      {current?.description && <p>{current.description}</p>}
      {current?.verify ? (
        <VerifyAddress key={current.step} kind={current.verify} onVerified={go} />
      ) : (
        <form noValidate onSubmit={submitting(go)} id="step">
          {section?.fields.map((field) => (
            <ProfileField key={field.name} field={field} onChange={(value) => setValue(field.name, value)} />
          ))}
          <ErrorNotice error={error} />
        </form>
      )}
      <div className="actions">
        {(current?.verify === undefined || current.isComplete) && (
          <button
            {...(current?.verify ? { type: 'button', onClick: go } : { type: 'submit', form: 'step' })}
            disabled={status === 'saving'}
          >
            {index === steps.length - 1 ? texts.finish : texts.continue}
          </button>
        )}
        {index > 0 && (
          <button type="button" className="quiet" onClick={back}>
            {texts.previousStep}
          </button>
        )}
      </div>
      <p className="links">
        <Link to="profile">{texts.later}</Link>
      </p>
    </section>
  )
}
