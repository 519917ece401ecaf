/** A name in the form that a search compares: case and compatible forms of characters do not differ. */
export const foldedName = (name: string): string => name.normalize('NFKC').toLowerCase().trim()
