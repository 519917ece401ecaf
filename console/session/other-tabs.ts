/** The pages of a browser share its session: one that has signed in or out tells the others. */
const channel = new BroadcastChannel('tenantry.session')

export const tellOtherTabs = (): void => channel.postMessage(null)

/** Calls `listener` after another page has signed in or out. Returns how to stop. */
export function onOtherTab(listener: () => void): () => void {
  channel.addEventListener('message', listener)
  return () => channel.removeEventListener('message', listener)
}
