import { ActionIcon, Badge, Box, Button, Group, Menu, Stack, Text } from '@mantine/core'
import { IconDotsVertical, IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { actOf } from '../../parts/act-of.ts'
import { MoveItems } from '../../parts/ordering/move-items.tsx'
import { useMoves } from '../../parts/ordering/use-moves.ts'
import type { ComponentOption } from '../draft.ts'
import { useEditor } from '../editor-context.ts'
import { LocalizedInput } from '../localized-input.tsx'
import { useProblemCount, useProblemProps } from '../problems/problem-context.tsx'
import { ProblemText } from '../problems/problem-text.tsx'
import { withOrWithout } from '../references.ts'
import { ConditionEditor } from './condition-editor.tsx'
import { freeName } from './edit-field.ts'
import classes from './field-row.module.css'
import { NameInput } from './name-input.tsx'
import type { SettingsProps } from './settings-props.ts'
import { optionPlace } from './unusable-names.ts'

/** The choices of a select or multiselect, in their order. */
export function FieldOptions({ field, change }: SettingsProps) {
  const { edit } = useEditor()
  const options = field.options ?? []
  const setOptions = (next: readonly ComponentOption[]) => change({ options: next })
  const { keys, move } = useMoves(options, setOptions)
  function add(): void {
    const value = freeName(
      'option',
      options.map((option) => option.value),
    )
    setOptions([...options, { value }])
  }
  return (
    <Stack gap="sm">
      <ProblemText at="options" />
      {options.map((option, index) => (
        <Option
          key={keys[index]}
          at={`options.${index}`}
          place={optionPlace(field.key, options, index)}
          option={option}
          field={field.key}
          onChange={(next) => setOptions(options.with(index, next))}
          onRename={(value) => edit({ do: 'renameOption', key: field.key, index, value })}
          onUp={index > 0 ? () => move(index, index - 1) : undefined}
          onDown={index < options.length - 1 ? () => move(index, index + 1) : undefined}
          {...(options.length > 1 && { onRemove: () => setOptions(options.toSpliced(index, 1)) })}
        />
      ))}
      <Group>
        <Button variant="default" size="xs" leftSection={<IconPlus size={14} />} onClick={add}>
          Add an option
        </Button>
        <Text size="xs" c="dimmed">
          {options.length} of at most 500
        </Text>
      </Group>
    </Stack>
  )
}

interface OptionProps {
  readonly at: string
  readonly place: string
  readonly option: ComponentOption
  readonly field: string
  readonly onChange: (option: ComponentOption) => void
  readonly onRename: (value: string) => void
  readonly onUp: (() => void) | undefined
  readonly onDown: (() => void) | undefined
  readonly onRemove?: () => void
}

function Option({ at, place, option, field, onChange, onRename, onUp, onDown, onRemove }: OptionProps) {
  const [isOpened, setCondition] = useState(false)
  const problem = useProblemProps()
  const hasCondition = useProblemCount()(`${at}.when`) > 0 || isOpened
  return (
    <Box p="sm" style={{ border: '1px solid var(--line)', borderRadius: 'var(--mantine-radius-md)' }}>
      <Stack gap="xs">
        <Group gap={6} wrap="nowrap" align="flex-start">
          <NameInput
            {...problem(`${at}.value`)}
            label="Value"
            size="xs"
            flex={1}
            name={option.value}
            place={place}
            problemOf={(typed) => (typed === '' ? 'An option needs a value.' : undefined)}
            onRename={onRename}
          />
          {option.when !== undefined && !hasCondition && (
            <Badge variant="default" className={classes['beside-small-input']}>
              conditional
            </Badge>
          )}
          <OptionMenu name={option.value} onUp={onUp} onDown={onDown} {...(onRemove && { onRemove })}>
            <Menu.Item onClick={() => setCondition(!hasCondition)}>
              {hasCondition ? 'Hide the condition' : 'Condition…'}
            </Menu.Item>
          </OptionMenu>
        </Group>
        <LocalizedInput
          label="Label"
          at={`${at}.label`}
          text={option.label}
          onChange={(label) => onChange(withOrWithout(option, 'label', label))}
          placeholder={option.value}
        />
        {hasCondition && (
          <ConditionEditor
            label="Can be chosen only while"
            at={`${at}.when`}
            condition={option.when}
            field={field}
            onChange={(when) => onChange(withOrWithout(option, 'when', when))}
          />
        )}
      </Stack>
    </Box>
  )
}

interface OptionMenuProps extends Pick<OptionProps, 'onUp' | 'onDown' | 'onRemove'> {
  readonly name: string
  /** What else can be done. */
  readonly children: ReactNode
}

function OptionMenu({ name, onUp, onDown, onRemove, children }: OptionMenuProps) {
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          className={classes['beside-small-input']}
          aria-label={`Actions of option ${name}`}
        >
          <IconDotsVertical size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <MoveItems onUp={onUp} onDown={onDown} />
        {children}
        <Menu.Item leftSection={<IconTrash size={16} />} color="var(--mantine-color-error)" {...actOf(onRemove)}>
          Remove
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
