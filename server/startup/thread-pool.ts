import { availableParallelism } from 'node:os'

/**
 * Sets the size of libuv's thread pool; call it before anything uses the pool. Password hashes take up to one thread per core
 * and name lookups half of the threads. A write to SQLite waits for its fsync, which must not wait for those.
 */
export function sizeThreadPool(environment: NodeJS.ProcessEnv): void {
  environment['UV_THREADPOOL_SIZE'] ||= String(2 * availableParallelism() + 4)
}
