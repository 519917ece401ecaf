import { Table } from '@mantine/core'
import type { ReactNode } from 'react'

interface LineTableProps {
  readonly label: string
  /** After the column of line numbers. One that fits its cells leaves the others the rest of a small screen. */
  readonly columns: readonly { readonly header: string; readonly fits?: true }[]
  readonly rows: readonly { readonly line: number; readonly cells: readonly ReactNode[] }[]
}

/** Lines of a file by their number. */
export const LineTable = ({ label, columns, rows }: LineTableProps) => (
  <Table aria-label={label} verticalSpacing="xs" horizontalSpacing="sm" borderColor="var(--line)">
    <Table.Thead>
      <Table.Tr>
        {[{ header: 'Line', fits: true }, ...columns].map(({ header, fits }, index) => (
          <Table.Th
            key={header}
            scope="col"
            fz="xs"
            c="dimmed"
            w={fits ? 1 : undefined}
            ta={index === 0 ? 'end' : undefined}
          >
            {header}
          </Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {rows.map(({ line, cells }) => (
        <Table.Tr key={line}>
          <Table.Td ta="end">{line}</Table.Td>
          {cells.map((cell, index) => (
            <Table.Td
              key={columns[index]?.header}
              style={columns[index]?.fits ? { whiteSpace: 'nowrap' } : { overflowWrap: 'anywhere' }}
            >
              {cell}
            </Table.Td>
          ))}
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
)
