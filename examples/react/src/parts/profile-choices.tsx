import { useLanguage } from '../language.tsx'
import type { ControlProps } from './profile-control.tsx'

/** The options of a `multiselect`. */
export function Checkboxes({ field, choices, onChange }: ControlProps) {
  const chosen: readonly unknown[] = Array.isArray(field.value) ? field.value : []
  return (
    <div className="choices">
      {choices.map(({ value, label }) => (
        <label key={value} className="check">
          <input
            type="checkbox"
            disabled={!field.writable}
            checked={chosen.includes(value)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, value] : chosen.filter((each) => each !== value))
            }
          />
          {label}
        </label>
      ))}
    </div>
  )
}

/** One of several options, or yes and no. A field that may be empty has a button that clears it. */
export function Radios({ field, control, choices, onChange }: ControlProps) {
  const { texts } = useLanguage()
  const options: readonly { value: unknown; label: string }[] =
    field.type === 'boolean'
      ? [
          { value: true, label: texts.yes },
          { value: false, label: texts.no },
        ]
      : choices
  return (
    <div className="choices">
      {options.map(({ value, label }) => (
        <label key={String(value)} className="check">
          <input
            type="radio"
            name={control.id}
            disabled={!field.writable}
            checked={field.value === value}
            onChange={() => onChange(value)}
          />
          {label}
        </label>
      ))}
      {!field.required && field.writable && field.value !== null && (
        <button type="button" className="quiet small" onClick={() => onChange(null)}>
          {texts.clear}
        </button>
      )}
    </div>
  )
}

/** A small number as stars; each is a radio button, so that keyboards and screen readers can use them. */
export function Stars({ field, control, onChange }: ControlProps) {
  const { texts } = useLanguage()
  const most = Math.min(Number(field.rules['max'] ?? 5), 10)
  return (
    <div className="stars">
      {Array.from({ length: most }, (_, index) => index + 1).map((count) => (
        <label key={count} className={count <= Number(field.value ?? 0) ? 'full' : undefined}>
          <input
            type="radio"
            name={control.id}
            disabled={!field.writable}
            checked={field.value === count}
            onChange={() => onChange(count)}
          />
          <span className="hidden-text">{texts.stars(count)}</span>
          <span aria-hidden="true">★</span>
        </label>
      ))}
    </div>
  )
}
