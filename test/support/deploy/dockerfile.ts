/** One instruction of a Dockerfile. */
interface Step {
  /** `FROM`, `RUN`, … */
  readonly instruction: string
  /** Its arguments, with continued lines joined. */
  readonly text: string
}

/** The steps between one FROM and the next. */
export interface Stage {
  /** The name after `AS`; null for the last stage. */
  readonly name: string | null
  readonly base: string
  readonly steps: readonly Step[]
}

/** Reads a Dockerfile without heredocs, ARG and escapes other than the backslash. */
export function parseDockerfile(text: string): Stage[] {
  const lines = text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter(Boolean)
  const stages: { name: string | null; base: string; steps: Step[] }[] = []
  for (const line of lines) {
    const [, instruction = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? []
    if (instruction === '') throw new Error(`Not an instruction: ${line}`)
    const [, base, name = null] = /^(\S+)(?: AS (\S+))?$/.exec(rest) ?? []
    if (instruction === 'FROM') stages.push({ name, base: base!, steps: [] })
    else stages.at(-1)!.steps.push({ instruction, text: rest })
  }
  return stages
}

/** The arguments of the last such step; throws when there is none. */
export function getStep({ steps }: Stage, instruction: string): string {
  const step = steps.findLast((each) => each.instruction === instruction)
  if (step === undefined) throw new Error(`The Dockerfile has no ${instruction}`)
  return step.text
}

/** The variables of all ENV steps of the form NAME=value without quotes. */
export function readEnv({ steps }: Stage): Record<string, string> {
  const texts = steps.filter(({ instruction }) => instruction === 'ENV').map(({ text }) => text)
  return Object.fromEntries(texts.flatMap((text) => text.split(' ')).map((pair) => pair.split('=') as [string, string]))
}

/** A pattern in Docker's syntax: `*` matches part of a name, also with a leading dot, and `**` any folders. */
const toExpression = (glob: string): RegExp => {
  const parts = glob.split('/').map((part) => part.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*'))
  return new RegExp(`^${parts.join('/').replaceAll('[^/]*[^/]*/', '(?:.*/)?')}$`)
}

/** Whether .dockerignore lets a file into the build. The last pattern that matches the file or its folder decides. */
export function createDockerignore(text: string): (path: string) => boolean {
  const patterns = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const rules = patterns.map((line) => ({ sends: line.startsWith('!'), fits: toExpression(line.replace(/^!/, '')) }))
  return (path) => {
    const parts = path.split('/')
    const lineage = parts.map((_, index) => parts.slice(0, index + 1).join('/'))
    return rules.findLast(({ fits }) => lineage.some((each) => fits.test(each)))?.sends ?? true
  }
}
