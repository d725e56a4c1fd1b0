import { expect, test } from 'vitest'
import { openWorld } from '../test/support/world.ts'
import type { DemoActeur } from './acteurs.ts'
import { readData } from './data.ts'
import { type DemoSubscription, insertDemoSubscriptions } from './subscriptions.ts'

const { as, acteur, db } = await openWorld()
const demoActeurs = await readData<DemoActeur[]>('content/acteurs.json')
const all = await readData<DemoSubscription[]>('content/subscriptions.json')
type Row = { status: string; acteur_id: string | null; plan: string }

test('the demo has subscriptions in several statuses on demo acteurs', () => {
  const slugs = new Set<string | null>(demoActeurs.map(({ slug }) => slug))
  expect(all.filter(({ acteur }) => acteur !== null && !slugs.has(acteur))).toEqual([])
  expect(new Set(all.map(({ status }) => status)).size).toBeGreaterThan(5)
})

test('inserts subscriptions, one without an acteur, and their events have been applied', async () => {
  const named = all.flatMap(({ acteur: slug }) => slug ?? [])
  const there = named.slice(1)
  for (const slug of there) await acteur({ slug })
  await insertDemoSubscriptions(db, new Date())
  const admin = await as('admin')
  const { body } = await admin.get('/admin/subscriptions?per_page=100')
  const rows: Row[] = body.data
  expect(rows).toHaveLength(there.length + 1)
  expect(rows.filter(({ acteur_id }) => acteur_id === null)).toHaveLength(1)
  expect(new Set(rows.map(({ plan }) => plan))).toEqual(new Set(['commerce', 'association']))
  const { subscription_logs: logs } = (await admin.get('/admin/dashboard')).body
  expect(logs).toMatchObject({ failed: 1, oldest_unprocessed_at: null })
  const failed = await admin.get('/admin/payment-events?status=failed')
  expect(failed.body.data).toMatchObject([
    {
      id: 'evt_exemple_echec',
      error: 'its status is unknown',
      can: expect.arrayContaining(['settle']),
    },
  ])
  expect(logs.latest[0]).toMatchObject({ type: 'invoice.paid', status: 'processed' })
})
