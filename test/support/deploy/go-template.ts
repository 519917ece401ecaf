import { hash } from 'node:crypto'
import { stringify } from 'yaml'

/**
 * The part of Go's text/template and of Helm's functions that the chart in deploy/helm uses: if, else, range, include,
 * pipelines, trim markers. Anything else is an error, so that the chart stays within it.
 */
type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'output'; readonly source: string }
  | { readonly kind: 'if'; readonly source: string; readonly body: Node[]; readonly otherwise: Node[] }
  | { readonly kind: 'range'; readonly source: string; readonly names: readonly string[]; readonly body: Node[] }

export type Templates = Map<string, Node[]>

interface Scope {
  readonly dot: unknown
  readonly root: unknown
  readonly variables: Readonly<Record<string, unknown>>
}

/** Actions and the text between them, with white space trimmed as the markers say. */
function tokensOf(text: string): { readonly action: boolean; readonly text: string }[] {
  const trimmed = text.replaceAll(/\s*\{\{- /g, '{{ ').replaceAll(/ -\}\}\s*/g, ' }}')
  return trimmed.split(/(\{\{[\s\S]*?\}\})/).map((part, index) => ({
    action: index % 2 === 1,
    text: index % 2 === 1 ? part.slice(2, -2).trim() : part,
  }))
}

/** Adds the `define`d templates of a file to `templates`, and returns the rest. */
export function parseTemplate(text: string, templates: Templates): Node[] {
  const tokens = tokensOf(text)
  function block(): { nodes: Node[]; end: string } {
    const nodes: Node[] = []
    for (let token = tokens.shift(); token !== undefined; token = tokens.shift()) {
      const [, word = '', rest = ''] = /^(\w*)\s*([\s\S]*)$/.exec(token.text) ?? []
      if (!token.action) nodes.push({ kind: 'text', text: token.text })
      else if (token.text.startsWith('/*')) continue
      else if (word === 'end' || word === 'else') return { nodes, end: word }
      else if (word === 'define') templates.set(JSON.parse(rest), block().nodes)
      else if (word === 'if') {
        const then = block()
        nodes.push({
          ...{ kind: 'if', source: rest, body: then.nodes },
          otherwise: then.end === 'else' ? block().nodes : [],
        })
      } else if (word === 'range') {
        const [, key, value, source = rest] = /^\$(\w+), \$(\w+) := (.*)$/.exec(rest) ?? []
        const names = key === undefined ? [] : [key, value!]
        nodes.push({ kind: 'range', source, names, body: block().nodes })
      } else nodes.push({ kind: 'output', source: token.text })
    }
    return { nodes, end: '' }
  }
  const { nodes, end } = block()
  if (end !== '') throw new Error(`"${end}" without its beginning`)
  return nodes
}

const isTrue = (value: unknown): boolean =>
  Boolean(value) && (typeof value !== 'object' || Object.keys(value as object).length > 0)

export function renderNodes(nodes: readonly Node[], scope: Scope, templates: Templates): string {
  const value = (source: string) => evaluate(source, scope, templates)
  const render = (children: readonly Node[], inner: Scope = scope) => renderNodes(children, inner, templates)
  const each = (node: Extract<Node, { kind: 'range' }>) => {
    const [key, item] = node.names
    const items = value(node.source) as object
    // Go visits the keys of a map in order.
    const entries = Array.isArray(items)
      ? Object.entries(items)
      : Object.entries(items).toSorted(([a], [b]) => (a < b ? -1 : 1))
    return entries.map(([name, dot]) => {
      const variables = key === undefined ? {} : { [key]: name, [item!]: dot }
      return render(node.body, { ...scope, dot, variables: { ...scope.variables, ...variables } })
    })
  }
  const texts = nodes.map((node): string => {
    if (node.kind === 'text') return node.text
    if (node.kind === 'output') return String(value(node.source))
    if (node.kind === 'range') return each(node).join('')
    return render(isTrue(value(node.source)) ? node.body : node.otherwise)
  })
  return texts.join('')
}

function evaluate(source: string, scope: Scope, templates: Templates): unknown {
  let piped: readonly unknown[] = []
  for (const command of source.split(' | ')) {
    const [head = '', ...rest] = command.match(/"(?:[^"\\]|\\.)*"|\S+/g) ?? []
    if (/^[.$"\d]/.test(head)) {
      if (rest.length > 0 || piped.length > 0) throw new Error(`not understood: ${source}`)
      piped = [operand(head, scope)]
    } else piped = [call(head, [...rest.map((word) => operand(word, scope)), ...piped], scope, templates)]
  }
  return piped[0]
}

function operand(word: string, { dot, root, variables }: Scope): unknown {
  if (/^["\d]/.test(word)) return JSON.parse(word)
  const [, variable, path] = /^(\$\w*)?\.?([\w.]*)$/.exec(word) ?? []
  if (path === undefined) throw new Error(`not understood: ${word}`)
  const start = variable === undefined ? dot : variable === '$' ? root : variables[variable.slice(1)]
  return path
    .split('.')
    .filter(Boolean)
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], start)
}

function call(name: string, given: readonly unknown[], scope: Scope, templates: Templates): unknown {
  const [first, second] = given
  switch (name) {
    case 'include': {
      const nodes = templates.get(String(first))
      if (nodes === undefined) throw new Error(`no template ${first}`)
      return renderNodes(nodes, { ...scope, dot: second, root: second, variables: {} }, templates)
    }
    case 'nindent':
      return `\n${String(second).replaceAll(/^/gm, ' '.repeat(Number(first)))}`
    case 'toYaml':
      return stringify(first).trimEnd()
    case 'sha256sum':
      return hash('sha256', String(first))
    case 'quote':
      return JSON.stringify(String(first ?? ''))
    case 'default':
      return isTrue(second) ? second : first
    case 'eq':
      return first === second
    case 'not':
      return !isTrue(first)
    case 'required':
      if (isTrue(second)) return second
      throw new Error(String(first))
  }
  throw new Error(`unknown function ${name}`)
}
