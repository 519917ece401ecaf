import type { consoleOperations, OperationName, streams } from '../../../../contract/operations.ts'
import { clientExamples } from './client-examples.ts'
import { consoleExamples } from './console-examples.ts'
import { eventExamples } from './event-examples.ts'
import type { Examples } from './example.ts'
import { messageExamples } from './message-examples.ts'
import { operatorAccountExamples } from './operator-account-examples.ts'
import { operatorExamples } from './operator-examples.ts'
import { serviceExamples } from './service-examples.ts'
import { statisticsExamples } from './statistics-examples.ts'

/** The examples of every operation. They tell one story: the demo tenant, its users Ada and Grace, one afternoon. */
export const examples: Readonly<
  Record<OperationName | keyof typeof streams | keyof typeof consoleOperations, Examples>
> = {
  ...clientExamples,
  ...operatorExamples,
  ...messageExamples,
  ...consoleExamples,
  ...eventExamples,
  ...operatorAccountExamples,
  ...statisticsExamples,
  ...serviceExamples,
}
