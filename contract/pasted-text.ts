/**
 * An address, a number, an id or a key as it was copied, without what pages and messengers put around it: white space and
 * invisible characters.
 */
export const pastedText = (text: string): string => text.replaceAll(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, '')
