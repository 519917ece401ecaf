/** The name of each sender in a list: the configured one, or the first unused of `smtp`, `smtp-2`, `smtp-3`, … */
export function senderNames(
  senders: readonly { readonly type: string; readonly name?: string | undefined }[],
): string[] {
  const taken = new Set(senders.flatMap(({ name }) => name ?? []))
  return senders.map(({ type, name }) => {
    if (name !== undefined) return name
    let free = type
    for (let number = 2; taken.has(free); number++) free = `${type}-${number}`
    taken.add(free)
    return free
  })
}
