/** An optional filter; the cast tells PostgreSQL the type of a parameter that may be NULL. */
export const optional = (column: string, index: number) => `(CAST($${index} AS TEXT) IS NULL OR ${column} = $${index})`

/** No text lies between a text and its successor, because PostgreSQL stores no NUL. */
export const successorOf = (text: string) => `${text}\u0001`
