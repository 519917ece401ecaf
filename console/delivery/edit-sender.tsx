import { NativeSelect, PasswordInput, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { senderForms } from '../../contract/senders/generated/sender-forms.ts'
import type { DeliveryMethod } from '../../packages/client/src/admin.ts'
import { FormDialog } from '../parts/dialogs/form-dialog.tsx'
import { channelWords } from '../parts/messages/message-kinds.ts'
import { type Sender, type SenderType, senderOf, typesFor, valuesOf } from './senders.ts'

interface EditSenderProps {
  readonly method: DeliveryMethod
  /** null: a new one. */
  readonly sender: Sender | null
  readonly onDone: (sender: Sender) => void
  readonly onClose: () => void
}

/** The settings of one sender. They become part of the draft, which is saved with the rest of the screen. */
export function EditSender({ method, sender, onDone, onClose }: EditSenderProps) {
  const types = typesFor(method)
  const [type, setType] = useState<SenderType>(sender?.type ?? types[0]!)
  const [values, setValues] = useState(sender === null ? {} : valuesOf(sender))
  const hasSecret = (name: string) => sender?.type === type && name in sender
  const field = (name: string) => ({
    value: values[name] ?? '',
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => {
      // Read now: React calls the updater after the event.
      const { value } = currentTarget
      setValues((now) => ({ ...now, [name]: value }))
    },
    autoComplete: 'off',
    spellCheck: false,
  })
  return (
    <FormDialog
      title={sender === null ? `Add a sender of ${channelWords[method]}` : 'Edit the sender'}
      act={sender === null ? 'Add' : 'Apply'}
      onSubmit={() => onDone(senderOf(type, values, sender ?? undefined))}
      onClose={onClose}
    >
      <NativeSelect
        label="Type"
        data-autofocus
        value={type}
        data={types.map((value) => ({ value, label: senderForms[value].label }))}
        onChange={({ currentTarget }) => setType(currentTarget.value as SenderType)}
      />
      <TextInput label="Name" description="Shown with messages. Optional." placeholder={type} {...field('name')} />
      {senderForms[type].fields.map(({ name, label, description, placeholder, defaultValue, isSecret, isNumber }) =>
        isSecret ? (
          <PasswordInput
            key={name}
            label={label}
            description={description}
            placeholder={hasSecret(name) ? 'Leave empty to keep it' : undefined}
            visibilityToggleButtonProps={{ 'aria-label': `Show the ${label.toLowerCase()}` }}
            {...field(name)}
            autoComplete="new-password"
          />
        ) : (
          <TextInput
            key={name}
            label={label}
            description={description}
            placeholder={placeholder ?? defaultValue}
            {...(isNumber && { inputMode: 'numeric' as const })}
            {...field(name)}
          />
        ),
      )}
      {senderForms[type].fields.some(({ name, isSecret }) => isSecret && hasSecret(name)) && (
        <Text size="xs" c="dimmed">
          A stored secret is kept for this name, account and server only. Give it again when you change one of them.
        </Text>
      )}
    </FormDialog>
  )
}
