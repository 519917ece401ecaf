import { ActionIcon, Box, Button, Group, Stack, Text, Textarea, TextInput, Tooltip } from '@mantine/core'
import { IconLanguage, IconPlus } from '@tabler/icons-react'
import { type KeyboardEvent, useState } from 'react'
import { anyScript } from '../parts/any-script.ts'
import type { LocalizedText } from './draft.ts'
import { useEditor } from './editor-context.ts'
import classes from './fields/field-row.module.css'
import { isRightToLeft, languageName, withWording, wordingIn } from './languages.ts'
import { useProblemCount, useProblemProps } from './problems/problem-context.tsx'

interface LocalizedInputProps {
  readonly label: string
  readonly text: LocalizedText | undefined
  /** Gets undefined for no text. */
  readonly onChange: (text: LocalizedText | undefined) => void
  readonly isLong?: boolean
  readonly placeholder?: string
  /** The address of its problems: the member of the document. */
  readonly at?: string
}

/** A text for users: one wording for all languages, and below it one for each language that the schema has. */
export function LocalizedInput(props: LocalizedInputProps) {
  const { label, text, onChange, isLong, placeholder, at } = props
  const { languages } = useEditor()
  const [isOpened, setOpen] = useState(false)
  const problem = useProblemProps()
  const count = useProblemCount()
  const problemAt = (tag?: string) => (at === undefined ? {} : problem(tag === undefined ? at : `${at}.${tag}`))
  const translated = typeof text === 'object' ? Object.keys(text).filter((tag) => tag !== 'default') : []
  const [added, setAdded] = useState<readonly string[]>([])
  const shown = [...new Set([...languages, ...translated, ...added])]
  const missing = shown.filter((tag) => wordingIn(text, tag) === '').length
  // A problem in one of the languages is not hidden.
  const isOpen = isOpened || (at !== undefined && shown.some((tag) => count(`${at}.${tag}`) > 0))
  const change = (language: string) => (wording: string) => onChange(withWording(text, language, wording))
  const hint = translated.length === 0 ? 'Translate' : `${translated.length} of ${shown.length} languages`
  return (
    <Box>
      <Group gap={6} align="flex-start" wrap="nowrap">
        <Wording
          label={label}
          value={wordingIn(text)}
          onChange={change('default')}
          isLong={isLong}
          placeholder={placeholder}
          {...problemAt()}
        />
        <Tooltip label={hint}>
          <ActionIcon
            variant={isOpen ? 'light' : 'default'}
            size={36}
            className={classes['beside-input']}
            aria-label={`${label} in other languages`}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            <IconLanguage size={18} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      </Group>
      {isOpen && (
        <Stack gap={6} mt={6} ps="sm" style={{ borderInlineStart: '2px solid var(--line)' }}>
          {shown.map((tag) => (
            <Wording
              key={tag}
              label={`${label}, ${languageName(tag)}`}
              shortLabel={languageName(tag)}
              value={wordingIn(text, tag)}
              onChange={change(tag)}
              isLong={isLong}
              dir={isRightToLeft(tag) ? 'rtl' : 'ltr'}
              lang={tag}
              {...problemAt(tag)}
            />
          ))}
          {missing > 0 && translated.length > 0 && (
            <Text size="xs" c="dimmed">
              Languages without a text show the first one.
            </Text>
          )}
          <AddLanguage taken={shown} onAdd={(tag) => setAdded([...added, tag])} />
        </Stack>
      )}
    </Box>
  )
}

/** By the browser: measuring in scripts takes a layout of the whole list with each key. */
const growing = { input: { fieldSizing: 'content', minHeight: '3.6rem', maxHeight: '12rem' } } as const

interface WordingProps {
  readonly label: string
  readonly shortLabel?: string
  readonly value: string
  readonly onChange: (wording: string) => void
  readonly isLong?: boolean | undefined
  readonly error?: boolean | string
  readonly dir?: 'ltr' | 'rtl' | 'auto'
  readonly lang?: string
  readonly placeholder?: string | undefined
}

function Wording({ label, shortLabel, onChange, isLong, dir = 'auto', ...input }: WordingProps) {
  const shared = {
    ...input,
    ...(dir === 'auto' ? anyScript : { dir }),
    label: shortLabel ?? label,
    ...(shortLabel !== undefined && { 'aria-label': label, size: 'xs' as const }),
    style: { flex: 1, minWidth: 0 },
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value),
  }
  return isLong ? <Textarea {...shared} rows={2} styles={growing} /> : <TextInput {...shared} />
}

function AddLanguage({ taken, onAdd }: { readonly taken: readonly string[]; readonly onAdd: (tag: string) => void }) {
  const [tag, setTag] = useState('')
  const isTag = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(tag) && !taken.includes(tag)
  function add(): void {
    if (!isTag) return
    onAdd(tag)
    setTag('')
  }
  return (
    <Group gap={6} align="flex-end">
      <TextInput
        size="xs"
        w={150}
        label="Another language"
        placeholder="fr, pt-BR, ar …"
        value={tag}
        onChange={({ currentTarget }) => setTag(currentTarget.value.trim())}
        onKeyDown={(event: KeyboardEvent) => event.key === 'Enter' && add()}
      />
      <Button size="xs" variant="default" leftSection={<IconPlus size={14} />} disabled={!isTag} onClick={add}>
        Add
      </Button>
    </Group>
  )
}
