import { createECDH } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { ensurePushKeys, listPushKeys, rekeyPushKeys } from './push-keys.ts'

const { db } = await openWorld()
const [former, present] = [['a'.repeat(32)], ['b'.repeat(32)]]
const rotating = [...present, ...former]

beforeEach(async () => {
  await sql`delete from push_keys`.execute(db)
})

test('instances that start together make one pair of keys, which belong together', async () => {
  const made = await Promise.all(Array.from({ length: 4 }, () => ensurePushKeys(db, present)))
  expect(new Set(made.map(({ publicKey }) => publicKey)).size).toBe(1)
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(Buffer.from(made[0]?.privateKey ?? '', 'base64url'))
  expect(curve.getPublicKey('base64url')).toBe(made[0]?.publicKey)
})

test('the private key is stored encrypted', async () => {
  const { privateKey } = await ensurePushKeys(db, present)
  const { rows } = await sql<{ text: string }>`select row_to_json(k)::text as text from push_keys k`.execute(
    db,
  )
  expect(rows).toHaveLength(1)
  expect(rows[0]?.text).not.toContain(Buffer.from(privateKey, 'base64url').toString('hex'))
  expect(rows[0]?.text).not.toContain(privateKey)
})

test('a rotated SESSION_KEY keeps the pair; a replaced one leads to another pair beside it', async () => {
  const before = await ensurePushKeys(db, former)
  expect(await ensurePushKeys(db, rotating)).toEqual(before)
  expect(await rekeyPushKeys(db, rotating)).toBe(1)
  expect(await rekeyPushKeys(db, rotating)).toBe(0)
  expect(await ensurePushKeys(db, present)).toEqual(before)
  const other = await ensurePushKeys(db, ['c'.repeat(32)])
  expect(other).not.toEqual(before)
  expect(await listPushKeys(db, present)).toEqual([before])
  expect(await rekeyPushKeys(db, rotating)).toBe(0)
})
