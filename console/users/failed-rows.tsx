import { Button, Group, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { fieldsInWords } from '../../contract/fields/rule-in-words.ts'
import { saveFile } from '../parts/save-file.ts'
import type { FailedRow } from './import-run.ts'
import { LineTable } from './line-table.tsx'

/** Rows that a table can show quickly; the file has all of them. */
const shownRows = 100

/** Why a row failed: the message of each field, otherwise that of the row. */
export const whyFailed = (row: FailedRow): string => fieldsInWords(row).join(' · ') || row.message

/** The rows of an import that failed, by their line, and a file with all of them. */
export function FailedRows({ rows }: { readonly rows: readonly FailedRow[] }) {
  function download(): void {
    const text = rows.map((row) => `${JSON.stringify(row)}\n`)
    saveFile(new Blob(text, { type: 'application/x-ndjson' }), 'failed-rows.ndjson')
  }
  return (
    <>
      <Group justify="space-between" px="md" pb="sm">
        <Text size="sm" c="dimmed">
          {rows.length > shownRows
            ? `The first ${shownRows} of ${rows.length.toLocaleString('en')}`
            : 'By line of the file'}
        </Text>
        <Button size="xs" variant="default" leftSection={<IconDownload size={14} />} onClick={download}>
          Download failures
        </Button>
      </Group>
      <LineTable
        label="Failed rows"
        columns={[{ header: 'Why' }]}
        rows={rows.slice(0, shownRows).map((row) => ({
          line: row.line,
          cells: [
            <>
              <Text size="sm">{whyFailed(row)}</Text>
              <Text size="xs" c="dimmed" ff="monospace">
                {row.code}
              </Text>
            </>,
          ],
        }))}
      />
    </>
  )
}
