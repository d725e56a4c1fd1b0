import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { claimsKit } from './claims.test-kit.ts'
import { expireClaims } from './expire.ts'

const world = await openWorld({ env: { CLAIM_TTL_DAYS: '10' } })
const { db, as } = world
const { claim, stored, auditEntries, age } = claimsKit(world)
const signal = new AbortController().signal

test('a claim expires after CLAIM_TTL_DAYS and the audit log records it', async () => {
  const [old, recent, decided] = [await claim(), await claim(), await claim()]
  await (await as('admin')).patch(`/admin/claims/${decided}`, { status: 'rejected' })
  await age(old, 11)
  await age(recent, 9)
  await age(decided, 11)
  expect(await expireClaims(db, 10, signal)).toBe(1)
  expect(await expireClaims(db, 10, signal)).toBe(0)
  expect(await stored(old)).toMatchObject({ status: 'expired', decided_by: null, ended_at: expect.any(Date) })
  expect((await stored(recent)).status).toBe('pending')
  expect((await stored(decided)).status).toBe('rejected')
  expect(await auditEntries(old)).toMatchObject([
    { action: 'claim.create' },
    {
      action: 'claim.expire',
      entity: 'claim',
      user_id: null,
      before: { status: 'pending' },
      after: { status: 'expired' },
    },
  ])
})

test('with two instances and more than a batch each claim expires once', async () => {
  const claims = await Promise.all(Array.from({ length: 30 }, () => claim()))
  await Promise.all(claims.map((id) => age(id, 11)))
  const counts = await Promise.all([expireClaims(db, 10, signal, 7), expireClaims(db, 10, signal, 7)])
  // Each instance skips rows the other has locked; the next run takes what both skipped, usually nothing.
  const rest = await expireClaims(db, 10, signal)
  expect((counts[0] ?? 0) + (counts[1] ?? 0) + rest).toBe(30)
  for (const id of claims)
    expect((await auditEntries(id)).filter(({ action }) => action === 'claim.expire')).toHaveLength(1)
})

test('skips a claim that is being decided', async () => {
  const id = await claim()
  await age(id, 11)
  const tx = await db.startTransaction().execute()
  await tx.selectFrom('claims').select('id').where('id', '=', id).forUpdate().execute()
  expect(await expireClaims(db, 10, signal)).toBe(0)
  await tx.rollback().execute()
  expect(await expireClaims(db, 10, signal)).toBe(1)
})

test('stops when the service stops', async () => {
  await expect(expireClaims(db, 10, AbortSignal.abort())).rejects.toThrow()
})
