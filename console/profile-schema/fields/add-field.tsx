import { Button, Group, Select, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { anyScript } from '../../parts/any-script.ts'
import { FormDialog } from '../../parts/dialogs/form-dialog.tsx'
import type { FieldTypeName } from '../draft.ts'
import { useEditor } from '../editor-context.ts'
import { wordingIn } from '../languages.ts'
import { freeName, nameProblem } from './edit-field.ts'
import { typeChoices } from './field-basics.tsx'
import { nameOf } from './move-field.ts'

/** Buttons below the list: another field, another section. */
export function AddToList() {
  const [adds, setAdds] = useState<'field' | 'section' | null>(null)
  const close = () => setAdds(null)
  return (
    <>
      <Group gap="sm" grow preventGrowOverflow={false}>
        <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => setAdds('field')}>
          Add a field
        </Button>
        <Button variant="default" leftSection={<IconPlus size={16} />} onClick={() => setAdds('section')}>
          Add a section
        </Button>
      </Group>
      {adds === 'field' && <NewField onClose={close} />}
      {adds === 'section' && <NewSection onClose={close} />}
    </>
  )
}

function NewField({ onClose }: { readonly onClose: () => void }) {
  const { draft, edit } = useEditor()
  const [label, setLabel] = useState('')
  const [named, setNamed] = useState<string>()
  const [type, setType] = useState<FieldTypeName>('text')
  const [section, setSection] = useState<string | null>(draft.sections.at(-1)?.key ?? null)
  const taken = draft.fields.map((field) => field.name)
  const name = named ?? freeName(nameOf(label, 'field'), taken)
  const problem = nameProblem(name, 'field', taken)
  function add(): void {
    if (problem !== undefined) return
    onClose()
    edit({ do: 'addField', type, name, label: label.trim(), section })
  }
  return (
    <FormDialog title="Add a field" act="Add field" isReady={problem === undefined} onSubmit={add} onClose={onClose}>
      <TextInput
        label="Label"
        description="What users read. Other languages can be added afterwards."
        value={label}
        onChange={({ currentTarget }) => setLabel(currentTarget.value)}
        {...anyScript}
        data-autofocus
      />
      <Select
        label="Type"
        value={type}
        data={typeChoices}
        searchable
        allowDeselect={false}
        onChange={(value) => value !== null && setType(value as FieldTypeName)}
      />
      <TextInput
        label="Name"
        description="In the API and in stored profiles."
        value={name}
        error={problem}
        onChange={({ currentTarget }) => setNamed(currentTarget.value)}
        spellCheck={false}
        autoComplete="off"
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      {draft.sections.length > 0 && (
        <Select
          label="Section"
          value={section ?? ''}
          data={[
            ...draft.sections.map((one) => ({ value: one.key, label: wordingIn(one.title) || one.section })),
            { value: '', label: 'Not on the profile page' },
          ]}
          allowDeselect={false}
          onChange={(key) => setSection(key || null)}
        />
      )}
    </FormDialog>
  )
}

function NewSection({ onClose }: { readonly onClose: () => void }) {
  const { draft, edit } = useEditor()
  const [title, setTitle] = useState('')
  const trimmed = title.trim()
  function add(): void {
    if (trimmed === '') return
    onClose()
    edit({ do: 'addSection', title: trimmed })
  }
  return (
    <FormDialog title="Add a section" act="Add section" isReady={trimmed !== ''} onSubmit={add} onClose={onClose}>
      <TextInput
        label="Title"
        description={draft.sections.length === 0 ? 'The first section gets all fields.' : undefined}
        value={title}
        onChange={({ currentTarget }) => setTitle(currentTarget.value)}
        {...anyScript}
        data-autofocus
      />
    </FormDialog>
  )
}
