import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { insertPublication } from '../../publications/publications.test-kit.ts'
import { subscribersKit } from '../subscribers.test-kit.ts'
import { queueWeeklyMails } from './actualites.ts'
import { queueCollecteReminders } from './collectes.ts'

const world = await openWorld({ env: { MAIL_RATE: '1000' } })
const { db, jobs } = world
const { subscribe, mailer, expand, send, signal } = subscribersKit(world)
const town = await world.commune({ nom: 'Bouguenais', slug: 'bouguenais', departement: '44' })
const other = await world.commune()

beforeEach(async () => {
  for (const table of ['broadcasts', 'resident_subscribers', 'collectes', 'publications'])
    await sql`delete from ${sql.table(table)}`.execute(db)
})

const at = (now: string) => ({ db, jobs, clock: () => new Date(now) })
const queued = () => db.selectFrom('broadcasts').selectAll().orderBy('id').execute()
/** Sends all broadcasts as of a time, and returns the mails. */
async function sendAll(now: string) {
  const driven = { ...mailer(), clock: () => new Date(now) }
  for (const { id } of await queued()) {
    await expand(driven, id)
    await send(driven, id)
  }
  return driven.accepted
}
const choose = (ids: { id: string }[], values: { hour?: number; secteur?: string; actualites?: boolean }) =>
  sql`
    update resident_choices set alertes = 'none', collectes_hour = ${values.hour ?? null},
      collectes_secteur = ${values.secteur ?? null}, actualites = ${values.actualites ?? false},
      confirmed_at = '2026-11-20T10:00:00Z'
    where subscriber_id = any(${ids.map(({ id }) => id)}::uuid[])`.execute(db)
const collecte = (values: object) =>
  db
    .insertInto('collectes')
    .values({
      ...{ id: uuidv7(), commune_id: town.id, type_dechet: 'verre', libelle: 'Verre', mode: 'porte_a_porte' },
      ...{ jours: ['mardi'], position: 0, ...values },
    })
    .execute()

test('the evening before a collection, those of its secteur or of all who chose this hour or an earlier one are reminded, once', async () => {
  await collecte({ secteur: 'Nord', libelle: 'Bac jaune', consignes: 'Sortir le bac avant 6 h.' })
  await collecte({ secteur: 'Sud', libelle: 'Bac bleu' })
  await collecte({ libelle: 'Verre', jours: ['mercredi'] })
  await choose(await subscribe(2, [town.id], 'all', 'nord'), { hour: 19, secteur: 'Nord' })
  await choose(await subscribe(1, [town.id], 'all', 'early'), { hour: 18, secteur: 'Nord' })
  await choose(await subscribe(1, [town.id], 'all', 'sud'), { hour: 19, secteur: 'Sud' })
  await choose(await subscribe(1, [town.id], 'all', 'everywhere'), { hour: 19 })
  await choose(await subscribe(1, [other.id], 'all', 'other'), { hour: 19 })
  // Monday, 19:00 in Paris.
  const monday = '2026-11-23T18:00:10Z'
  for (let run = 0; run < 3; run++) await queueCollecteReminders(at(monday), signal, 1)
  const mails = await sendAll(monday)
  expect(mails.map(({ to, subject }) => [to, subject]).toSorted()).toEqual([
    ['early-0@example.org', 'Bouguenais · Demain : Bac jaune'],
    ['everywhere-0@example.org', 'Bouguenais · Demain : Bac jaune (Nord), Bac bleu (Sud)'],
    ['nord-0@example.org', 'Bouguenais · Demain : Bac jaune'],
    ['nord-1@example.org', 'Bouguenais · Demain : Bac jaune'],
    ['sud-0@example.org', 'Bouguenais · Demain : Bac bleu'],
  ])
  const textTo = (name: string) => mails.find(({ to }) => to === `${name}@example.org`)?.text
  expect(textTo('nord-0')).toContain('Sortir le bac avant 6 h.')
  expect(textTo('everywhere-0')).toContain('Bac bleu (secteur Sud)')
  // Tuesday evening: glass for the whole commune.
  const tuesday = '2026-11-24T18:20:00Z'
  await queueCollecteReminders(at(tuesday), signal)
  expect((await sendAll(tuesday)).map(({ to }) => to).toSorted()).toEqual([
    ...['early-0', 'everywhere-0', 'nord-0', 'nord-1', 'sud-0'].map((name) => `${name}@example.org`),
  ])
})

test.each([
  ['before the clocks change', '2026-10-24T17:00:00Z', '2026-10-25'],
  ['on the evening after they changed', '2026-10-25T18:00:00Z', '2026-10-26'],
  ['in summer time again', '2027-03-28T17:00:00Z', '2027-03-29'],
])('reminders of 19:00 leave at 19:00 in Paris %s', async (_when, now, day) => {
  await collecte({ jours: [], dates: [day] })
  await choose(await subscribe(1, [town.id]), { hour: 19 })
  const hourBefore = new Date(Date.parse(now) - 3_600_000).toISOString()
  await queueCollecteReminders(at(hourBefore), signal)
  expect(await queued()).toEqual([])
  await queueCollecteReminders(at(now), signal)
  expect(await sendAll(now)).toHaveLength(1)
})

test('a collection on the last Tuesday of the month is announced before that one only', async () => {
  await collecte({ rang: -1 })
  await choose(await subscribe(1, [town.id]), { hour: 19 })
  for (const monday of ['2026-12-21', '2026-11-16'])
    await queueCollecteReminders(at(`${monday}T18:00:00Z`), signal)
  expect(await queued()).toEqual([])
  await queueCollecteReminders(at('2026-12-28T18:00:00Z'), signal)
  expect(await sendAll('2026-12-28T18:00:00Z')).toHaveLength(1)
})

test('a mail names the collections of the chosen secteur after a rename', async () => {
  await collecte({ secteur: 'Nord-Est' })
  await collecte({ secteur: 'Sud', libelle: 'Bac bleu' })
  const secteur = { nom: 'Nord-Est', nom_initial: 'Nord', anciens_noms: ['Nord'] }
  await db
    .insertInto('secteurs')
    .values({ commune_id: town.id, ...secteur })
    .execute()
  await choose(await subscribe(1, [town.id]), { hour: 19, secteur: 'Nord' })
  const monday = '2026-11-23T18:00:10Z'
  await queueCollecteReminders(at(monday), signal)
  const [mail] = await sendAll(monday)
  expect(mail?.subject).toBe('Bouguenais · Demain : Verre')
  await db.deleteFrom('secteurs').execute()
})

test('a mail names all collections when the chosen secteur is unknown', async () => {
  await collecte({ secteur: 'Nord-Est' })
  await choose(await subscribe(1, [town.id]), { hour: 19, secteur: 'Nord' })
  await queueCollecteReminders(at('2026-11-23T18:00:00Z'), signal)
  const [mail] = await sendAll('2026-11-23T18:00:00Z')
  expect(mail?.text).toContain('Verre (secteur Nord-Est)')
  expect(mail?.text).toContain('Le secteur « Nord » n’existe plus')
})

test.each([
  ['later in the evening', '2026-11-23T21:40:00Z', 'Demain'],
  ['in the night', '2026-11-24T01:20:00Z', 'Aujourd’hui'],
  ['before the morning', '2026-11-24T05:40:00Z', 'Aujourd’hui'],
  ['in the morning', '2026-11-24T06:00:00Z', null],
  ['during the day', '2026-11-24T11:00:00Z', null],
])('a reminder that an outage left out is sent as long as it is useful: %s', async (_when, now, day) => {
  await collecte({})
  await choose(await subscribe(1, [town.id]), { hour: 19 })
  const count = await queueCollecteReminders(at(now), signal)
  expect(await queueCollecteReminders(at(now), signal)).toBe(0)
  expect([count, (await sendAll(now)).map(({ subject }) => subject)]).toEqual(
    day === null ? [0, []] : [1, [`Bouguenais · ${day} : Verre`]],
  )
})

test('somebody who was reminded and chooses an earlier hour then is not reminded again', async () => {
  await collecte({})
  const kept = await subscribe(1, [town.id])
  await choose(kept, { hour: 19 })
  await queueCollecteReminders(at('2026-11-23T18:00:00Z'), signal)
  expect(await sendAll('2026-11-23T18:00:00Z')).toHaveLength(1)
  await choose(kept, { hour: 18 })
  await queueCollecteReminders(at('2026-11-23T18:20:00Z'), signal)
  expect(await sendAll('2026-11-23T18:20:00Z')).toEqual([])
})

test('a reminder is not sent any more in the morning of the day, or when the collection was cancelled', async () => {
  await collecte({})
  await choose(await subscribe(1, [town.id]), { hour: 22 })
  await queueCollecteReminders(at('2026-11-23T21:00:00Z'), signal)
  expect(await sendAll('2026-11-24T06:00:30Z')).toEqual([])
  expect((await queued()).map(({ status }) => status)).toEqual(['stopped'])
  await sql`delete from broadcasts`.execute(db)
  await queueCollecteReminders(at('2026-11-23T21:00:00Z'), signal)
  await sql`update collectes set exceptions = '[{"date": "2026-11-24", "reportee_au": "2026-11-25"}]'`.execute(
    db,
  )
  expect(await sendAll('2026-11-23T21:01:00Z')).toEqual([])
  await sql`delete from broadcasts`.execute(db)
  await queueCollecteReminders(at('2026-11-24T21:00:00Z'), signal)
  expect(await sendAll('2026-11-24T21:01:00Z')).toHaveLength(1)
})

const friday = '2026-11-20T15:00:30Z'
const publish = (title: string, publie_le: string, commune_ids = [town.id]) =>
  insertPublication(world, { title, publie_le: new Date(publie_le), commune_ids })

test('once a week, readers get what their commune published since the last mail', async () => {
  await choose(await subscribe(2, [town.id]), { actualites: true })
  await choose(await subscribe(1, [other.id], 'all', 'other'), { actualites: true })
  await subscribe(1, [town.id], 'all', 'alertes-only')
  await publish('Ancienne', '2026-11-12T08:00:00Z')
  await publish('Marché de Noël', '2026-11-16T08:00:00Z')
  await publish('Don du sang', '2026-11-19T08:00:00Z')
  for (let run = 0; run < 3; run++) await queueWeeklyMails(at(friday), signal, 1)
  const mails = await sendAll(friday)
  expect(mails.map(({ to }) => to).toSorted()).toEqual(['zoe-0@example.org', 'zoe-1@example.org'])
  const [mail] = mails
  expect(mail?.subject).toBe('Bouguenais · Les publications de la semaine')
  expect(mail?.text).toMatch(/Don du sang[\s\S]*Marché de Noël/)
  expect(mail?.text).not.toContain('Ancienne')
  expect(
    await sql`select after from audit_log where action = 'notification.send' and after ->> 'kind' = 'actualites'`.execute(
      db,
    ),
  ).toMatchObject({
    rows: [{ after: { kind: 'actualites', count: 2 } }],
  })
  // What appeared after the mail of Friday is in the next one.
  await publish('Vendredi soir', '2026-11-20T19:00:00Z')
  await queueWeeklyMails(at('2026-11-27T15:00:10Z'), signal)
  const [next] = await sendAll('2026-11-27T15:00:20Z')
  expect(next?.text).toContain('Vendredi soir')
  expect(next?.text).not.toContain('Don du sang')
})

test('a weekly mail leaves out what the commune hides, also since the mail was made', async () => {
  await choose(await subscribe(1, [town.id]), { actualites: true })
  const [first, second] = [
    await publish('Un', '2026-11-16T08:00:00Z'),
    await publish('Deux', '2026-11-17T08:00:00Z'),
  ]
  await publish('Trois', '2026-11-18T08:00:00Z')
  const hide = (publication_id: string, commune_id: string) =>
    db.insertInto('publication_hidings').values({ publication_id, commune_id }).execute()
  await hide(first.id, town.id)
  await queueWeeklyMails(at(friday), signal)
  await hide(second.id, town.id)
  const [mail] = await sendAll(friday)
  expect(shownIn(mail)).toEqual(['Trois'])
})

const shownIn = ({ text = '' } = {}) =>
  ['Un', 'Deux', 'Trois'].filter((title) =>
    text.includes(`${title}
`),
  )

test('a weekly mail begins where the last one that its reader was sent ended, however long ago', async () => {
  const [reached, missed] = await subscribe(2, [town.id])
  await choose(
    [reached, missed].flatMap((one) => one ?? []),
    { actualites: true },
  )
  await sql`update resident_choices set confirmed_at = '2026-10-20'`.execute(db)
  const before = '2026-10-23T14:00:30Z'
  await publish('Un', '2026-10-21T08:00:00Z')
  await queueWeeklyMails(at(before), signal)
  const [first] = await queued()
  const refusing = mailer(({ to }) =>
    to === missed?.address
      ? { status: 'failed', retry: false, error: '550', refused: 'recipient' }
      : { status: 'sent' },
  )
  await expand({ ...refusing, clock: () => new Date(before) }, first?.id ?? '')
  await send({ ...refusing, clock: () => new Date(before) }, first?.id ?? '')
  expect(refusing.accepted.map(shownIn)).toEqual([['Un']])
  // The service is away for three Fridays.
  await publish('Deux', '2026-10-28T08:00:00Z')
  await publish('Trois', '2026-11-18T08:00:00Z')
  expect(await queueWeeklyMails(at(friday), signal)).toBe(1)
  const mails = await sendAll(friday)
  expect(Object.fromEntries(mails.map((mail) => [mail.to, shownIn(mail)]))).toEqual({
    [reached?.address ?? '']: ['Deux', 'Trois'],
    [missed?.address ?? '']: ['Un', 'Deux', 'Trois'],
  })
})

test('weekly mails that an outage of Friday left out are made until Sunday; nothing of a week is sent twice', async () => {
  await choose(await subscribe(1, [town.id]), { actualites: true })
  await choose(await subscribe(1, [other.id], 'all', 'other'), { actualites: true })
  await publish('Un', '2026-11-19T08:00:00Z')
  await publish('Deux', '2026-11-20T21:00:00Z', [other.id])
  // Published after the hours of Friday: of the next week.
  const saturday = '2026-11-21T09:00:00Z'
  expect(await queueWeeklyMails(at(saturday), signal)).toBe(1)
  expect((await sendAll(saturday)).map(({ to }) => to)).toEqual(['zoe-0@example.org'])
  await publish('Trois', '2026-11-21T10:00:00Z')
  expect(await queueWeeklyMails(at('2026-11-22T09:00:00Z'), signal)).toBe(0)
  expect(await queueWeeklyMails(at('2026-11-27T15:00:00Z'), signal)).toBe(2)
})

test('a publication that is hidden before its mail leaves is not in it; without any nothing is sent', async () => {
  await choose(await subscribe(1, [town.id]), { actualites: true })
  const hidden = await publish('Cachée', '2026-11-19T08:00:00Z')
  const shown = await publish('Montrée', '2026-11-19T09:00:00Z')
  await queueWeeklyMails(at(friday), signal)
  const hide = (id: string) =>
    db
      .updateTable('publications')
      .set({ moderation_status: 'rejected', valide: false, publie_le: null })
      .where('id', '=', id)
      .execute()
  await hide(hidden.id)
  const [mail] = await sendAll(friday)
  expect(mail?.text).toContain('Montrée')
  expect(mail?.text).not.toContain('Cachée')
  await sql`delete from broadcasts`.execute(db)
  await queueWeeklyMails(at(friday), signal)
  await hide(shown.id)
  expect(await sendAll(friday)).toEqual([])
})
