import type { ControlProps } from './profile-control.tsx'

/** The answer to a text: the text itself, and a box. The version that the user saw is stored with the answer. */
export function Consent({ field, control, onChange }: ControlProps) {
  const version = String(field.rules['version'] ?? '1')
  const answer = field.value as { accepted: boolean; version: string } | null
  return (
    <>
      {field.description && (
        <p id={`${control.id}-text`} className="consent-text">
          {field.description}
        </p>
      )}
      <label htmlFor={control.id} className="check">
        <input
          {...control}
          type="checkbox"
          role={field.control === 'switch' ? 'switch' : undefined}
          aria-describedby={[field.description && `${control.id}-text`, control['aria-describedby']]
            .filter(Boolean)
            .join(' ')}
          // The answer to an older text does not count for this one.
          checked={answer?.accepted === true && answer.version === version}
          onChange={({ target }) => onChange({ accepted: target.checked, version })}
        />
        {field.label}
      </label>
    </>
  )
}
