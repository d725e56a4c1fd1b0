import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { fc, propertyRuns } from '../../../../test/support/fast-check.ts'
import { untilWaiting } from '../../../../test/support/locks.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { groupsKit } from '../../alertes/groups.test-kit.ts'
import { subscribersKit } from '../subscribers.test-kit.ts'
import { restartStopped } from './announce.ts'
import { recordOutcomes, takeDeliveries } from './deliveries.ts'

const world = await openWorld({ env: { MAIL_RATE: '1000', RATE_LIMIT_ALERT: '100000/hour' } })
const { db } = world
const kit = subscribersKit(world)
const { admin, openGroup } = await groupsKit(world)
const names = ['Amont', 'Aval', 'Bourg', 'Coteau']
const towns = await Promise.all(names.map((nom) => world.commune({ nom, slug: nom.toLowerCase() })))
const [amont, aval, bourg, coteau] = towns.map(({ id }) => id) as [string, string, string, string]

beforeEach(async () => {
  for (const table of ['alertes', 'broadcasts', 'resident_subscribers', 'groups'])
    await sql`delete from ${sql.table(table)}`.execute(db)
})

/** Expands and sends a broadcast of an alerte. Returns the mails, sorted by recipient. */
async function tell(alerteId: string, kind = 'alerte') {
  const driven = kit.mailer()
  const id = (await kit.broadcastOf(alerteId, kind))?.id ?? ''
  await kit.expand(driven, id, 2)
  await kit.send(driven, id)
  return driven.accepted.toSorted((one, other) => (one.to < other.to ? -1 : 1))
}
const told = async (alerteId: string, kind?: string) =>
  (await tell(alerteId, kind)).map(({ to }) => to.split('-')[0])

test('who follows three communes of a group gets its alerte once, with a link to a commune that they follow', async () => {
  await kit.subscribe(1, [amont, aval, bourg], 'all', 'three')
  await kit.subscribe(1, [bourg], 'all', 'one')
  await kit.subscribe(1, [coteau], 'all', 'elsewhere')
  await kit.subscribe(1, [aval], 'urgent', 'urgent')
  const group = await openGroup([amont, aval, bourg])
  const mails = await tell((await group.alert()).id)
  expect(mails.map(({ to }) => to)).toEqual(['one-0@example.org', 'three-0@example.org'])
  expect(mails.map(({ text = '' }) => /communes\/(\w+)\/alertes/.exec(text)?.[1])).toEqual(['bourg', 'amont'])
  expect(mails[0]?.subject).toContain(group.acteur.nom)
  expect(mails[0]?.text).toContain('abonné aux alertes de Bourg')
})

test('browsers are told once, and open the page of a commune that they follow', async () => {
  const browsers = [uuidv7(), uuidv7()].map((id) => ({
    ...{ endpoint: `https://push.example.org/${id}`, p256dh: 'unused', auth: 'unused' },
  }))
  await kit.subscribeBrowsers(browsers.slice(0, 1), [amont, aval])
  await kit.subscribeBrowsers(browsers.slice(1), [aval])
  const group = await openGroup([amont, aval])
  const id = (await kit.broadcastOf((await group.alert()).id))?.id ?? ''
  await kit.expand(kit.mailer(), id, 1)
  const taken = await takeDeliveries(db, { id, channel: 'push', limit: 9, now: new Date() })
  expect(taken?.deliveries.map((one) => taken.message.notice(one).path).toSorted()).toEqual([
    ...['/communes/amont/alertes', '/communes/aval/alertes'],
  ])
})

test('an alerte for more communes is told to their residents, and to nobody twice', async () => {
  await kit.subscribe(1, [amont], 'all', 'first')
  await kit.subscribe(1, [amont, aval], 'all', 'both')
  await kit.subscribe(1, [aval], 'all', 'second')
  await kit.subscribe(1, [bourg], 'all', 'third')
  const group = await openGroup([amont, aval, bourg])
  const { id } = await group.alert({ commune_ids: [amont] })
  expect(await told(id)).toEqual(['both', 'first'])
  const forCommunes = (commune_ids: string[]) => group.owner.patch(`${group.path}/${id}`, { commune_ids })
  await forCommunes([amont, aval])
  expect(await told(id)).toEqual(['second'])
  await forCommunes([aval])
  await forCommunes([])
  expect(await told(id)).toEqual(['third'])
})

test('an alerte of which nobody knows any more who got it is told to nobody else', async () => {
  await kit.subscribe(1, [amont], 'all', 'first')
  await kit.subscribe(1, [aval], 'all', 'second')
  const group = await openGroup([amont, aval])
  const { id } = await group.alert({ commune_ids: [amont] })
  await tell(id)
  await sql`update broadcasts set created_at = now() - interval '3 months 1 day'`.execute(db)
  await sql`delete from broadcast_deliveries`.execute(db)
  await group.owner.patch(`${group.path}/${id}`, { commune_ids: [] })
  expect(await told(id)).toEqual([])
})

test('an alerte that is for fewer communes while it is sent reaches no resident of the others any more', async () => {
  await kit.subscribe(1, [amont], 'all', 'first')
  await kit.subscribe(1, [aval], 'all', 'second')
  await kit.subscribe(1, [amont, aval], 'all', 'both')
  const group = await openGroup([amont, aval])
  const { id } = await group.alert()
  const broadcast = (await kit.broadcastOf(id))?.id ?? ''
  await kit.expand(kit.mailer(), broadcast)
  await group.owner.patch(`${group.path}/${id}`, { commune_ids: [aval] })
  expect(await told(id)).toEqual(['both', 'second'])
})

test('a change of the communes waits for what is being taken, and nothing is taken for the former ones after it', async () => {
  await kit.subscribe(2, [amont], 'all', 'first')
  const group = await openGroup([amont, aval])
  const { id } = await group.alert()
  const broadcast = (await kit.broadcastOf(id))?.id ?? ''
  await kit.expand(kit.mailer(), broadcast)
  const { patched } = await db.transaction().execute(async (tx) => {
    await sql`select from broadcasts where id = ${broadcast} for share`.execute(tx)
    const patched = group.owner.patch(`${group.path}/${id}`, { commune_ids: [aval] })
    await untilWaiting(db)
    return { patched }
  })
  expect((await patched).status).toBe(200)
  const taken = await takeDeliveries(db, { id: broadcast, channel: 'email', limit: 9, now: new Date() })
  expect(taken?.deliveries).toEqual([])
})

const hiddenPath = (town: string, id: string) => `/mairie/communes/${town}/group-alertes/${id}/hidden`

test('what has not left for residents of a commune that hides an alerte is not sent; shown again, it is sent to them once', async () => {
  await kit.subscribe(1, [amont], 'all', 'first')
  await kit.subscribe(1, [aval], 'all', 'second')
  await kit.subscribe(1, [amont, aval], 'all', 'both')
  const group = await openGroup([amont, aval])
  const { id } = await group.alert()
  await kit.expand(kit.mailer(), (await kit.broadcastOf(id))?.id ?? '')
  expect((await admin.put(hiddenPath(amont, id))).status).toBe(200)
  expect(await told(id)).toEqual(['both', 'second'])
  expect((await admin.delete(hiddenPath(amont, id))).status).toBe(200)
  expect(await told(id)).toEqual(['first'])
  for (const call of ['put', 'delete'] as const) await admin[call](hiddenPath(amont, id))
  expect(await told(id)).toEqual([])
})

test('an alerte that all communes hid goes on when one shows it; one that is over or to be taken back does not', async () => {
  await kit.subscribe(1, [amont], 'all', 'first')
  const group = await openGroup([amont])
  const statusOf = async (id: string) => (await kit.broadcastOf(id))?.status
  const { id } = await group.alert()
  const jobs = async () => {
    const { rows } =
      await sql`select 1 from pgboss.job where data->>'broadcastId' = ${(await kit.broadcastOf(id))?.id}`.execute(
        db,
      )
    return rows.length
  }
  const before = await jobs()
  for (const call of ['put', 'delete', 'put'] as const) await admin[call](hiddenPath(amont, id))
  expect(await jobs()).toBe(before)
  expect(await told(id)).toEqual([])
  await restartStopped(db)
  expect(await statusOf(id)).toBe('stopped')
  await admin.delete(hiddenPath(amont, id))
  expect(await told(id)).toEqual(['first'])
  await admin.put(hiddenPath(amont, id))
  const [debut, fin] = [2, 1].map((minutes) => new Date(Date.now() - minutes * 60_000).toISOString())
  await group.owner.patch(`${group.path}/${id}`, { debut, fin })
  await admin.delete(hiddenPath(amont, id))
  expect(await statusOf(id)).toBe('ended')
})

test('hiding waits for what is being taken, and nothing is taken for the commune after it', async () => {
  await kit.subscribe(2, [amont], 'all', 'first')
  const group = await openGroup([amont, aval])
  const { id } = await group.alert()
  const broadcast = (await kit.broadcastOf(id))?.id ?? ''
  await kit.expand(kit.mailer(), broadcast)
  const { hidden } = await db.transaction().execute(async (tx) => {
    await sql`select from broadcasts where id = ${broadcast} for share`.execute(tx)
    const hidden = admin.put(hiddenPath(amont, id))
    await untilWaiting(db)
    return { hidden }
  })
  expect((await hidden).status).toBe(200)
  const taken = await takeDeliveries(db, { id: broadcast, channel: 'email', limit: 9, now: new Date() })
  expect(taken?.deliveries).toEqual([])
})

test('residents of a commune that leaves the group are not told after that; who joins is told as long as it expands', async () => {
  await kit.subscribe(1, [amont], 'all', 'first')
  await kit.subscribe(1, [aval], 'all', 'second')
  await kit.subscribe(1, [bourg], 'all', 'third')
  const group = await openGroup([amont, aval])
  const { id } = await group.alert()
  await kit.expand(kit.mailer(), (await kit.broadcastOf(id))?.id ?? '')
  await group.change({ commune_ids: [aval, bourg] })
  expect(await told(id)).toEqual(['second'])
})

test('a broadcast that stopped without a commune goes on when the group has one again', async () => {
  await kit.subscribe(1, [amont], 'all', 'first')
  const group = await openGroup([amont])
  const { id } = await group.alert()
  await group.change({ commune_ids: [] })
  expect(await told(id)).toEqual([])
  expect(await kit.broadcastOf(id)).toMatchObject({ status: 'stopped' })
  await restartStopped(db)
  expect(await kit.broadcastOf(id)).toMatchObject({ status: 'stopped' })
  await group.change({ commune_ids: [amont] })
  await restartStopped(db)
  expect(await told(id)).toEqual(['first'])
})

test('a correction and the end reach those who were told, once; what is taken back reaches nobody', async () => {
  await kit.subscribe(1, [amont, aval], 'all', 'both')
  await kit.subscribe(1, [aval], 'all', 'second')
  const group = await openGroup([amont, aval])
  const { id } = await group.alert()
  expect(await told(id)).toEqual(['both', 'second'])
  await kit.subscribe(1, [aval], 'all', 'later')
  await group.owner.patch(`${group.path}/${id}`, { message: 'Bouillie, elle se boit.', notify: true })
  expect(await told(id, 'alerte_correction')).toEqual(['both', 'second'])
  const fin = new Date(Date.now() - 1_000).toISOString()
  const debut = new Date(Date.now() - 60_000).toISOString()
  await group.owner.patch(`${group.path}/${id}`, { debut, fin, prevenir: true })
  expect(await told(id, 'alerte_fin')).toEqual(['both', 'second'])
  const second = await group.alert()
  const broadcast = (await kit.broadcastOf(second.id))?.id ?? ''
  await kit.expand(kit.mailer(), broadcast)
  await group.owner.delete(`${group.path}/${second.id}`)
  const driven = kit.mailer()
  await kit.send(driven, broadcast)
  expect(driven.accepted).toEqual([])
})

/** Group memberships, the communes of each alerte, and who follows which communes, each as a set of towns. */
const someTowns = fc.subarray([0, 1, 2, 3])
const oneOrMore = fc.subarray([0, 1, 2, 3], { minLength: 1 })
const follower = fc.record({
  follows: oneOrMore,
  level: fc.constantFrom('all', 'urgent'),
  channel: fc.constantFrom('email' as const, 'push' as const),
})
const change = fc.oneof(
  fc.record({ kind: fc.constant('members' as const), group: fc.nat(1), towns: oneOrMore }),
  fc.record({ kind: fc.constant('communes' as const), alerte: fc.nat(5), towns: someTowns }),
  fc.record({ kind: fc.constant('raise' as const), alerte: fc.nat(5) }),
  fc.record({ kind: fc.constantFrom('put' as const, 'delete' as const), alerte: fc.nat(5), town: fc.nat(3) }),
  fc.record({ kind: fc.constant('send' as const), limit: fc.integer({ min: 1, max: 3 }) }),
)

test('whatever groups, overlaps, follows and changes, each resident gets each alerte of their communes once', {
  timeout: 300_000,
}, async () => {
  const idsOf = (at: number[]) => at.map((each) => towns[each]?.id ?? '')
  const groups = [await openGroup([amont]), await openGroup([amont])]
  const alerte = fc.record({ group: fc.nat(1), named: someTowns, niveau: fc.constantFrom('info', 'urgence') })
  const groupIds = groups.map(({ id }) => id)
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(oneOrMore, oneOrMore),
      fc.array(alerte, { minLength: 1, maxLength: 3 }),
      fc.array(follower, { minLength: 1, maxLength: 5 }),
      fc.array(change, { maxLength: 6 }),
      async (members, alertes, followers, changes) => {
        for (const table of ['alertes', 'broadcasts', 'resident_subscribers'])
          await sql`delete from ${sql.table(table)}`.execute(db)
        await replaceMembers(groupIds, members.map(idsOf))
        const people = await Promise.all(
          followers.map(async ({ follows, level, channel }) => {
            const browser = { endpoint: `https://push.example.org/${uuidv7()}`, p256dh: 'p', auth: 'a' }
            const [kept] =
              channel === 'email'
                ? await kit.subscribe(1, idsOf(follows), level, uuidv7())
                : await kit.subscribeBrowsers([browser], idsOf(follows), level)
            return { id: kept?.id ?? '', follows: idsOf(follows), level }
          }),
        )
        const made = await Promise.all(
          alertes.map(async ({ group: at, named, niveau }) => {
            const group = groups[at] ?? (groups[0] as (typeof groups)[number])
            const theirs = members[at]?.filter((town) => named.includes(town)) ?? []
            const { id } = await group.alert({ niveau, commune_ids: idsOf(theirs) })
            return { id, group, at, broadcast: (await kit.broadcastOf(id))?.id ?? '' }
          }),
        )
        const got = new Map<string, number>()
        async function send(limit: number) {
          for (const { broadcast } of made) {
            await kit.expand(kit.mailer(), broadcast, limit)
            for (const channel of ['email', 'push'] as const) {
              const asked = { id: broadcast, channel, limit, now: new Date() }
              for (let taken = await takeDeliveries(db, asked); (taken?.deliveries.length ?? 0) > 0; ) {
                const { deliveries } = taken as NonNullable<typeof taken>
                for (const { id } of deliveries)
                  got.set(`${broadcast} ${id}`, (got.get(`${broadcast} ${id}`) ?? 0) + 1)
                await recordOutcomes(
                  db,
                  broadcast,
                  deliveries.map(({ id }) => ({ id, outcome: 'sent' })),
                )
                taken = await takeDeliveries(db, asked)
              }
            }
          }
        }
        for (const one of changes) {
          const chosen = 'alerte' in one ? made[one.alerte % made.length] : undefined
          if (one.kind === 'send') await send(one.limit)
          else if (one.kind === 'members')
            await replaceMembers([groupIds[one.group] ?? ''], [idsOf(one.towns)])
          else if (chosen !== undefined && (one.kind === 'put' || one.kind === 'delete'))
            await admin[one.kind](hiddenPath(towns[one.town]?.id ?? '', chosen.id))
          else if (
            chosen !== undefined &&
            'group' in chosen &&
            (one.kind === 'raise' || one.kind === 'communes')
          ) {
            const values = one.kind === 'raise' ? { niveau: 'urgence' } : { commune_ids: idsOf(one.towns) }
            await chosen.group.owner.patch(`${chosen.group.path}/${chosen.id}`, values)
          }
        }
        await send(2)
        expect([...got.values()].filter((count) => count !== 1)).toEqual([])
        if (changes.some(({ kind }) => kind === 'members')) return
        // Communes that join a group after a sending are not told; without them, all who follow a commune and want the level are.
        for (const { id, broadcast } of made) {
          const { rows } = await sql<{ niveau: string; places: string[] }>`
            select niveau, array(select commune_id::text from alerte_places where alerte_id = al.id) as places
            from alertes al where id = ${id}`.execute(db)
          const [now = { niveau: '', places: [] }] = rows
          for (const person of people) {
            const isAsked = person.level === 'all' || now.niveau === 'urgence'
            if (isAsked && person.follows.some((town) => now.places.includes(town)))
              expect(got.get(`${broadcast} ${person.id}`)).toBe(1)
          }
        }
      },
    ),
    { numRuns: propertyRuns(1 / 2) },
  )
})

/** Makes these the members of groups, as the back-office does. */
async function replaceMembers(groupIds: string[], members: string[][]): Promise<void> {
  for (const [at, id] of groupIds.entries()) {
    const after = members[at] ?? []
    await sql`delete from group_communes where group_id = ${id} and commune_id <> all(${after}::uuid[])`.execute(
      db,
    )
    await sql`
      insert into group_communes (group_id, commune_id) select ${id}, unnest(${after}::uuid[])
      on conflict do nothing`.execute(db)
  }
}
