import { useLanguage } from '../language.tsx'
import { messageFor } from './error-notice.tsx'
import { TextField } from './text-field.tsx'

interface AccountFieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
  /** The error of the form's last attempt. */
  readonly error: unknown
}

/** The address of an account. */
export function EmailField({ value, onChange, error }: AccountFieldProps) {
  const { texts } = useLanguage()
  return (
    <TextField
      label={texts.email}
      type="email"
      autoComplete="username"
      required
      value={value}
      onChange={({ target }) => onChange(target.value)}
      error={messageFor('email', error)}
    />
  )
}

/** The phone number of an account. */
export function PhoneField({ value, onChange, error }: AccountFieldProps) {
  const { texts } = useLanguage()
  return (
    <TextField
      label={texts.phone}
      hint={texts.phoneHint}
      type="tel"
      autoComplete="tel"
      required
      value={value}
      onChange={({ target }) => onChange(target.value)}
      error={messageFor('phone', error)}
    />
  )
}

/** A password that the user chooses. */
export function NewPasswordField({ label, value, onChange, error }: AccountFieldProps & { readonly label: string }) {
  const { texts } = useLanguage()
  return (
    <TextField
      label={label}
      hint={texts.passwordHint}
      type="password"
      autoComplete="new-password"
      minLength={8}
      required
      value={value}
      onChange={({ target }) => onChange(target.value)}
      error={messageFor('password', error)}
    />
  )
}
