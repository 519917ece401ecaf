import { pastedText } from '../../contract/pasted-text.ts'
import type { TestingChannelMessage } from './testing-channel-message.ts'

/** The messages whose recipient contains the text, without regard to case, spaces and the hyphens of numbers. */
export function filterByRecipient<Message extends Pick<TestingChannelMessage, 'recipient'>>(
  messages: readonly Message[],
  recipient: string | undefined,
): readonly Message[] {
  const text = comparable(recipient ?? '')
  return text === '' ? messages : messages.filter((message) => comparable(message.recipient).includes(text))
}

const comparable = (text: string): string => {
  const lower = pastedText(text).toLowerCase()
  return /^[+\d][\d\s()./-]*$/.test(lower) ? lower.replaceAll(/[^+\d]/g, '') : lower
}
