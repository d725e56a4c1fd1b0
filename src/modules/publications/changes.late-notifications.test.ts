import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { openNetwork } from '../../platform/database/network.test-kit.ts'
import { insertPublication } from './publications.test-kit.ts'

test('what the feed of changes names is not read older afterwards, however late the notification comes', async () => {
  const world = await openWorld()
  const { db, database } = world
  const late = await openNetwork(database.service, (near, far) => {
    near.on('data', (bytes) => far.write(bytes))
    far.on('data', (bytes) => setTimeout(() => near.write(bytes), 100))
  })
  const slow = await openWorld({ keeps: true, database, listensOn: late })
  const { id } = await insertPublication(world, { title: 'Loto' })
  for (let turn = 0; turn < 3; turn++) {
    await slow.changes?.arrived()
    await slow.get(`/publications/${id}`)
    const now = new Date().toISOString()
    const { next } = (await slow.get(`/publications/changes?since=${now}`)).body.meta
    await sql`update publications set title = ${`Loto ${turn}`} where id = ${id}`.execute(db)
    const { data } = (await slow.get(`/publications/changes?since=${next}`)).body
    expect(data.map((change: { id: string }) => change.id)).toContain(id)
    expect((await slow.get(`/publications/${id}`)).body.data.title).toBe(`Loto ${turn}`)
  }
})
