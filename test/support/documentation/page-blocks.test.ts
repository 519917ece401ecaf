import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blocksOf, isShown, meaningOf } from './page-blocks.ts'

test('reads code blocks with their section, comment and file', () => {
  const page = [
    ...[
      '# Page',
      '',
      '```sh',
      '# not a heading',
      'curl',
      '```',
      '',
      'Create `src/main.tsx`:',
      '',
      '```tsx',
      'x',
      '```',
    ],
    ...['', '## Next', '', '<!-- not run: why -->', '```', 'y', '```', ''],
  ].join('\n')
  assert.deepEqual(blocksOf(page), [
    { heading: 'Page', language: 'sh', text: '# not a heading\ncurl\n', note: '', file: undefined },
    { heading: 'Page', language: 'tsx', text: 'x\n', note: '', file: 'src/main.tsx' },
    { heading: 'Next', language: '', text: 'y\n', note: 'not run: why', file: undefined },
  ])
})

test('compares outputs except for ids, times, codes and what a page leaves out', () => {
  assert.ok(isShown('id 01M82P8C1W90K0F22HQK2ZWDPM, …', 'id 01M82P6Y2807E49CDCRJWPF0WW, 102791\n'))
  assert.ok(isShown('code 102791', 'code 871726'))
  assert.equal(isShown('200 []', '200 [x]'), false)
  assert.equal(isShown('a…', 'a\nb'), false)
  assert.equal(isShown('429', '42.9'), false)
})

test('compares JSON with every member that a page does not leave out', () => {
  const actual = { data: { id: '01M82P6Y2807E49CDCRJWPF0WW', name: 'Ada', tags: ['a'], born: null } }
  const isEqual = (shown: object) => JSON.stringify(meaningOf(shown, actual)) === JSON.stringify(actual)
  assert.ok(isEqual({ data: { ...actual.data, id: '01M82P8C1W90K0F22HQK2ZWDPM' } }))
  assert.ok(isEqual({ data: { name: 'A…', '…': '…' } }))
  assert.equal(isEqual({ data: { name: 'Bob', '…': '…' } }), false)
  assert.equal(isEqual({ data: { tags: [], '…': '…' } }), false)
  assert.equal(isEqual({ data: { born: '', '…': '…' } }), false)
  assert.equal(isEqual({ data: { name: 'Ada' } }), false)
})
