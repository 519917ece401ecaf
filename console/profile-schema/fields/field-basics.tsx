import { NativeSelect, Select, Stack, Switch } from '@mantine/core'
import type { ComponentControl, DraftField, FieldTypeName } from '../draft.ts'
import { useEditor } from '../editor-context.ts'
import { LocalizedInput } from '../localized-input.tsx'
import { useProblemProps } from '../problems/problem-context.tsx'
import { nameProblem } from './edit-field.ts'
import { controlsOf, fieldKinds, fieldTypes, takesPlaceholder } from './field-kinds.ts'
import { NameInput } from './name-input.tsx'
import type { SettingsProps } from './settings-props.ts'
import { namePlace } from './unusable-names.ts'

const controlLabels: Readonly<Record<ComponentControl, string>> = {
  ...{ dropdown: 'Dropdown', radio: 'Radio buttons', checkboxes: 'Checkboxes', switch: 'Switch', range: 'Slider' },
  ...{ stars: 'Stars', textarea: 'Several lines', hidden: 'Not shown', avatar: 'Picture' },
}

export function FieldBasics({ field, change }: SettingsProps) {
  const controls = controlsOf(field.type)
  const problem = useProblemProps()
  return (
    <Stack gap="sm">
      <LocalizedInput
        label="Label"
        at="label"
        text={field.label}
        onChange={(label) => change({ label })}
        placeholder={field.name}
      />
      <LocalizedInput
        label="Help text"
        at="description"
        text={field.description}
        onChange={(description) => change({ description })}
        isLong
      />
      {takesPlaceholder(field.type) && (
        <LocalizedInput
          label="Placeholder"
          at="placeholder"
          text={field.placeholder}
          onChange={(placeholder) => change({ placeholder })}
        />
      )}
      <FieldName field={field} />
      <FieldType field={field} />
      {controls.length > 0 && (
        <NativeSelect
          {...problem('control')}
          label="Shown as"
          description="A hint for apps. It changes no rule."
          value={field.control ?? ''}
          onChange={({ currentTarget }) =>
            change({ control: (currentTarget.value || undefined) as ComponentControl | undefined })
          }
          data={[
            { value: '', label: 'What fits the type' },
            ...controls.map((value) => ({ value, label: controlLabels[value] })),
          ]}
        />
      )}
      <Switch
        {...problem('required')}
        label="Required"
        description="A value that is set cannot be cleared. Forms say which fields must be filled in."
        checked={field.required === true}
        onChange={({ currentTarget }) => change({ required: currentTarget.checked || undefined })}
      />
    </Stack>
  )
}

/** The name is stored with every profile, so it changes when it is complete, and a migration with it. */
function FieldName({ field }: { readonly field: DraftField }) {
  const { draft, edit } = useEditor()
  const problem = useProblemProps()
  const others = draft.fields.flatMap(({ key, name }) => (key === field.key ? [] : [name]))
  return (
    <NameInput
      {...problem('name')}
      label="Name"
      description="In the API and in stored profiles. Renaming moves the stored values with it."
      name={field.name}
      place={namePlace(`field:${field.key}`, field.name)}
      problemOf={(typed) => nameProblem(typed, 'field', others)}
      onRename={(name) => edit({ do: 'renameField', key: field.key, name })}
    />
  )
}

const groups = [...new Set(fieldTypes.map((type) => fieldKinds[type].group))]
/** The types in their groups. */
export const typeChoices = groups.map((group) => ({
  group,
  items: fieldTypes
    .filter((type) => fieldKinds[type].group === group)
    .map((type) => ({ value: type as string, label: fieldKinds[type].label })),
}))

function FieldType({ field }: { readonly field: DraftField }) {
  const { edit } = useEditor()
  const problem = useProblemProps()
  return (
    <Select
      {...problem('type')}
      label="Type"
      description={`In the API: ${field.type}. Stored values are cast where that is possible.`}
      value={field.type}
      data={typeChoices}
      searchable
      allowDeselect={false}
      onChange={(type) => type !== null && edit({ do: 'retypeField', key: field.key, type: type as FieldTypeName })}
    />
  )
}
