import { spawnSync } from 'node:child_process'
import { renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

// npm runs builds as "prepare" at the end of `npm ci`, with the Node of the machine: no TypeScript, and nothing imported that may
// not be installed.

const root = fileURLToPath(new URL('..', import.meta.url))

/** Whether a package is installed: without development dependencies (`npm ci --omit=dev`) builders are not. */
function isInstalled(name) {
  try {
    createRequire(import.meta.url).resolve(`${name}/package.json`)
    return true
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND') return false
    throw error
  }
}

/** What vite and rolldown need. */
function isNodeNewEnough() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  return major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)
}

/**
 * Runs a build if its builder is installed, with the installed Node if this one is too old for it.
 * @param builder the package that builds
 * @param script the script that calls this, from the root of the repository
 * @param build resolves when it is built
 */
export async function runBuild(builder, script, build) {
  if (!isInstalled(builder)) return
  if (isNodeNewEnough()) return build()
  process.exitCode =
    spawnSync(process.execPath, ['launcher/launch.mjs', script], { cwd: root, stdio: 'inherit' }).status ?? 1
}

/**
 * Replaces `target` by the folder `built`, which `write` fills. If it fails, nothing changes.
 * @param built does not exist yet; on the same disk
 */
export async function replaceFolder(target, built, write) {
  try {
    await write()
    rmSync(target, { recursive: true, force: true })
    renameSync(built, target)
  } finally {
    rmSync(built, { recursive: true, force: true })
  }
}
