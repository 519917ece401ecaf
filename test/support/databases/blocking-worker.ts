import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker, workerData } from 'node:worker_threads'

/** What a worker of `startBlockingWorker` is started with. */
interface BlockingWorkerData {
  readonly port: MessagePort
  /** The number of the last question that it has answered. */
  readonly answered: Int32Array<SharedArrayBuffer>
}

interface Numbered<T> {
  readonly number: number
  readonly value: T
}

/** Blocks this thread until the answer is there, or throws after `longestMs`. */
type Ask<Question, Answer> = (question: Question, longestMs: number) => Answer

/**
 * Starts a thread for questions, which ends with the process.
 *
 * @param module calls `answerQuestions`
 */
export function startBlockingWorker<Question, Answer>(module: URL): Ask<Question, Answer> {
  const { port1: port, port2 } = new MessageChannel()
  const answered = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  new Worker(module, { workerData: { port: port2, answered }, transferList: [port2] }).unref()
  let number = 0

  function waitForAnswer(longestMs: number): void {
    // The value decides, not the wake-up, because the one for the answer before can come as late as during this wait.
    for (let last = Atomics.load(answered, 0); last !== number; last = Atomics.load(answered, 0)) {
      if (Atomics.wait(answered, 0, last, longestMs) === 'timed-out') throw new Error(`no answer in ${longestMs} ms`)
    }
  }

  return (value, longestMs) => {
    number++
    port.postMessage({ number, value } satisfies Numbered<Question>)
    waitForAnswer(longestMs)
    for (;;) {
      // Answers that came too late are still in the port.
      const answer: Numbered<Answer> = receiveMessageOnPort(port)!.message
      if (answer.number === number) return answer.value
    }
  }
}

/** Answers the questions of the thread that started this one. */
export function answerQuestions<Question, Answer>(answerTo: (question: Question) => Promise<Answer>): void {
  const { port, answered } = workerData as BlockingWorkerData
  port.on('message', async ({ number, value }: Numbered<Question>) => {
    port.postMessage({ number, value: await answerTo(value) } satisfies Numbered<Answer>)
    Atomics.store(answered, 0, number)
    Atomics.notify(answered, 0)
  })
}
