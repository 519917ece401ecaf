import { Fragment } from 'react'
import classes from './activity.module.css'
import { Party } from './party.tsx'
import type { RecordedEvent } from './recorded-event.ts'
import { sentenceOf } from './sentences.ts'

/** What happened, as a sentence with links. */
export function Sentence({ event }: { readonly event: RecordedEvent }) {
  const { actor, subject, tenantId } = event
  const isSelf = actor.kind === subject.kind && actor.id === subject.id
  const text = sentenceOf(event)
  // Who acts on their own account is named once.
  const namesActor = text.includes('{actor}')
  return (
    <div className={classes['sentence']}>
      {text.split(/(\{\w+\})/).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence stay where they are
        <Fragment key={index}>
          {part === '{actor}' ? (
            <Party {...actor} tenantId={tenantId} />
          ) : part === '{subject}' ? (
            isSelf && namesActor ? (
              'their own account'
            ) : (
              <Party {...subject} tenantId={tenantId} />
            )
          ) : (
            part
          )}
        </Fragment>
      ))}
    </div>
  )
}
