/**
 * Browsers read an answer only when they have sent the whole body, and the server stops reading a body while 16 MB of its
 * answer are unread. The answer to a part of this size is smaller, also when every line fails.
 */
const partBytes = 2_097_152
const lineFeed = 10

interface Part {
  readonly bytes: Blob
  /** The lines of the file before it. */
  readonly linesBefore: number
}

/** The parts of a file that are sent one after the other. Each ends with a line. */
export async function* partsOf(file: Blob, maxBytes = partBytes): AsyncGenerator<Part> {
  let linesBefore = 0
  for (let start = 0; start < file.size; ) {
    const read = new Uint8Array(await file.slice(start, start + maxBytes).arrayBuffer())
    const isLast = start + read.length === file.size
    const length = isLast ? read.length : read.lastIndexOf(lineFeed) + 1 || read.length
    yield { bytes: file.slice(start, start + length), linesBefore }
    for (let at = read.indexOf(lineFeed); at !== -1 && at < length; at = read.indexOf(lineFeed, at + 1)) linesBefore++
    start += length
  }
}
