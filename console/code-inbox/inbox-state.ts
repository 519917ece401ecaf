import type { TestingChannelMessage } from './testing-channel-message.ts'

/** The messages that the inbox keeps; older ones are forgotten, so that a busy inbox stays quick. */
export const kept = 500

/** What the inbox shows. */
export interface InboxState {
  /** Newest first, each once. */
  readonly messages: readonly TestingChannelMessage[]
  /** Messages that arrived since the list was paused, newest first. */
  readonly held: readonly TestingChannelMessage[]
  readonly isPaused: boolean
}

export type InboxAction =
  /** In the order of arrival, with messages that may be known already. */
  | { readonly type: 'arrived'; readonly messages: readonly TestingChannelMessage[] }
  | { readonly type: 'paused' }
  | { readonly type: 'resumed' }
  /** The messages of a tenant, or all, were removed from the inbox. */
  | { readonly type: 'cleared'; readonly tenantId?: string | undefined }
  /** Another filter of the server applies: what is shown does not belong to it. */
  | { readonly type: 'reset' }

export const emptyInbox: InboxState = { messages: [], held: [], isPaused: false }

export function inboxReducer(state: InboxState, action: InboxAction): InboxState {
  switch (action.type) {
    case 'arrived': {
      const fresh = newestFirst(action.messages, [...state.messages, ...state.held])
      if (fresh.length === 0) return state
      return state.isPaused
        ? { ...state, held: [...fresh, ...state.held].slice(0, kept) }
        : { ...state, messages: [...fresh, ...state.messages].slice(0, kept) }
    }
    case 'paused':
      return { ...state, isPaused: true }
    case 'resumed':
      return { messages: [...state.held, ...state.messages].slice(0, kept), held: [], isPaused: false }
    case 'cleared': {
      const stays = ({ tenantId }: TestingChannelMessage) =>
        action.tenantId !== undefined && tenantId !== action.tenantId
      return { ...state, messages: state.messages.filter(stays), held: state.held.filter(stays) }
    }
    case 'reset':
      return { ...emptyInbox, isPaused: state.isPaused }
  }
}

/** Those of `arrived` that are not known, each once, newest first. */
function newestFirst(
  arrived: readonly TestingChannelMessage[],
  known: readonly TestingChannelMessage[],
): TestingChannelMessage[] {
  const ids = new Set(known.map(({ id }) => id))
  const fresh: TestingChannelMessage[] = []
  for (const message of arrived) {
    if (ids.has(message.id)) continue
    ids.add(message.id)
    fresh.unshift(message)
  }
  return fresh
}

/** The messages whose recipient contains the text, without regard to case, spaces and the hyphens of numbers. */
export function filterByRecipient(
  messages: readonly TestingChannelMessage[],
  recipient: string | undefined,
): readonly TestingChannelMessage[] {
  const text = comparable(recipient ?? '')
  return text === '' ? messages : messages.filter((message) => comparable(message.recipient).includes(text))
}

const comparable = (text: string): string => {
  const lower = text.trim().toLowerCase()
  return /^[+\d][\d\s()./-]*$/.test(lower) ? lower.replaceAll(/[^+\d]/g, '') : lower
}
