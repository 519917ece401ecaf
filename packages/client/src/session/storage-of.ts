import type { Session, SessionStorage } from './session.ts'

/** The storage of each session and the name of its item, for what is stored beside it. */
export const storageOf: WeakMap<Session, { readonly storage: SessionStorage; readonly key: string }> = new WeakMap()
