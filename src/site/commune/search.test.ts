import { expect, test } from 'vitest'
import { statementsAbout } from '../../../test/support/statements.ts'
import { openWorld } from '../../../test/support/world.ts'
import { insertPublication } from '../../modules/publications/publications.test-kit.ts'
import { type SearchTopic, topicsOf } from '../../modules/reference/search-topics.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'

const world = await openWorld()
const { url } = world
world.setClock('2026-11-26T17:00:00.000Z')
const hall = await world.acteur({
  type: 'mairie',
  valide: true,
  nom: 'Mairie de Ville',
  telephone: '04 79 00 00 00',
})
const here = await world.commune({ nom: 'Ville', slug: 'ville', departement: '73', mairie_actor_id: hall.id })
const far = await world.commune({ nom: 'Ailleurs', slug: 'ailleurs' })
const admin = await world.as('admin')
await admin.patch(`/admin/communes/${here.id}`, {
  collectes: [
    {
      type_dechet: 'emballages',
      mode: 'porte_a_porte',
      dates: [],
      libelle: 'Bac jaune',
      jours: ['vendredi'],
    },
  ],
  infos: [{ cle: 'marche', libelle: 'Marché', valeur: 'Place de Genève, le samedi' }],
  elus: [
    { prenom: 'Odile', nom: 'Vauquelin', fonction: 'Maire' },
    { prenom: 'Jean', nom: 'Dupré', fonction: 'Adjoint à la voirie' },
  ],
})
for (const [nom, commune] of [
  ['Club de tarot', here],
  ['Club de bridge', far],
] as const)
  await world.acteur({
    nom,
    slug: nom.replaceAll(' ', '-').toLowerCase(),
    valide: true,
    commune_id: commune.id,
  })
await insertPublication(world, { title: 'Tournoi de tarot', slug: 'ici', commune_id: here.id })
await insertPublication(world, { title: 'Tournoi lointain', slug: 'loin', commune_id: far.id })

const read = async (path: string) => (await fetch(`${url}${path}`)).text()
const find = (q: string) => read(`/communes/ville/recherche?q=${encodeURIComponent(q)}`)
const titles = (text: string) =>
  [...text.slice(text.indexOf('<main')).matchAll(/<h[23][^>]*>(?:<a [^>]*>)?([^<]*)/g)].map(
    ([, title = '']) => title.trim(),
  )

test.each<[string, SearchTopic[]]>([
  ['poubelle', ['collectes']],
  ['Poubelles', ['collectes']],
  ['jour des poubeles', ['collectes']],
  ['bac jaune', ['collectes']],
  ['déchetterie', ['collectes']],
  ['decheterie', ['collectes']],
  ['horaires', ['mairie']],
  ['horaires de la déchetterie', ['collectes', 'mairie']],
  ['etat civil', ['mairie']],
  ['civil', []],
  ['carte d’identité', ['mairie']],
  ['conseil municipal', ['elus']],
  ['defibrilateur', ['defibrillateurs']],
  ['dae', ['defibrillateurs']],
  ['bacchanale', []],
  ['tarot', []],
])('"%s" is about %j', (q, topics) => {
  expect(topicsOf(q)).toEqual(topics)
})

test('finds the services of a commune by the words of residents, and shows the answer', async () => {
  const bins = await find('poubelles')
  expect(titles(bins)).toEqual(['Services', 'Mes bacs'])
  expect(bins).toContain('demain vendredi 27')
  const hall = await find('etat civil')
  expect(hall).toContain('href="tel:0479000000"')
  expect(titles(await find('défibrillateur'))).toEqual(['Services', 'Défibrillateurs'])
})

test('shows an alerte in force by its words, above all else', async () => {
  const alerte = { commune_id: here.id, titre: 'Eau coupée', message: 'Rue de Boigne, de 8 h à midi' }
  await world.db
    .insertInto('alertes')
    .values({ ...alerte, id: uuidv7(), niveau: 'attention' })
    .execute()
  try {
    for (const q of ['boigne', 'eau', 'coupure'])
      await expect.poll(async () => titles(await find(q))[0]).toBe('En cours')
    expect(await find('boigne')).toContain('Rue de Boigne, de 8 h à midi')
    expect(titles(await find('tournoi'))).not.toContain('En cours')
  } finally {
    await world.db.deleteFrom('alertes').where('commune_id', '=', here.id).execute()
  }
})

test('what a mairie says stands above the services that lead on, and below the dates of bins', async () => {
  const first = async (q: string) => titles(await find(q))[0]
  expect(await first('marché')).toBe('Informations pratiques')
  expect(await first('poubelles')).toBe('Services')
})

test('finds practical information and élus by their words', async () => {
  expect(await find('geneve')).toContain('Place de Genève, le samedi')
  expect(titles(await find('vauquelin'))).toEqual(['Vos élus', 'Odile Vauquelin'])
  expect(titles(await find('voirie'))).toEqual(['Vos élus', 'Jean Dupré'])
  expect(titles(await find('maire'))).toContain('Odile Vauquelin')
})

test('looks in the commune first, and everywhere on demand', async () => {
  const inside = await find('tournoi')
  expect(inside).toContain('href="/publications/ici"')
  expect(inside).not.toContain('href="/publications/loin"')
  expect(inside).toContain('<a href="/recherche?q=tournoi">partout</a>')
  expect(titles(await find('bridge'))).toEqual([])
  const everywhere = await read('/recherche?q=club')
  for (const nom of ['Ville', 'Ailleurs']) expect(everywhere).toContain(`<p class="meta">${nom}</p>`)
  expect(await read('/communes/ville')).toContain('<a href="/communes/ville/recherche">')
})

test('a search sends as many statements however much it finds', async () => {
  // Without the notification that the connection for changes sends to itself every ten seconds.
  const count = async (q: string) => (await statementsAbout(/\bfrom\b/, () => find(q))).length
  const before = await count('tournoi')
  expect(before).toBeGreaterThan(0)
  for (let n = 0; n < 9; n++) await insertPublication(world, { title: `Tournoi ${n}`, commune_id: here.id })
  expect(await count('tournoi')).toBe(before)
})

test('escapes what was searched, and finds nothing for signs', async () => {
  expect(await find('<b>"')).toContain('value="&lt;b&gt;&quot;"')
  expect(titles(await find('???'))).toEqual([])
})

test('a search for one bin tells when this one is collected', async () => {
  const town = await world.commune({ nom: 'Deux', slug: 'deux', departement: '73' })
  const collecte = { mode: 'porte_a_porte', dates: [] }
  await admin.patch(`/admin/communes/${town.id}`, {
    collectes: [
      { ...collecte, type_dechet: 'ordures_menageres', libelle: 'Bac gris', jours: ['vendredi'] },
      { ...collecte, type_dechet: 'emballages', libelle: 'Bac jaune', jours: ['mardi'] },
    ],
  })
  const next = async (q: string) =>
    /<p class="when">(.*?)<\/ul>/s
      .exec(await read(`/communes/deux/recherche?q=${encodeURIComponent(q)}`))?.[1]
      ?.replaceAll(/<[^>]*>|\n/g, ' ') ?? ''
  expect(await next('poubelle jaune')).toMatch(/^Prochaine collecte mardi.*Bac jaune/)
  for (const q of ['poubelle', 'bac', 'ordures ménagères']) expect(await next(q)).toMatch(/Ce soir.*Bac gris/)
  expect(await next('emballages')).toMatch(/Bac jaune/)
})

test('the search of bins asks the address where streets lead to secteurs', async () => {
  const { id } = await world.commune({ nom: 'Rueville', slug: 'rueville' })
  const collecte = { type_dechet: 'verre', libelle: 'Verre', mode: 'porte_a_porte', jours: ['samedi'] }
  await admin.patch(`/admin/communes/${id}`, {
    collectes: ['Nord', 'Sud'].map((secteur) => ({ ...collecte, secteur })),
  })
  const read = async () => (await fetch(`${url}/communes/rueville/recherche?q=poubelle`)).text()
  expect(await read()).toContain('name="secteur"')
  const { data } = (await admin.get(`/mairie/communes/${id}/secteurs`)).body
  await admin.patch(`/mairie/communes/${id}/secteurs/${data[0].id}`, { rues: [{ rue: 'Rue Haute' }] })
  expect(await read()).toContain('name="adresse"')
})
