/** An own property, so that a field or form may be called `toString`. */
export const own = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined

/** A copy with the properties for which `isKept` holds. */
export const entriesWhere = <T>(
  record: Readonly<Record<string, T>>,
  isKept: (name: string, value: T) => boolean,
): Record<string, T> => Object.fromEntries(Object.entries(record).filter(([name, value]) => isKept(name, value)))
