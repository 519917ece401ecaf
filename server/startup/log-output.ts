import { writeSync } from 'node:fs'
import { fileErrorCode } from '../core/file-refusal.ts'

/** Where all lines of the log go. */
interface LogOutput {
  /** Writes complete lines; returns when they are written or dropped. */
  write(lines: string | Buffer): void
}

/** How long to wait for the reader of a full pipe, in milliseconds. */
const retryMs = 100
const sleeping = new Int32Array(new SharedArrayBuffer(4))
const lineEnd = Buffer.from('\n')

/**
 * An output that never ends or stops the server: lines that cannot be written, such as on a full disk, are dropped. Each time
 * that begins and ends is reported. A reader that has gone is not reported, and gets nothing more; one that stalls is waited for
 * once its pipe is full.
 *
 * @param fd of the process's standard output, or of a file
 * @param report receives a sentence for people
 */
export function createLogOutput(fd: number, report: (sentence: string) => void): LogOutput {
  let dropped = 0
  /** Whether the last line in the output lacks its end. */
  let isCut = false
  let isGone = false

  function writeAll(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      try {
        at += writeSync(fd, bytes, at)
        isCut = bytes[at - 1] !== lineEnd[0]
      } catch (error) {
        if (fileErrorCode(error) !== 'EAGAIN') throw error
        Atomics.wait(sleeping, 0, 0, retryMs)
      }
    }
  }

  return {
    write(lines) {
      if (isGone) return
      try {
        if (isCut) writeAll(lineEnd)
        writeAll(typeof lines === 'string' ? Buffer.from(lines) : lines)
        if (dropped > 0) report(`The log can be written again; ${dropped} writes were lost.`)
        dropped = 0
      } catch (error) {
        isGone = fileErrorCode(error) === 'EPIPE'
        if (dropped++ === 0 && !isGone)
          report(`The log cannot be written (${fileErrorCode(error)}); its lines are lost until it can.`)
      }
    },
  }
}
