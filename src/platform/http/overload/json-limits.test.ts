import Type from 'typebox'
import { expect, test } from 'vitest'
import { cpuMsOf } from '../../../../test/support/cpu.ts'
import { openWorld } from '../../../../test/support/world.ts'
import * as audiences from '../audiences.ts'
import { readJson } from '../validation/bodies.ts'

const body = Type.Object({ name: Type.String({ maxLength: 10 }) }, { additionalProperties: false })
const { send } = await openWorld({
  extraRoutes: (api, deps) =>
    audiences.publicWrites(api, deps, (scope) => {
      const schema = { operationId: 'takeBody', summary: 'takeBody', tags: ['communes'], body }
      scope.post('/test/body', { schema }, async () => ({}))
    }),
})
const json = { 'content-type': 'application/json' }

const many = (count: number, part: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => part(i))
const costly = {
  'nested too deeply': '['.repeat(33) + ']'.repeat(33),
  'of too many keys': `{${many(1_001, (i) => `"k${i}":1`)}}`,
  'of too many items': `{"name":"a","tags":[${many(5_001, () => '""')}]}`,
  'of too many values': `[${many(5, () => `[${many(4_999, () => '1')}]`)}]`,
}

test.each(Object.entries(costly))('a body %s returns 422', async (_what, body) => {
  const answer = await send('POST', '/test/body', body, { headers: json })
  expect(answer).toBeError(422, 'validation_failed')
  expect(answer.body.details).toEqual([
    { field: '', message: expect.stringMatching(/^must have at most 32 levels, 1000 keys per object, /) },
  ])
})

test.each([
  ['as deep as may be', `{"name":${'['.repeat(31)}${']'.repeat(31)}}`, 'must be of type string'],
  ['of brackets and commas in text', `{"name":"${'[{,\\"'.repeat(10_000)}"}`, 'must have at most 10'],
])('a body %s is accepted', async (_what, body, message) => {
  const answer = await send('POST', '/test/body', body, { headers: json })
  expect(answer.body.details).toEqual([{ field: 'name', message: expect.stringContaining(message) }])
})

const size = 900_000
test.each([
  ['keys', `{${many(size / 11, (i) => `"k${100_000 + i}":1`)}}`],
  ['nested lists', '['.repeat(size / 2) + ']'.repeat(size / 2)],
  ['lists one inside another, never closed', '['.repeat(size)],
  ['empty lists', `[${'[],'.repeat(size / 3)}[]]`],
  ['empty objects in lists', `[${`[${'{},'.repeat(1_000)}{}],`.repeat(size / 3_000)}[]]`],
  ['text of one letter', `[${'"a",'.repeat(size / 4)}""]`],
  ['escapes', `["${'\\"'.repeat(size / 4)}"]`],
])('a body of %s costs at most a few times as much as plain text of its size', (_what, body) => {
  const read = (json: Buffer) => () => {
    for (let round = 0; round < 10; round++) {
      try {
        readJson(json)
      } catch {}
    }
  }
  const plain = read(Buffer.from(`{"name":"${'x'.repeat(size)}"}`))
  const other = read(Buffer.from(body))
  // Compiled at the first call.
  plain()
  other()
  expect(cpuMsOf(other)).toBeLessThan(8 * cpuMsOf(plain))
})
