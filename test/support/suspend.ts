/** Blocks the event loop, as SIGSTOP and SIGCONT do. */
export const suspend = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
