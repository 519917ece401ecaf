/**
 * Checks the search parameters of a screen: each is a text that may be missing; others are dropped. The router gives a
 * screen those, too, such as a mark of a mail program: a screen that uses all it gets selects with this again.
 */
export const texts =
  <const Name extends string>(...names: readonly Name[]) =>
  (search: Record<string, unknown>): { [N in Name]?: string } =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = search[name]
        return value === undefined || value === null || value === '' ? [] : [[name, String(value)]]
      }),
    ) as { [N in Name]?: string }
