import { expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'

const { as, commune } = await openWorld()
const admin = await as('admin')
const elu = { nom: 'Vauquelin', prenom: 'Odile', fonction: 'Maire' }

test('PATCH /admin/communes/{id} returns 412 when the version is outdated', async () => {
  const { id } = await commune()
  const path = `/admin/communes/${id}`
  const read = await admin.get(`${path}/full`)
  const etag = read.headers.get('etag') ?? ''
  const change = (population: number, ifMatch: string) =>
    admin.patch(path, { population }, { headers: { 'if-match': ifMatch } })
  expect((await change(1, etag)).status).toBe(200)
  expect(await change(2, etag)).toBeError(412, 'precondition_failed')
  expect(await change(2, '"1"')).toBeError(412, 'precondition_failed')
  for (const [population, tag] of [
    [3, '"7", "2"'],
    [4, '*'],
  ] as const)
    expect((await change(population, tag)).status).toBe(200)
})

test('PATCH /admin/communes/{id} accepts its ETag in weak form, as a compressing proxy sends it', async () => {
  const path = `/admin/communes/${(await commune()).id}`
  const write = (population: number, ifMatch: string) =>
    admin.patch(path, { population }, { headers: { 'if-match': ifMatch } })
  expect((await write(2, 'W/"1"')).headers.get('etag')).toBe('"2"')
  expect(await write(3, 'W/"1"')).toBeError(412, 'precondition_failed')
  expect((await write(3, '"1", W/"2"')).status).toBe(200)
})

test.each(['2', 'nonsense', 'W/2', 'w/"2"', '"1", 2', ''])(
  'PATCH /admin/communes/{id} returns 422 for an If-Match that is not a quoted number: %s',
  async (tag) => {
    const { id } = await commune()
    const answer = await admin.patch(
      `/admin/communes/${id}`,
      { population: 2 },
      { headers: { 'if-match': tag } },
    )
    expect(answer).toBeError(422, 'validation_failed')
    expect(answer.body.details).toEqual([
      { field: 'If-Match', message: 'must be a version in double quotes, as in "3"' },
    ])
  },
)

test('of two concurrent changes of one version, one gets 412', async () => {
  const { id } = await commune()
  const headers = { 'if-match': '"1"' }
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      admin.patch(`/admin/communes/${id}`, { population: n + 1 }, { headers }),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)])
})

test('concurrent changes are all stored, and each response shows its own', async () => {
  const { id } = await commune()
  const names = Array.from({ length: 20 }, (_, n) => `Élue ${n}`)
  const changes = names.map((nom) => admin.patch(`/admin/communes/${id}`, { elus: [{ ...elu, nom }] }))
  const answers = await Promise.all(changes)
  expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200))
  expect(answers.map(({ body }) => body.data.elus[0].nom)).toEqual(names)
  const versions = answers.map(({ body }) => body.data.version)
  expect(versions.toSorted((one, other) => one - other)).toEqual(names.map((_, n) => n + 2))
  expect((await admin.get(`/admin/communes/${id}/full`)).body.data.version).toBe(1 + names.length)
})

test('a commune is read in one snapshot: its parts match its version', {
  timeout: 60_000,
}, async () => {
  const { id } = await commune()
  const path = `/admin/communes/${id}`
  let reading = true
  const reads: { version: number; elus: { ordre: number }[] }[] = []
  const reader = async () => {
    while (reading) reads.push((await admin.get(`${path}/full`)).body.data)
  }
  const readers = [reader(), reader(), reader()]
  // The position identifies the version that wrote it.
  for (let version = 2; version < 40; version++)
    await admin.patch(path, { elus: [{ ...elu, ordre: version }] })
  reading = false
  await Promise.all(readers)
  const written = reads.filter(({ version }) => version > 1)
  expect(written.length).toBeGreaterThan(10)
  for (const { version, elus } of written) expect(elus[0]?.ordre).toBe(version)
})
