import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

// `node launcher/launch.mjs <file> …` runs a file of this repository with a Node that can run it. Older versions must be able
// to parse this file, so that they reach the message at its end: no TypeScript, no top-level await.

/** As in `engines` of package.json. */
const neededMajor = 24
const isNewEnough = (version) => Number(/^v(\d+)\./.exec(version)[1]) >= neededMajor

/** The Node that npm installs on Linux beside an older one (docs/decisions/0039-node-and-launcher.md); null without it. */
function findBundled() {
  const path = fileURLToPath(new URL(`../node_modules/node-linux-${process.arch}/bin/node`, import.meta.url))
  // It may be missing, or unable to run here: it needs glibc.
  const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' })
  return status === 0 && isNewEnough(stdout) ? path : null
}

/** Starts again with another Node: in this process where it can be replaced (Node 22.15), otherwise in a child process. */
function startAgain(node) {
  const command = [...process.execArgv, ...process.argv.slice(1)]
  if (process.execve) process.execve(node, [node, ...command], process.env)
  const child = spawn(node, command, { stdio: 'inherit' })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

/**
 * npm sends signals to the shell of a script. Shells such as Debian's dash end without passing them on, so a server would run on
 * after `npm start` was stopped. The end of the shell stands for the signal.
 */
function endWithShell() {
  const shell = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 100)
  watch.unref()
}

if (isNewEnough(process.version)) {
  if (process.env.npm_lifecycle_event !== undefined) endWithShell()
  const target = new URL(`../${process.argv[2]}`, import.meta.url)
  process.argv.splice(1, 2, fileURLToPath(target))
  import(target.href)
} else {
  const node = findBundled()
  if (node) startAgain(node)
  else {
    console.error(`Tenantry needs Node ${neededMajor} or later; this is ${process.version}`)
    console.error('Install it from https://nodejs.org, then run "npm ci" again.')
    process.exitCode = 1
  }
}
