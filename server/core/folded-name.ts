/**
 * A name in the form that a search compares: case, compatible forms of characters and the kind and number of spaces do not
 * differ. Each character is folded alone, so that a beginning is folded as in the whole: `Σ` at the end of a word, `ß`.
 */
export const foldedName = (name: string): string =>
  Array.from(name.normalize('NFKC'), folded).join('').normalize('NFKC').replaceAll(/\s+/g, ' ').trim()

const folded = (character: string): string => character.toLowerCase().toUpperCase().toLowerCase()
