import { expect, test } from 'vitest'
import { openWorld } from '../../../test/harness/world.ts'
import { parseMailAddress } from '../../platform/mail/mail-address.ts'
import { demoActeurs } from '../acteurs/demo-acteurs.ts'
import { insertDemoClaims } from './demo.ts'
import { demoClaims } from './demo-claims.ts'
import { statuses } from './schema.ts'

const { as, acteur, user, db } = await openWorld()

test('the demo has claims of every status, each on an acteur of the demo, with addresses that lead nowhere', () => {
  expect(new Set(demoClaims.map(({ status }) => status))).toEqual(new Set(statuses))
  const slugs = new Set([...demoActeurs.map(({ slug }) => slug)])
  expect(demoClaims.filter(({ slug }) => !slugs.has(slug))).toEqual([])
  for (const { email } of demoClaims.filter((claim) => claim.email !== null)) {
    expect(email).toMatch(/@example\.org$/)
    expect(parseMailAddress(email ?? '')).toBe(email)
  }
})

test('they are put in where their acteurs are, whoever was approved an owner', async () => {
  await insertDemoClaims(db)
  expect(await db.selectFrom('claims').select('id').execute()).toEqual([])
  const slugs = demoClaims.slice(0, -2).map(({ slug }) => slug)
  for (const slug of slugs) await acteur({ slug })
  const moderator = await user({ roles: ['moderator'] })
  await insertDemoClaims(db)
  const { body } = await (await as('admin')).get('/admin/claims?per_page=100')
  expect(body.meta.total).toBe(slugs.length)
  const approved = body.data.filter(({ status }: { status: string }) => status === 'approved')
  expect(approved).toHaveLength(5)
  for (const { user_id, owners, email, decided_by } of approved) {
    expect(owners).toMatchObject([{ user_id, email }])
    expect(decided_by).toBe(moderator.id)
  }
  const pending = await (await as('moderator')).get('/admin/claims?status=pending')
  expect(pending.body.meta.total).toBe(demoClaims.filter(({ status }) => status === 'pending').length)
})
