/** The processor time of this thread, in milliseconds. Unlike the time that passes, it does not depend on what else the machine does. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
