import { expect, test } from 'vitest'
import { explain, gatherStatistics, visitedBy } from '../../../../test/support/plans.ts'
import { statementsAbout } from '../../../../test/support/statements.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { groupsKit } from '../../alertes/groups.test-kit.ts'
import { subscribersKit } from '../subscribers.test-kit.ts'
import { takeDeliveries } from './deliveries.ts'

const world = await openWorld()
const { subscribe, mailer, expand, broadcastOf } = subscribersKit(world)
const { openGroup } = await groupsKit(world)

test('a hundred deliveries are taken by the choices of a hundred residents, not of all in the group', async () => {
  const towns: string[] = []
  for (let at = 0; at < 60; at++) towns.push((await world.commune({ slug: `membre-${at}` })).id)
  for (let at = 0; at < 60; at += 3) await subscribe(300, towns.slice(at, at + 3), 'all', `zoe-${at}`)
  const group = await openGroup(towns)
  const id = (await broadcastOf((await group.alert()).id))?.id ?? ''
  await expand(mailer(), id, 6_000)
  await gatherStatistics(world.database, ['resident_choices', 'broadcast_deliveries', 'resident_subscribers'])
  const taking = { id, channel: 'email' as const, limit: 100, now: new Date() }
  const sent = await statementsAbout(/with due as/, () => takeDeliveries(world.db, taking))
  expect(sent).toHaveLength(1)
  const steps = (await Promise.all(sent.map((statement) => explain(world.pool, statement)))).flat()
  const ofChoices = steps.filter((step) => step['Relation Name'] === 'resident_choices')
  expect(ofChoices.length).toBeGreaterThan(0)
  expect(Math.max(...ofChoices.map(visitedBy))).toBeLessThanOrEqual(300)
})
