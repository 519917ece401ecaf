import { Accordion, ActionIcon, Button, Group, Menu, Stack, Text } from '@mantine/core'
import { IconDotsVertical, IconForms, IconPlus, IconTrash } from '@tabler/icons-react'
import { use, useState } from 'react'
import { counted } from '../../parts/counted.ts'
import { Empty } from '../../parts/pages/empty.tsx'
import { State } from '../../parts/state.tsx'
import type { ProfileForm } from '../draft.ts'
import { useEditor } from '../editor-context.ts'
import { freeName, nameProblem } from '../fields/edit-field.ts'
import { NameInput } from '../fields/name-input.tsx'
import { namePlace } from '../fields/unusable-names.ts'
import { wordingIn } from '../languages.ts'
import { OwnProblems, problemIdOf } from '../problems/own-problems.tsx'
import { ProblemContext, ProblemScope } from '../problems/problem-context.tsx'
import { ProblemState } from '../problems/problem-text.tsx'
import { FormContent } from './form-content.tsx'

interface FormsEditorProps {
  /** The form that is open, and previewed; `''`: none. */
  readonly open: string
  readonly onOpen: (form: string) => void
}

/** The forms that apps show: sign-up, and others with fields or steps. */
export function FormsEditor({ open, onOpen }: FormsEditorProps) {
  const { draft, edit } = useEditor()
  const names = Object.keys(draft.forms)
  const [keys] = useState(formKeys)
  const setForms = (entries: readonly (readonly [string, ProfileForm])[]) =>
    edit({ do: 'setForms', forms: Object.fromEntries(entries) })
  function add(wanted: string, form: ProfileForm): void {
    const name = freeName(wanted, names)
    setForms([...Object.entries(draft.forms), [name, form]])
    onOpen(name)
  }
  return (
    <Stack gap="sm">
      {names.length === 0 && (
        <div className="panel">
          <Empty title="No forms yet" Icon={IconForms}>
            The form “signUp” says what a new user fills in. Other forms complete a profile later, in steps if you like.
          </Empty>
        </div>
      )}
      <Accordion
        value={open}
        onChange={(name) => onOpen(name ?? '')}
        variant="separated"
        radius="lg"
        styles={{ item: { background: 'var(--panel)', border: '1px solid var(--line)' } }}
      >
        {Object.entries(draft.forms).map(([name, form]) => (
          <FormItem
            key={keys.keyOf(name)}
            name={name}
            form={form}
            onChange={(next) => edit({ do: 'setForms', forms: { ...draft.forms, [name]: next } })}
            onRename={(next) => {
              keys.rename(name, next)
              setForms(Object.entries(draft.forms).map(([one, of]) => [one === name ? next : one, of]))
              onOpen(next)
            }}
            onRemove={() => setForms(Object.entries(draft.forms).filter(([one]) => one !== name))}
          />
        ))}
      </Accordion>
      <Group gap="sm" grow preventGrowOverflow={false}>
        {!names.includes('signUp') && (
          <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => add('signUp', { fields: [] })}>
            Add the sign-up form
          </Button>
        )}
        <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => add('form', { fields: [] })}>
          Add a form
        </Button>
      </Group>
    </Stack>
  )
}

/** Keys of forms by name. One that is renamed keeps its key: with it the focus, or the click that ended the typing. */
function formKeys() {
  const keys = new Map<string, number>()
  let next = 0
  function keyOf(name: string): number {
    const key = keys.get(name) ?? next++
    keys.set(name, key)
    return key
  }
  function rename(from: string, to: string): void {
    keys.set(to, keyOf(from))
    keys.delete(from)
  }
  return { keyOf, rename }
}

interface FormItemProps {
  readonly name: string
  readonly form: ProfileForm
  readonly onChange: (form: ProfileForm) => void
  readonly onRename: (name: string) => void
  readonly onRemove: () => void
}

function FormItem({ name, form, onChange, onRename, onRemove }: FormItemProps) {
  const { draft } = useEditor()
  const owner = `form:${name}`
  const { placed, messages } = use(ProblemContext)
  const others = Object.keys(draft.forms).filter((one) => one !== name)
  const size = form.steps === undefined ? (form.fields?.length ?? 0) : form.steps.length
  const unit = form.steps === undefined ? 'field' : 'step'
  return (
    <Accordion.Item value={name}>
      <Group gap={0} wrap="nowrap">
        <Accordion.Control
          flex={1}
          data-control={owner}
          aria-describedby={messages.has(owner) ? problemIdOf(owner) : undefined}
        >
          <Group gap="sm" wrap="wrap">
            <Text fw={600} dir="auto">
              {wordingIn(form.title) || name}
            </Text>
            <State tone="quiet">{counted(size, unit)}</State>
            <ProblemState count={placed.filter((one) => one.owner === owner).length} />
            {form.prompt !== undefined && <State tone="info">after sign-in</State>}
          </Group>
        </Accordion.Control>
        <Menu position="bottom-end" withinPortal={false}>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" me="xs" aria-label={`Actions of form ${name}`}>
              <IconDotsVertical size={18} stroke={1.75} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconTrash size={16} />} color="var(--mantine-color-error)" onClick={onRemove}>
              Remove the form
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Group>
      <Accordion.Panel>
        <Stack gap="sm">
          <OwnProblems owner={owner} />
          <NameInput
            label="Name"
            description="Apps ask for the form by it. The service requires the form “signUp” of a new user."
            data-control={`${owner}.name`}
            name={name}
            place={namePlace('form', name)}
            problemOf={(typed) => nameProblem(typed, 'form', others)}
            onRename={onRename}
          />
          <ProblemScope at={owner}>
            <FormContent name={name} form={form} onChange={onChange} />
          </ProblemScope>
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  )
}
