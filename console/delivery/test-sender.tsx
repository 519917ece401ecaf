import { Text, TextInput } from '@mantine/core'
import type { DeliveryMethod } from '../../packages/client/src/admin.ts'
import { FormDialog } from '../parts/dialogs/form-dialog.tsx'
import { languageName } from '../parts/language-name.ts'
import { messageKinds } from '../parts/messages/message-kinds.ts'
import { Problem } from '../parts/pages/problem.tsx'
import type { TemplatePlace } from './own-templates.ts'
import { TestReport } from './test-report.tsx'
import { useTest } from './use-test.ts'

interface TestSenderProps {
  readonly tenantId: string
  readonly method: DeliveryMethod
  readonly name: string
  /** The text that is sent. */
  readonly place: TemplatePlace
  readonly onClose: () => void
}

/** Sends a test with one sender, also one that is skipped at the moment. */
export function TestSender({ tenantId, method, name, place, onClose }: TestSenderProps) {
  const { send, isPending, report, field, isReady, problem } = useTest(tenantId, method, place, name)
  return (
    <FormDialog
      title={`Test “${name}”`}
      act="Send the test"
      isReady={isReady}
      isPending={isPending}
      onSubmit={send}
      onClose={onClose}
    >
      <Text size="sm">
        “{messageKinds[place.kind]}” in {languageName(place.language)}, with a code that opens nothing. No other sender
        is tried.
      </Text>
      <TextInput label={method === 'email' ? 'To this address' : 'To this number'} data-autofocus {...field} />
      {problem !== null && <Problem error={problem} namesValues ofAct />}
      {report && <TestReport report={report} tenantId={tenantId} />}
    </FormDialog>
  )
}
