import { Button, Group, List, Stack, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { counted } from '../counted.ts'
import { UnsavedChanges } from '../dialogs/unsaved-changes.tsx'
import { Problem } from '../pages/problem.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import type { SettingsForm } from './use-settings.ts'

interface SaveBarProps {
  readonly form: SettingsForm
  /** The paths whose messages stand beside their fields; the others are listed here. */
  readonly shown?: (path: string) => boolean
  /** Why it cannot be saved as it is. */
  readonly obstacle?: string | undefined
}

/** Appears at the bottom of a screen with settings as soon as something is changed. */
export function SaveBar({ form, shown = () => false, obstacle }: SaveBarProps) {
  const { changes, conflict, problems, error, isSaving, save, discard } = form
  const isChanged = changes.length > 0 || obstacle !== undefined
  useFocusOfFirstProblem(error)
  useFocusAfterwards(isChanged)
  const others = Object.entries(problems).filter(([path]) => !shown(path))
  return (
    <>
      <UnsavedChanges isChanged={isChanged} />
      <ConflictDialog conflict={conflict} mine={changes} />
      {isChanged && (
        <Stack
          className="panel save-bar"
          component="section"
          aria-label="Unsaved changes"
          gap="sm"
          p="md"
          mt="md"
          style={{
            position: 'sticky',
            insetBlockEnd: 12,
            zIndex: 10,
            maxHeight: '70dvh',
            overflowY: 'auto',
            boxShadow: 'var(--mantine-shadow-md)',
          }}
        >
          {error != null && <Problem error={error} />}
          {others.length > 0 && (
            <List size="sm">
              {others.map(([path, message]) => (
                <List.Item key={path} style={{ overflowWrap: 'anywhere' }}>
                  <b>{path}</b>: {message}
                </List.Item>
              ))}
            </List>
          )}
          <Group justify="space-between" gap="sm">
            <Text size="sm" role="status" c={obstacle === undefined ? 'dimmed' : 'var(--mantine-color-error)'}>
              {obstacle ?? `${counted(changes.length, 'setting')} changed`}
            </Text>
            <Group gap="sm">
              <Button variant="default" onClick={discard} disabled={isSaving}>
                Discard
              </Button>
              <Button onClick={save} loading={isSaving} disabled={obstacle !== undefined}>
                Save
              </Button>
            </Group>
          </Group>
        </Stack>
      )}
    </>
  )
}

/** A refused save leads to the first field that the server refused, or to the message about what is not one field. */
function useFocusOfFirstProblem(error: unknown): void {
  useEffect(() => {
    if (error == null) return
    document.querySelector<HTMLElement>('#main :is([aria-invalid="true"], [data-refused])')?.focus()
  }, [error])
}

/** The bar disappears with its buttons: the focus goes to the heading, and is not lost. */
function useFocusAfterwards(isShown: boolean): void {
  const wasShown = useRef(isShown)
  useEffect(() => {
    if (wasShown.current && !isShown && document.activeElement === document.body) {
      document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
    }
    wasShown.current = isShown
  }, [isShown])
}
