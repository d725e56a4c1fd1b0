import { expect, test } from 'vitest'
import { openWorld } from '../../test/support/world.ts'
import { streetOf } from '../modules/communes/secteurs/streets.ts'

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

test('the dates lead to their calendar, which a frame has not', async () => {
  await admin.patch(`/admin/communes/${id}`, {
    collectes: [{ type_dechet: 'verre', libelle: 'Verre', mode: 'porte_a_porte', jours: ['mercredi'] }],
  })
  const read = async (search: string) => (await fetch(`${url}/communes/triee/collectes${search}`)).text()
  const parts = ['href="#calendrier"', 'id="calendrier"']
  for (const search of ['', '?annee=1']) for (const part of parts) expect(await read(search)).toContain(part)
  for (const part of parts) expect(await read('?embed=1')).not.toContain(part)
})

test('the collections of one secteur are listed by day, tomorrow even if there is none', async () => {
  const bin = (libelle: string, jours: string[], more = {}) => ({
    ...{ type_dechet: 'verre', libelle, mode: 'porte_a_porte', jours, ...more },
  })
  await admin.patch(`/admin/communes/${id}`, {
    collectes: [
      bin('Bac gris', ['lundi', 'jeudi']),
      bin('Bac jaune', ['jeudi'], {
        secteur: 'Nord',
        exceptions: [{ date: '2026-11-26', reportee_au: null }],
      }),
      bin('Bac vert', ['vendredi'], { secteur: 'Sud' }),
      { type_dechet: 'verre', libelle: 'Colonnes', mode: 'apport_volontaire' },
    ],
  })
  const days = async (search: string) => {
    const text = await (await fetch(`${url}/communes/triee/collectes${search}`)).text()
    const [, list = ''] = /id="bientot">.*?<ul class="rows leaves">(.*?)<\/section>/s.exec(text) ?? []
    return list
      .split('<p class="when">')
      .slice(1)
      .map((day) =>
        day
          .replaceAll(/<span class="tile.*/gs, '')
          .replace('</p>', ' : ')
          .replaceAll('</li><li>', ', ')
          .replaceAll(/<[^>]*>|\n/g, ''),
      )
  }
  expect(await days('?secteur=Nord')).toEqual([
    'Demain samedi 21 : Rien à sortir',
    'Lundi 23 novembre : Bac gris',
    'Jeudi 26 novembre : Bac gris',
    'Lundi 30 novembre : Bac gris',
    'Jeudi 3 décembre : Bac gris, Bac jaune',
  ])
  // Today is a Friday.
  expect((await days('?secteur=Sud')).slice(0, 2)).toEqual([
    'Aujourd’hui vendredi 20 : Bac vert',
    'Demain samedi 21 : Rien à sortir',
  ])
  for (const other of ['', '?secteur=Nord&annee=1']) expect(await days(other)).toEqual([])
  const text = await (await fetch(`${url}/communes/triee/collectes?secteur=Nord`)).text()
  expect(text).not.toContain('Aucune date n’est connue')
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

test('?adresse= leads to the secteur of an address, suggests others, and is stored nowhere', async () => {
  const rows = [
    ['Nord', ['Rue Haute : 1-9', 'Rue du Bourg']],
    ['Sud', ['Rue Haute : 10-', 'Place du <Four>']],
  ] as const
  const { id, slug } = await world.commune({ slug: 'adressee', nom: 'Adressée' })
  const collecte = { type_dechet: 'verre', libelle: 'Verre', mode: 'porte_a_porte', jours: ['samedi'] }
  const read = async (search: string) => {
    const response = await fetch(`${url}/communes/${slug}${search}`, { redirect: 'manual' })
    return { response, location: response.headers.get('location'), text: await response.text() }
  }
  await admin.patch(`/admin/communes/${id}`, {
    collectes: rows.map(([secteur]) => ({ ...collecte, secteur })),
  })
  // Without streets nothing is asked that nobody could answer.
  expect((await read('/collectes')).text).not.toContain('name="adresse"')
  expect((await read('')).text).toContain('name="secteur"')
  const { data } = (await admin.get(`/mairie/communes/${id}/secteurs`)).body
  for (const [nom, lines] of rows)
    await admin.patch(
      `/mairie/communes/${id}/secteurs/${data.find((one: { nom: string }) => one.nom === nom)?.id}`,
      { rues: lines.map(streetOf) },
    )
  expect((await read('/collectes')).text).toContain('name="adresse"')
  expect((await read('')).text).toContain(`action="/communes/${slug}/collectes"`)

  const found = await read('/collectes?adresse=12+rue+haute&embed=1')
  expect(found.response.status).toBe(302)
  expect(found.location).toBe(`/communes/${slug}/collectes?embed=1&secteur=Sud`)
  expect(found.response.headers.get('cache-control')).toBe('no-store')
  const both = await read('/collectes?adresse=rue+haute')
  expect(both.text).toContain('ajoutez le numéro')
  expect(both.text).toContain(`<a href="/communes/${slug}/collectes?secteur=Nord">Secteur Nord</a>`)
  expect(both.text).toContain('<meta name="robots" content="noindex">')
  expect(both.response.headers.get('cache-control')).toBe('no-store')
  expect((await read('/collectes?adresse=7+bourg')).text).toContain(
    `<a href="/communes/${slug}/collectes?adresse=7+Rue+du+Bourg">7 Rue du Bourg</a>`,
  )
  expect((await read('/collectes?adresse=place+fou')).text).toContain('Place du &lt;Four&gt;</a>')
  const unknown = await read('/collectes?adresse=%3Czz%3E')
  expect(unknown.text).toContain('« &lt;zz&gt; » n’est dans aucun secteur connu')
  expect(unknown.text).toContain('<h3>Verre</h3>')
})

test('a secteur without collections of its own shows those of the whole commune', async () => {
  const { id, slug } = await world.commune({ slug: 'commune-entiere' })
  const collecte = { type_dechet: 'verre', mode: 'porte_a_porte', jours: ['samedi'] }
  const collectes = [
    { ...collecte, libelle: 'Bac commun' },
    { ...collecte, libelle: 'Bac Nord', secteur: 'Nord' },
  ]
  await admin.patch(`/admin/communes/${id}`, { collectes })
  await admin.post(`/mairie/communes/${id}/secteurs`, { nom: 'Îles', rues: [{ rue: 'Rue Basse' }] })
  const page = await (await fetch(`${url}/communes/${slug}/collectes?adresse=rue+basse`)).text()
  expect(page).toContain('Secteur Îles')
  expect([...page.matchAll(/<h3>(.*?)<\/h3>/g)].map(([, libelle]) => libelle)).toEqual(['Bac commun'])
})
