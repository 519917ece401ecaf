import { Button } from '@mantine/core'
import { counted } from '../../parts/counted.ts'
import type { CheckReport } from '../schema-queries.ts'

interface PublishButtonProps {
  readonly report: CheckReport
  /** Of the version; `''`: the server numbers it. */
  readonly name: string
  readonly isBusy: boolean
  readonly onPublish: () => void
}

/** Names what breaks. */
export function PublishButton({ report, name, isBusy, onPublish }: PublishButtonProps) {
  const { changes } = report
  const failingProfiles = report.failingProfiles ?? 0
  const version = name === '' ? 'the next version' : `version ${name}`
  if (failingProfiles > 0) {
    const profiles = counted(failingProfiles, 'profile fails', 'profiles fail')
    return (
      <Button color="red.8" loading={isBusy} onClick={onPublish}>
        Publish although {profiles}
      </Button>
    )
  }
  const breaks = changes.some(({ kind }) => kind === 'removed' || kind === 'retyped')
  return (
    <Button loading={isBusy} onClick={onPublish} {...(breaks && { color: 'red.8' })}>
      {breaks ? `Publish ${version} with breaking changes` : `Publish ${version}`}
    </Button>
  )
}
