import { useMutation } from '@tanstack/react-query'
import { TenantryError } from '../../../packages/client/src/errors.ts'
import { fieldErrorsOf } from '../../parts/dialogs/form-errors.ts'
import { useEditor } from '../editor-context.ts'
import {
  type CurrentSchema,
  type OtherVersion,
  type Publication,
  publishDraft,
  readCurrentSchema,
  stepsSince,
} from '../schema-queries.ts'
import type { OnProblems } from './use-check.ts'

export interface PublishInput {
  /** The revision of the tenant that the draft began from. */
  readonly etag: string | undefined
  /** The version that the draft continues is current, with another revision. */
  readonly onCurrent: (current: CurrentSchema) => void
  /** Another operator has published since. */
  readonly onConflict: (theirs: OtherVersion) => void
  /** What the server refuses of a draft. */
  readonly onProblems: OnProblems
  readonly onPublished: (publication: Publication) => Promise<void>
}

/**
 * Publishes the draft unless another operator was faster.
 * @param name of the version; `''`: the server numbers it
 */
export function usePublish(name: string, { etag, onCurrent, onConflict, onProblems, onPublished }: PublishInput) {
  const { tenantId, draft, base } = useEditor()
  return useMutation({
    mutationFn: async () => {
      const named = { ...draft, version: name === '' ? undefined : name }
      try {
        return await publishDraft(tenantId, named, etag)
      } catch (error) {
        if (!(error instanceof TenantryError) || error.code !== 'PRECONDITION_FAILED') throw error
        const theirs = await readCurrentSchema(tenantId)
        // Something else of the tenant has changed: its schema is the one that the draft began from.
        if (theirs.schema.version === base.version) {
          onCurrent(theirs)
          return publishDraft(tenantId, named, theirs.etag)
        }
        onConflict({ current: theirs, steps: await stepsSince(tenantId, base, theirs.schema) })
        throw error
      }
    },
    onSuccess: onPublished,
    onError: (error) => onProblems(fieldErrorsOf(error), draft),
  })
}
