import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'

const { as, commune, get, setClock } = await openWorld()
const path = '/admin/communes/collectes/preview'
const noon = (day: string) => setClock(`${day}T12:00:00Z`)
/** A token lives an hour, and these tests travel in time. */
const post = async (body: object) => (await as('admin')).post(path, body)
const preview = async (body: object) => (await post(body)).body.data

test('returns the dates that the public gets once the collecte is saved', async () => {
  noon('2026-11-20')
  const { id } = await commune({ departement: '67' })
  const schedule = {
    jours: ['vendredi', 'samedi'],
    toutes_les_semaines: 2,
    a_partir_du: '2026-11-20',
    dates: ['2026-12-26', '2026-11-30'],
    exceptions: [
      { date: '2026-12-04', reportee_au: '2026-12-07' },
      { date: '2026-12-05', reportee_au: null },
    ],
  }
  const named = { type_dechet: 'verre', libelle: 'Verre', mode: 'porte_a_porte', ...schedule }
  const answer = await post({ ...named, commune_id: id })
  expect(answer.status).toBe(200)
  await (await as('admin')).patch(`/admin/communes/${id}`, { collectes: [named] })
  const [saved] = (await get(`/communes/${id}/collectes`)).body.data
  const { prochaines, passages } = answer.body.data
  expect({ prochaines, passages }).toEqual({ prochaines: saved.prochaines, passages: saved.passages })
  expect(prochaines).toHaveLength(5)
})

test('lists the days of the calendar with collections and exceptions', async () => {
  noon('2026-11-20')
  const { id } = await commune({ departement: '73' })
  const body = {
    commune_id: id,
    jours: ['vendredi'],
    exceptions: [
      { date: '2026-12-25', reportee_au: '2026-12-26' },
      { date: '2027-01-08', reportee_au: null },
      { date: '2026-12-31', reportee_au: '2026-12-30' },
    ],
    du: '2026-12-24',
    au: '2027-01-09',
  }
  const { jours, sans_effet } = await preview(body)
  const plain = { reportee_au: null, jour_ferie: false }
  expect(jours).toEqual([
    { date: '2026-12-25', etat: 'reportee', ...plain, reportee_au: '2026-12-26' },
    { date: '2026-12-26', etat: 'reportee_ici', ...plain },
    { date: '2027-01-01', etat: 'passage', ...plain, jour_ferie: true },
    { date: '2027-01-08', etat: 'supprimee', ...plain },
  ])
  expect(sans_effet).toEqual(['2026-12-31'])
})

test.each([
  ['73', false],
  ['67', true],
])('knows the public holidays of the département: %s', async (departement, isHoliday) => {
  noon('2026-12-20')
  const { id } = await commune({ departement })
  const { passages } = await preview({ commune_id: id, dates: ['2026-12-25', '2026-12-26'] })
  expect(passages).toEqual([
    { date: '2026-12-25', jour_ferie: true },
    { date: '2026-12-26', jour_ferie: isHoliday },
  ])
  const anywhere = await preview({ dates: ['2026-12-25', '2026-12-26'] })
  expect(anywhere.passages.map(({ jour_ferie }: { jour_ferie: boolean }) => jour_ferie)).toEqual([
    true,
    false,
  ])
})

test.each([
  ['2026-03-28T23:30:00Z', '2026-03-29', 'dimanche'],
  ['2026-03-29T21:59:00Z', '2026-03-29', 'dimanche'],
  ['2026-03-29T22:01:00Z', '2026-03-30', 'lundi'],
  ['2026-10-24T22:30:00Z', '2026-10-25', 'dimanche'],
  ['2026-10-25T22:30:00Z', '2026-10-25', 'dimanche'],
  ['2026-10-25T23:30:00Z', '2026-10-26', 'lundi'],
])('begins with today in Paris around a change of clocks: %s', async (now, today, jour) => {
  setClock(now)
  const { prochaines, jours } = await preview({ jours: [jour] })
  expect(prochaines[0]).toBe(today)
  expect(jours[0].date).toBe(today)
  const days = prochaines.map((date: string) => Date.parse(`${date}T00:00:00Z`) / 86_400_000)
  expect(days.map((day: number) => day - days[0])).toEqual([0, 7, 14, 21, 28])
})

test('shows three months by default, and a collecte without days has none', async () => {
  noon('2026-11-20')
  const { jours } = await preview({
    jours: ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche'],
  })
  expect(jours).toHaveLength(92)
  expect(jours.at(-1).date).toBe('2027-02-19')
  expect(await preview({})).toEqual({ prochaines: [], passages: [], jours: [], sans_effet: [] })
})

test('a weekday of the month gives the same dates before and after it is saved', async () => {
  noon('2026-11-20')
  const { id } = await commune({ departement: '73' })
  const schedule = { jours: ['mercredi'], rang: 2, exceptions: [{ date: '2027-01-13', reportee_au: null }] }
  const { prochaines } = await preview({ ...schedule, commune_id: id })
  expect(prochaines).toEqual(['2026-12-09', '2027-02-10', '2027-03-10', '2027-04-14', '2027-05-12'])
  const named = { type_dechet: 'verre', libelle: 'Verre', mode: 'porte_a_porte', ...schedule }
  await (await as('admin')).patch(`/admin/communes/${id}`, { collectes: [named] })
  const [saved] = (await get(`/communes/${id}/collectes`)).body.data
  expect(saved).toMatchObject({ ...schedule, toutes_les_semaines: 1, prochaines })
})

test.each([
  ['libelle', { libelle: '' }],
  ['libelle', { libelle: 'Verre\nblanc' }],
  ['type_dechet', { type_dechet: '' }],
  ['secteur', { secteur: 'Centre\u0000' }],
  ['mode', { mode: 'drone' }],
  ['jours.0', { jours: ['monday'] }],
  ['jours', { jours: ['lundi', 'lundi'] }],
  ['toutes_les_semaines', { toutes_les_semaines: 0 }],
  ['toutes_les_semaines', { toutes_les_semaines: 53 }],
  ['a_partir_du', { jours: ['lundi'], toutes_les_semaines: 2 }],
  ...[0, 5, -2, 1.5, '2'].map((rang): [string, object] => ['rang', { jours: ['lundi'], rang }]),
  ['rang', { rang: 2 }],
  ['rang', { jours: ['lundi', 'jeudi'], rang: 2 }],
  ['rang', { jours: ['lundi'], rang: 2, toutes_les_semaines: 2, a_partir_du: '2026-01-05' }],
  ['a_partir_du', { a_partir_du: '2026-02-30' }],
  ['dates.0', { dates: ['0000-01-01'] }],
  ['dates', { dates: Array(1_001).fill('2026-01-01') }],
  ['exceptions.0.date', { exceptions: [{ date: '2026-13-01', reportee_au: null }] }],
  ['exceptions.0.reportee_au', { exceptions: [{ date: '2026-12-25' }] }],
  [
    'exceptions.1.date',
    {
      exceptions: [
        { date: '2026-12-25', reportee_au: '2026-12-24' },
        { date: '2026-12-25', reportee_au: null },
      ],
    },
  ],
  ['exceptions', { exceptions: Array(501).fill({ date: '2026-12-25', reportee_au: null }) }],
  ['consignes', { consignes: 'x'.repeat(2_001) }],
  ['inconnu', { inconnu: 1 }],
  ['commune_id', { commune_id: 'nowhere' }],
  ['commune_id', { commune_id: '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e' }],
  ['au', { du: '2026-12-02', au: '2026-12-01' }],
  ['au', { du: '2026-01-01', au: '2027-01-02' }],
])('returns 422 for %s as when it is saved', async (field, body) => {
  const answer = await post(body)
  expect(answer).toBeError(422, 'validation_failed')
  expect(answer.body.details.map((problem: { field: string }) => problem.field)).toContain(field)
})

test('a moderator gets 403', async () => {
  expect(await (await as('moderator')).post(path, {})).toBeError(403, 'admin_required')
})

test.each([
  ['at the end of time', { a_partir_du: '9999-12-31', du: '9999-12-30', au: '9999-12-31' }],
  ['since the beginning of time', { a_partir_du: '0001-01-01', du: '0001-01-01' }],
  ['today', {}],
])('the largest schedule takes little time and memory: %s', async (_, edges) => {
  noon('2026-11-20')
  const day = (n: number) => new Date(Date.UTC(2026, 10, 20 + n)).toISOString().slice(0, 10)
  const body = {
    jours: ['vendredi'],
    toutes_les_semaines: 52,
    a_partir_du: '2026-11-20',
    dates: Array.from({ length: 1_000 }, (_, n) => day(n)),
    // Removes each of the next collections.
    exceptions: Array.from({ length: 500 }, (_, n) => ({ date: day(n), reportee_au: day(n + 1) })),
    ...edges,
  }
  await preview(body)
  const began = process.cpuUsage()
  const before = process.memoryUsage().heapUsed
  for (let n = 0; n < 10; n++) expect((await preview(body)).prochaines).toHaveLength(5)
  const { user } = process.cpuUsage(began)
  expect(user / 10_000).toBeLessThan(200)
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(100_000_000)
})
