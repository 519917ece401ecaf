import { useLanguage } from '../language.tsx'
import { messageFor } from './error-notice.tsx'
import { TextField, type TextFieldProps } from './text-field.tsx'

interface AccountFieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
  /** The error of the form's last attempt. */
  readonly error: unknown
}

type InputProps = AccountFieldProps & Omit<TextFieldProps, keyof AccountFieldProps>

/** A required input, with what the error says of the member `name` of the request. */
function AccountField({ name, onChange, error, ...input }: InputProps & { readonly name: string }) {
  return (
    <TextField {...input} required onChange={({ target }) => onChange(target.value)} error={messageFor(name, error)} />
  )
}

/** The address of an account. */
export function EmailField(props: AccountFieldProps) {
  const { texts } = useLanguage()
  return <AccountField {...props} name="email" label={texts.email} type="email" autoComplete="username" />
}

/** The phone number of an account. */
export function PhoneField(props: AccountFieldProps) {
  const { texts } = useLanguage()
  return (
    <AccountField {...props} name="phone" label={texts.phone} hint={texts.phoneHint} type="tel" autoComplete="tel" />
  )
}

/** The password that an account has; `name` is the member of the request. */
export function CurrentPasswordField(props: InputProps & { readonly name: 'password' | 'currentPassword' }) {
  return <AccountField {...props} type="password" autoComplete="current-password" />
}

/** A password that the user chooses. */
export function NewPasswordField(props: AccountFieldProps & { readonly label: string }) {
  const { texts } = useLanguage()
  const rule = { hint: texts.passwordHint, minLength: 8 }
  return <AccountField {...props} {...rule} name="password" type="password" autoComplete="new-password" />
}
