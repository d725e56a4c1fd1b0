import { expect, test } from 'vitest'
import { openWorld } from '../../test/support/world.ts'
import { operator } from './access/caller.ts'
import { change, changeMany } from './change.ts'

const { db } = await openWorld()
const kind = { entity: 'found_object', personal: [] }

test('a change that ends without a save fails, so that none lacks its audit entry', async () => {
  const object = {
    ...kind,
    lock: async (_tx: unknown, id: string) => ({ id, version: 1 }),
    write: async () => never(),
  }
  const asked = { id: 'one', action: 'found_object.return' }
  await expect(change(db, operator, object, asked, async () => 'answer')).rejects.toThrow(/without a save/)
})

test('a bulk change that ends without a save fails', async () => {
  const objects = {
    ...kind,
    lock: async (_tx: unknown, ids: string[]) => ids.map((id) => ({ id, version: 1 })),
    write: async () => never(),
    entries: () => [],
    previous: () => null,
  }
  await expect(changeMany(db, operator, objects, { ids: ['one'] }, async () => 'answer')).rejects.toThrow(
    /without a save/,
  )
})

function never(): never {
  throw new Error('nothing is written')
}
