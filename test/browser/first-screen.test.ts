import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { insertPublication } from '../../src/modules/publications/publications.test-kit.ts'
import { uuidv7 } from '../../src/platform/formats/uuid.ts'
import { openWorld } from '../support/world.ts'
import { barriersInBothThemes, openPage, overflowsSideways, story } from './browser.ts'

/** What a resident sees of a commune without scrolling. */

const world = await openWorld()
const { url, db } = world
world.setClock('2026-11-26T17:00:00.000Z')
const hall = await world.acteur({ type: 'mairie', valide: true, telephone: '04 79 00 00 00' })
await db
  .updateTable('acteurs')
  .set({
    email: 'mairie@ville.example',
    adresse: '1 place de l’Hôtel-de-Ville',
    horaires: 'Mo-Fr 08:30-12:00',
  })
  .where('id', '=', hall.id)
  .execute()
const { id } = await world.commune({
  ...{ nom: 'Saint-Germain-en-Laye', slug: 'ville', departement: '78', mairie_actor_id: hall.id },
  codes_postaux: ['78100'],
})
const admin = await world.as('admin')
const collecte = { type_dechet: 'verre', mode: 'porte_a_porte', dates: [] }
await admin.patch(`/admin/communes/${id}`, {
  collectes: [
    {
      ...collecte,
      libelle: 'Ordures ménagères (bac gris)',
      jours: ['vendredi'],
      secteur: 'Centre et Bel-Air',
    },
    { ...collecte, libelle: 'Emballages (bac jaune)', jours: ['lundi'], secteur: 'Hennemont' },
    { ...collecte, libelle: 'Biodéchets (bac brun)', jours: ['vendredi'] },
  ],
})
const message =
  'L’eau est coupée du 2 au 40 rue de Pologne, le temps de réparer une conduite. Les habitants sont prévenus.'
const alert = (niveau: 'attention' | 'urgence') =>
  db
    .insertInto('alertes')
    .values({ id: uuidv7(), commune_id: id, titre: 'Coupure d’eau rue de Pologne', message, niveau })
    .execute()
for (let n = 0; n < 30; n++)
  await insertPublication(world, {
    ...{ commune_id: id, acteur_id: hall.id, slug: `n-${n}`, title: `Nouvelle ${n} de la ville` },
    body: `<p>${'Un texte de quelques mots. '.repeat(8)}</p>`,
    ...(n < 12 && { date_debut: `2026-12-${String(n + 1).padStart(2, '0')}`, heure_debut: '18:00' }),
  })

const open = (width: number, height: number, more = {}) => openPage({ url, width, height, ...more })
const missing = { x: Number.NaN, y: Number.NaN, width: 0, height: 0 }
const boxOf = async (page: Page, text: string) =>
  (await page.getByText(text).first().boundingBox()) ?? missing

const boxesOf = async (page: Page, selector: string) => {
  const boxes = []
  for (const one of await page.locator(selector).all()) boxes.push((await one.boundingBox()) ?? missing)
  return boxes
}

const firstOnes = [
  'Coupure d’eau rue de Pologne',
  'demain vendredi 27',
  'Fermée, ouvre demain à 8 h 30',
  'Appeler',
  'Écrire',
  'Y aller',
]

story('alertes, bins and mairie are on the first screen of a phone, above its menu', async () => {
  const page = await open(360, 800)
  for (const niveau of ['attention', 'urgence'] as const) {
    await db.deleteFrom('alertes').execute()
    await alert(niveau)
    for (const search of ['', '?secteur=Hennemont', '?secteur=Centre+et+Bel-Air']) {
      await page.goto(`/communes/ville${search}`)
      const [menu = missing] = await boxesOf(page, '.menu')
      // Before a secteur is chosen, there are bins of several.
      for (const text of search === '' ? firstOnes.slice(0, 3) : firstOnes) {
        const { y, height } = await boxOf(page, text)
        expect(y + height, `${text} with ${niveau} ${search}`).toBeLessThanOrEqual(menu.y)
      }
      expect(await overflowsSideways(page)).toEqual([])
    }
  }
  expect(await barriersInBothThemes(page)).toEqual([])
})

story('a resident chooses a secteur once, and finds it again on other pages, without scripts', async () => {
  const page = await open(360, 800, { javaScriptEnabled: false })
  await page.goto('/communes/ville')
  await page.getByText('Choisir mon secteur').click()
  await page.getByLabel('Mon secteur').selectOption('Hennemont')
  await page.getByRole('button', { name: 'Choisir' }).click()
  await page.getByText('Secteur Hennemont').waitFor()
  await page.getByRole('link', { name: 'Mes bacs', exact: true }).first().click()
  await page.getByRole('link', { name: 'Saint-Germain-en-Laye' }).first().click()
  await page.getByText('Secteur Hennemont').waitFor()
  expect(await page.context().cookies()).toEqual([])
})

story('wide screens have columns, whose content uses the width', async () => {
  for (const width of [1_280, 1_920]) {
    const page = await open(width, 900)
    await page.goto('/communes/ville')
    const main = await page.getByRole('main').boundingBox()
    expect(main?.width).toBe(width)
    const edges = await boxesOf(page, '.split > *')
    expect(new Set(edges.map(({ x }) => Math.round(x))).size).toBe(2)
    // Nothing is empty.
    for (const { height } of edges) expect(height).toBeGreaterThan(60)
    const cards = await boxesOf(page, '.now > section')
    expect(cards).toHaveLength(3)
    expect(new Set(cards.map(({ y }) => y)).size).toBe(1)
    expect(await overflowsSideways(page)).toEqual([])
    expect(await barriersInBothThemes(page)).toEqual([])
  }
})
