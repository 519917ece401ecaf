/** The end of an id, for where names are read: ids of one time begin alike. */
export const shortId = (id: string): string => (id.length > 12 ? `…${id.slice(-6)}` : id)
