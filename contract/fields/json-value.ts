/** Any result of `JSON.parse`. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }
