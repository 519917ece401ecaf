const none: readonly never[] = Object.freeze([])

/** The list a column of JSON text holds; almost always the empty one, which costs no parsing. */
export const parseList = <T extends string>(json: string): readonly T[] => (json === '[]' ? none : JSON.parse(json))
