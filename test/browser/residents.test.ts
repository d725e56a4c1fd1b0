import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { insertDefibrillateur } from '../../src/modules/defibrillateurs/defibrillateurs.test-kit.ts'
import { insertPublication } from '../../src/modules/publications/publications.test-kit.ts'
import { uuidv7 } from '../../src/platform/formats/uuid.ts'
import { openWorld } from '../support/world.ts'
import { barriersInBothThemes, openPage, story } from './browser.ts'

/** What residents look for, on an old phone whose browser runs no scripts. */

const world = await openWorld()
const { url, db } = world
const now = new Date()
const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000)
const iso = (date: Date) => date.toISOString().slice(0, 10)
const saturday = inDays(((6 - now.getUTCDay() + 7) % 7) + 7)

const chambery = await world.commune({
  ...{ nom: 'Chambéry', slug: 'chambery', codes_postaux: ['73000'], departement: '73', code_insee: '73065' },
})
await world.commune({ nom: 'Chamberet', slug: 'chamberet', departement: '19' })
const club = await world.acteur({
  nom: 'Les Croqueurs',
  slug: 'croqueurs',
  commune_id: chambery.id,
  valide: true,
})
await insertPublication(world, {
  ...{ slug: 'fete', title: 'Fête de la pomme', acteur_id: club.id, commune_id: chambery.id },
  ...{
    date_debut: iso(saturday),
    heure_debut: '14:00',
    lieu: { nom: 'Clos Savoiroux', adresse: null, latitude: null, longitude: null },
  },
})
const scam = { slug: 'panneaux', title: 'Panneaux solaires gratuits', commune_id: chambery.id }
await insertPublication(world, { ...scam, acteur_id: club.id, en_avant: true })
await db
  .insertInto('collectes')
  .values({
    ...{ id: uuidv7(), commune_id: chambery.id, type_dechet: 'verre', libelle: 'Bac gris', position: 0 },
    ...{
      mode: 'porte_a_porte',
      jours: [],
      toutes_les_semaines: 1,
      dates: [iso(inDays(2))],
      exceptions: '[]',
    },
  } as never)
  .execute()
await db
  .insertInto('elus')
  .values([
    { id: uuidv7(), commune_id: chambery.id, prenom: 'Odile', nom: 'Vauquelin', fonction: 'Maire', ordre: 1 },
    { id: uuidv7(), commune_id: chambery.id, prenom: 'Régis', nom: 'Perrier', fonction: 'Adjoint', ordre: 2 },
  ])
  .execute()
for (const values of [
  { nom: 'Gymnase', disponibilite: 'Mo-Fr 08:00-08:01' },
  { nom: 'Gare', disponibilite: '24/7' },
])
  await insertDefibrillateur(db, { ...values, code_insee: '73065', commune_nom: 'Chambéry' })

const restrict = (commune_ids: string[] | null) =>
  db.updateTable('app_sources').set({ commune_ids }).where('code', '=', 'site').execute()

/** A walk from the home of the site, whose clicks are counted. */
async function walk() {
  world.setClock(now.toISOString())
  const page = await openPage({ url, width: 360, height: 740, javaScriptEnabled: false })
  let clicks = 0
  await page.goto('/')
  return {
    page,
    clicks: () => clicks,
    async click(target: Locator) {
      clicks++
      await target.click()
    },
  }
}
type Walk = Awaited<ReturnType<typeof walk>>

async function toCommune({ page, click }: Walk) {
  await page.getByLabel('Nom de la commune ou code postal').fill('chambéry')
  await click(page.getByRole('button', { name: 'Chercher' }))
}
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first()

/** The text is on the first screen, without scrolling. */
async function isSeen(page: Page, text: string | RegExp) {
  const box = await page.getByRole('main').getByText(text).first().boundingBox()
  expect(box && box.y + box.height, `${text}`).toBeLessThan(740)
}

async function untilLater(page: Page) {
  // A form is not accepted as quickly as a program fills it.
  world.setClock(new Date(now.getTime() + 60_000).toISOString())
  return page
}

const answers: Record<string, (walk: Walk) => Promise<void>> = {
  'when do my bins leave': async ({ page }) => {
    await isSeen(page, /^(Ce soir, sortez|Aujourd’hui|Prochaine collecte)/)
    await isSeen(page, 'Bac gris')
  },
  'who is the mayor': async ({ page, click }) => {
    await click(link(page, 'Vos élus'))
    await isSeen(page, 'Odile Vauquelin')
  },
  'what happens on Saturday': async ({ page, click }) => {
    await click(link(page, 'Agenda'))
    await isSeen(page, /^Samedi /)
    await isSeen(page, 'Fête de la pomme')
    await isSeen(page, 'À 14 h · Clos Savoiroux · Les Croqueurs')
  },
  'is there a defibrillator open now near the station': async ({ page, click }) => {
    await click(link(page, 'Défibrillateurs'))
    const field = page.getByLabel('Adresse, nom de lieu ou commune')
    if ((await field.count()) > 0) {
      await field.fill('gare chambéry')
      await click(page.getByRole('button', { name: 'Chercher' }))
    }
    await isSeen(page, 'Gare')
    await isSeen(page, 'Ouvert maintenant')
  },
  'this publication is a scam': async ({ page, click }) => {
    await click(link(page, 'Panneaux solaires gratuits'))
    await click(link(page, 'Signaler cette publication'))
    await page.getByLabel('Ce qui ne va pas').selectOption({ label: 'C’est choquant ou illégal' })
    await page.getByLabel('Précisions').fill('On demande une avance.')
    await untilLater(page)
    await click(page.getByRole('button', { name: 'Envoyer' }))
    await isSeen(page, 'Votre signalement a bien été reçu.')
  },
}

for (const [question, answer] of Object.entries(answers)) {
  story(`${question}: three clicks from the home of a site of many communes`, async () => {
    const walked = await walk()
    if (!/defibrillator|scam/.test(question)) await toCommune(walked)
    await answer(walked)
    expect(walked.clicks()).toBeLessThanOrEqual(3)
  })
  story(`${question}: three clicks from the home of a site of one town`, async () => {
    await db.deleteFrom('publication_reports').execute()
    await restrict([chambery.id])
    const walked = await walk()
    await answer(walked).finally(() => restrict(null))
    expect(walked.clicks()).toBeLessThanOrEqual(3)
  })
}

story('this association is mine: three clicks to the form, which one more sends', async () => {
  const ways: [string[] | null, (walk: Walk) => Promise<void>][] = [
    [[chambery.id], ({ page, click }) => click(link(page, 'Associations, commerces'))],
    [
      null,
      async ({ page, click }) => {
        await page.getByLabel('Nom de la commune ou code postal').fill('croqueurs')
        await click(page.getByRole('button', { name: 'Chercher' }))
      },
    ],
  ]
  for (const [communes, find] of ways) {
    await db.deleteFrom('claims').execute()
    await restrict(communes)
    const walked = await walk()
    const { page, click, clicks } = walked
    try {
      await find(walked)
      await click(link(page, 'Les Croqueurs'))
      await click(link(page, 'Revendiquer cette page'))
      expect(clicks()).toBeLessThanOrEqual(3)
      await page.getByLabel('Qui êtes-vous').fill('Je préside cette association.')
      await untilLater(page)
      await click(page.getByRole('button', { name: 'Envoyer' }))
      await isSeen(page, 'Votre demande a bien été reçue')
    } finally {
      await restrict(null)
    }
    expect(await db.selectFrom('claims').select('acteur_id').execute()).toEqual([{ acteur_id: club.id }])
  }
})

story('a form that is refused takes the focus to its errors, each of which leads to its field', async () => {
  world.setClock(now.toISOString())
  const page = await openPage({ url, width: 360, height: 740, expects: /422/ })
  await page.goto('/contact')
  await page.evaluate('document.querySelector("form.form").noValidate = true')
  await page.getByLabel('Objet').fill('Bac')
  await untilLater(page)
  await page.getByRole('button', { name: 'Envoyer' }).click()
  await page.locator('.summary:focus').waitFor()
  await isSeen(page, 'Votre message')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.locator('.field.wrong:focus-within, .field.wrong:has(:target)').first().waitFor()
  expect(await barriersInBothThemes(page)).toEqual([])
})
