import { expect, test } from 'vitest'
import { openWorld } from '../../test/support/world.ts'

const world = await openWorld()
const { url, as, setClock } = world
setClock('2026-11-20T10:00:00.000Z')
const { id } = await world.commune({ slug: 'triee', departement: '73' })
const admin = await as('admin')

test.each([
  ['Chaque mardi et vendredi', { jours: ['vendredi', 'mardi'] }],
  ['Le lundi et le jeudi, une semaine sur 2', { jours: ['lundi', 'jeudi'], toutes_les_semaines: 2 }],
  ['Le 1er samedi du mois', { jours: ['samedi'], rang: 1 }],
  ['Le 2e mercredi du mois', { jours: ['mercredi'], rang: 2 }],
  ['Le dernier lundi du mois', { jours: ['lundi'], rang: -1 }],
  [null, { dates: ['2026-12-01'] }],
])('says when a collection takes place: %s', async (words, schedule) => {
  const collecte = {
    type_dechet: 'verre',
    libelle: 'Verre',
    mode: 'porte_a_porte',
    a_partir_du: '2026-11-16',
  }
  await admin.patch(`/admin/communes/${id}`, { collectes: [{ ...collecte, ...schedule }] })
  const page = await (await fetch(`${url}/communes/triee/collectes`)).text()
  expect(page).toContain(`<p class="meta">${words === null ? '' : `${words} · `}En porte-à-porte</p>`)
})

test('shows the dates of a weekday of the month, for twelve months too', async () => {
  const collecte = {
    type_dechet: 'verre',
    libelle: 'Verre',
    mode: 'porte_a_porte',
    jours: ['mercredi'],
    rang: 2,
  }
  await admin.patch(`/admin/communes/${id}`, { collectes: [collecte] })
  const read = async (search: string) => (await fetch(`${url}/communes/triee/collectes${search}`)).text()
  expect(await read('')).toContain('<strong>mercredi 9 décembre</strong>')
  // The year is said where it is another one.
  expect(await read('')).toContain('mercredi 13 janvier 2027')
  const year = await read('?annee=1')
  expect(year.match(/<li>mercredi/g)).toHaveLength(12)
  expect(year).toContain('mercredi 9 décembre 2026')
  expect(year).toContain('mercredi 10 novembre 2027')
})

test('?secteur= narrows the page to the collections of a secteur, which its links keep', async () => {
  const collecte = { type_dechet: 'verre', mode: 'porte_a_porte', jours: ['samedi'] }
  const collectes = ['Nord', 'Sud', undefined].map((secteur) => ({
    ...{ ...collecte, libelle: `Bac ${secteur ?? 'commun'}` },
    ...(secteur && { secteur }),
  }))
  await admin.patch(`/admin/communes/${id}`, { collectes })
  const read = async (search: string) => (await fetch(`${url}/communes/triee/collectes${search}`)).text()
  const shown = async (search: string) =>
    [...(await read(search)).matchAll(/<h3>(.*?)<\/h3>/g)].map(([, libelle]) => libelle)
  expect(await shown('?secteur=sud')).toEqual(['Bac Sud', 'Bac commun'])
  expect(await shown('?secteur=ailleurs')).toEqual(await shown(''))
  const south = await read('?secteur=Sud')
  expect(south).toContain('<strong>demain samedi 21</strong>')
  expect(south).toContain('?annee=1&amp;secteur=Sud"')
  expect(south).toContain('<a href="/communes/triee/collectes">tous les secteurs</a>')
})
