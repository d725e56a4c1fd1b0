import { expect, test } from 'vitest'
import { statuses } from '../src/modules/claims/schema.ts'
import { parseMailAddress } from '../src/platform/formats/mail-address.ts'
import { openWorld } from '../test/support/world.ts'
import type { DemoActeur } from './acteurs.ts'
import { type DemoClaim, insertDemoClaims } from './claims.ts'
import { readData } from './data.ts'

const { as, acteur, user, db } = await openWorld()
const demoActeurs = await readData<DemoActeur[]>('content/acteurs.json')
const demoClaims = await readData<DemoClaim[]>('content/claims.json')

test('the demo has claims of every status on demo acteurs, with addresses that lead nowhere', () => {
  expect(new Set(demoClaims.map(({ status }) => status))).toEqual(new Set(statuses))
  const slugs = new Set(demoActeurs.map(({ slug }) => slug))
  expect(demoClaims.filter(({ acteur }) => !slugs.has(acteur))).toEqual([])
  for (const { email } of demoClaims.filter((claim) => claim.email !== null)) {
    expect(email).toMatch(/@example\.org$/)
    expect(parseMailAddress(email ?? '')).toBe(email)
  }
})

test('inserts claims whose acteur exists, and approved claimants are owners', async () => {
  await insertDemoClaims(db, new Date())
  expect(await db.selectFrom('claims').select('id').execute()).toEqual([])
  const inserted = demoClaims.slice(0, -2)
  for (const slug of new Set(inserted.map(({ acteur }) => acteur))) await acteur({ slug })
  const moderator = await user({ roles: ['moderator'], email: 'mireille.castagnet@example.org' })
  await user({ nom: 'Prosper Nkoulou', email: 'prosper.nkoulou@example.org' })
  await insertDemoClaims(db, new Date())
  const { body } = await (await as('admin')).get('/admin/claims?per_page=100')
  expect(body.meta.total).toBe(inserted.length)
  const approved = body.data.filter(({ status }: { status: string }) => status === 'approved')
  expect(approved).toHaveLength(5)
  for (const { user_id, owners, email, decided_by } of approved) {
    expect(owners).toMatchObject([{ user_id, email }])
    expect(decided_by).toBe(moderator.id)
  }
  const example = body.data.find(({ message }: { message: string }) => message.startsWith('Exemple : '))
  const { data: read } = (await (await as('admin')).get(`/admin/claims/${example.id}`)).body
  expect(read).toMatchObject({ status: 'pending', user: { nom: 'Prosper Nkoulou' } })
  expect(read.rivals).toMatchObject([{ nom: 'Aurélie Grumel', status: 'pending' }])
  const pending = await (await as('moderator')).get('/admin/claims?status=pending')
  expect(pending.body.meta.total).toBe(demoClaims.filter(({ status }) => status === 'pending').length)
})
