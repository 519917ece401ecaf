/**
 * Browsers read an answer only when they have sent the whole body, and the server stops reading a body while 16 MB of its
 * answer are unread. The answer to a part has one line of at most about a kilobyte for each of its lines, if every one fails.
 */
const partBytes = 2_097_152
const partLines = 10_000
const lineFeed = 10

interface Part {
  readonly bytes: Blob
  /** The lines of the file before it. */
  readonly linesBefore: number
}

/** The parts of a file that are sent one after the other. Each ends with a line. */
export async function* partsOf(file: Blob, maxBytes = partBytes, maxLines = partLines): AsyncGenerator<Part> {
  let linesBefore = 0
  for (let start = 0; start < file.size; ) {
    const read = new Uint8Array(await file.slice(start, start + maxBytes).arrayBuffer())
    let [lines, length] = [0, 0]
    for (let at = read.indexOf(lineFeed); at !== -1 && lines < maxLines; at = read.indexOf(lineFeed, length)) {
      lines++
      length = at + 1
    }
    const isLast = start + read.length === file.size
    if (lines < maxLines && (isLast || length === 0)) length = read.length
    yield { bytes: file.slice(start, start + length), linesBefore }
    linesBefore += lines
    start += length
  }
}
