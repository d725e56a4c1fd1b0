import { expect } from 'vitest'
import { exportOf } from '../../src/modules/pages/wordpress/wordpress.test-kit.ts'
import { openSession } from '../support/sessions.ts'
import { openWorld } from '../support/world.ts'
import {
  barriersInEveryLook,
  builtWebApp,
  loseResponse,
  meanwhile,
  openPage,
  overflowsSideways,
  story,
  toggle,
} from './browser.ts'

const webApp = await builtWebApp()
const world = await openWorld({ webApp, env: { SECOND_FACTOR: 'none' } })
const { url, db } = world

story('on a phone, a mairie writes a page with one below it, orders, edits and restores them', async () => {
  const hall = await world.acteur({ type: 'mairie', nom: 'Mairie de Vivreville', valide: true })
  const town = await world.commune({ nom: 'Vivreville', mairie_actor_id: hall.id })
  const { id } = await world.user({ memberships: [{ acteur: hall, role: 'owner' }] })
  const page = await openPage({ url, session: await openSession(db, id), width: 360, height: 800 })
  const isFit = async (name: string) => {
    const folder = process.env.PARVIS_PICTURES
    if (folder) await page.screenshot({ path: `${folder}/pages-${name}.png`, fullPage: true })
    expect(await barriersInEveryLook(page), name).toEqual([])
    expect(await overflowsSideways(page), name).toEqual([])
  }
  const write = async (title: string, text: string) => {
    await page.getByRole('link', { name: 'Nouvelle page' }).click()
    await page.getByRole('textbox', { name: 'Titre' }).fill(title)
    await page.getByRole('textbox', { name: 'Texte' }).click()
    await page.keyboard.type(text)
  }
  const save = async (title: string) => {
    await page.getByRole('button', { name: 'Enregistrer' }).click()
    await page.getByText(`Enregistrée : ${title}`).first().waitFor()
  }
  const stored = () =>
    db
      .selectFrom('commune_pages')
      .select(['id', 'title', 'body', 'status', 'parent_id'])
      .where('commune_id', '=', town.id)
      .orderBy('position')
      .execute()

  await page.goto(`/backoffice/espace/${hall.id}/commune`)
  await page.getByRole('link', { name: 'Pages de la commune' }).click()
  await page.getByText('Aucune page', { exact: true }).waitFor()
  await write('École', 'Trois classes.')
  await page.getByRole('button', { name: 'Ajouter un contact' }).click()
  await page.getByRole('textbox', { name: 'Service ou personne' }).fill('Service scolaire')
  await toggle(page.getByRole('radio', { name: 'Publiée' }))
  await isFit('360-nouvelle')
  await save('École')
  await write('Cantine', 'Le midi.')
  await page.getByRole('button', { name: /Rangée sous/ }).click()
  await page.getByRole('option', { name: 'École' }).click()
  await save('Cantine')
  await write('Salle des fêtes', 'Deux cents places.')
  await toggle(page.getByRole('radio', { name: 'Publiée' }))
  await save('Salle des fêtes')
  const list = page.getByRole('list', { name: 'Pages de la commune' })
  await list.getByText('Sous « École »').waitFor()
  await page.getByRole('button', { name: 'Monter « Salle des fêtes »' }).click()
  await page.getByText('Déplacée : Salle des fêtes').waitFor()
  await isFit('360-liste')
  expect((await stored()).map(({ title }) => title)).toEqual(['Salle des fêtes', 'École', 'Cantine'])

  await list.getByRole('link', { name: 'Cantine' }).click()
  await page.getByRole('textbox', { name: 'Titre' }).fill('Restaurant scolaire')
  await toggle(page.getByRole('radio', { name: 'Publiée' }))
  await save('Restaurant scolaire')
  await page.getByRole('button', { name: 'Reprendre cette version' }).click()
  await page.getByText('La version est reprise').waitFor()
  await expect.poll(() => page.getByRole('textbox', { name: 'Titre' }).inputValue()).toBe('Cantine')
  await isFit('360-versions')
  const [, school, canteen] = await stored()
  expect(canteen).toMatchObject({ title: 'Cantine', status: 'published', parent_id: school?.id })

  await page.goto(`/communes/${town.slug}/pages`)
  await page.getByRole('link', { name: 'Cantine' }).click()
  await page.getByText('Le midi.').waitFor()

  await page.goto(`/backoffice/espace/${hall.id}/commune/${town.id}/pages/${canteen?.id}`)
  await page.getByRole('button', { name: 'Supprimer la page' }).click()
  const question = page.getByRole('alertdialog', { name: 'Supprimer la page « Cantine » ?' })
  await question.getByRole('button', { name: 'Supprimer' }).click()
  await page.getByText('Supprimée : Cantine').waitFor()
  expect(await stored()).toHaveLength(2)
  await page.getByText('1 supprimée').first().click()
  await page.getByRole('button', { name: 'Rétablir : Cantine' }).click()
  await list.getByRole('link', { name: 'Cantine' }).waitFor()
  expect(await stored()).toHaveLength(3)
})

/** A mairie with a commune, and the page of an owner's browser. */
async function openHall(nom: string) {
  const hall = await world.acteur({ type: 'mairie', nom: `Mairie de ${nom}`, valide: true })
  const town = await world.commune({ nom, mairie_actor_id: hall.id })
  const { id, token } = await world.user({ memberships: [{ acteur: hall, role: 'owner' }] })
  const session = await openSession(db, id)
  const page = await openPage({ url, session, expects: /status of 4(09|12|22)|ERR_FAILED/ })
  const stored = () =>
    db
      .selectFrom('commune_pages')
      .select(['id', 'title', 'body', 'images'])
      .where('commune_id', '=', town.id)
      .execute()
  const versions = () =>
    db
      .selectFrom('commune_page_versions')
      .innerJoin('commune_pages', 'commune_pages.id', 'page_id')
      .select(['commune_page_versions.title'])
      .where('commune_id', '=', town.id)
      .execute()
  return {
    ...{ page, stored, versions },
    colleague: world.client({ source: 'public', token }),
    pages: `/mairie/communes/${town.id}/pages`,
    screen: `/backoffice/espace/${hall.id}/commune/${town.id}/pages`,
  }
}

story('the pages of a WordPress export come as drafts, once somebody has seen which', async () => {
  const { page, stored, screen } = await openHall('Exportville')
  const look = async () => {
    await page.setViewportSize({ width: 360, height: 800 })
    expect(await barriersInEveryLook(page)).toEqual([])
    expect(await overflowsSideways(page)).toEqual([])
    await page.setViewportSize({ width: 1280, height: 800 })
  }
  const choose = async (content: string) => {
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Importer de WordPress' }).click()
    const file = { name: 'mairie.xml', mimeType: 'text/xml', buffer: Buffer.from(content) }
    await (await chooser).setFiles(file)
  }
  await page.goto(screen)
  await choose('<html></html>')
  await page.getByText('n’est pas un export de WordPress').waitFor()
  const town = exportOf([
    {
      id: 1,
      title: 'École',
      name: 'ecole',
      content: '<p>Trois classes</p><img src="https://a.example/b.jpg">',
    },
    { id: 2, title: 'Cantine', name: 'cantine', parent: 1 },
    { id: 3, title: 'Vide', name: 'vide', content: '' },
  ])
  await choose(town)
  const list = page.getByRole('list', { name: 'Pages du fichier' })
  await list.getByText('Sous « École »').waitFor()
  await list.getByText('Sans texte').waitFor()
  await page.getByText('1 image n’est pas reprise (a.example)').waitFor()
  expect(await stored()).toEqual([])
  await look()
  await page.getByRole('button', { name: 'Importer 2 pages' }).click()
  await page.getByText('2 pages importées, en brouillon').waitFor()
  await page.getByRole('link', { name: 'Cantine' }).waitFor()
  expect((await stored()).map(({ title }) => title).toSorted()).toEqual(['Cantine', 'École'])
  await choose(town)
  await page.getByText('Aucune page nouvelle.').waitFor()
  expect(await page.getByRole('button', { name: /^Importer \d/ }).count()).toBe(0)
})

story('a response that is lost makes no second page, and no second version', async () => {
  const { page, stored, versions, screen } = await openHall('Perduville')
  const save = page.getByRole('button', { name: 'Enregistrer' })
  await page.goto(`${screen}/nouvelle`)
  const title = page.getByRole('textbox', { name: 'Titre' })
  await title.fill('Cimetière')
  await page.getByRole('textbox', { name: 'Texte' }).click()
  await page.keyboard.type('Ouvert de 8 h à 18 h.')
  await loseResponse(page, '**/pages')
  await save.click()
  await page.getByText('Le service n’a pas répondu').waitFor()
  expect(await stored()).toHaveLength(1)
  await save.click()
  await page.getByText('Enregistrée : Cimetière').first().waitFor()
  const [made] = await stored()
  expect(await stored()).toHaveLength(1)

  await page.goto(`${screen}/${made?.id}`)
  await title.fill('Cimetière communal')
  await loseResponse(page, `**/pages/${made?.id}`)
  await save.click()
  await page.getByText('Le service n’a pas répondu').waitFor()
  await save.click()
  await page.getByText('Enregistrée : Cimetière communal').first().waitFor()
  expect(await stored()).toEqual([expect.objectContaining({ title: 'Cimetière communal' })])
  expect(await versions()).toEqual([{ title: 'Cimetière' }])
})

story('two colleagues change the same page, and neither loses what the other saved', async () => {
  const { page, stored, colleague, pages, screen } = await openHall('Deuxville')
  const { body } = await colleague.post(pages, { title: 'Piscine', body: '<p>Fermée.</p>' })
  const { id } = body.data
  await page.goto(`${screen}/${id}`)
  await page.getByRole('textbox', { name: 'Titre' }).fill('Piscine municipale')
  await meanwhile(page, `**/pages/${id}`, async () => {
    expect((await colleague.patch(`${pages}/${id}`, { body: '<p>Ouverte.</p>' })).status).toBe(200)
  })
  await page.getByRole('button', { name: 'Enregistrer' }).click()
  const mine = page.getByRole('button', { name: 'Garder la mienne' })
  await mine.waitFor()
  expect(await barriersInEveryLook(page)).toEqual([])
  await mine.click()
  await expect.poll(() => page.getByRole('textbox', { name: 'Texte' }).innerText()).toContain('Ouverte.')
  await page.getByRole('button', { name: 'Enregistrer' }).click()
  await page.getByText('Enregistrée : Piscine municipale').first().waitFor()
  expect(await stored()).toEqual([
    expect.objectContaining({ title: 'Piscine municipale', body: '<p>Ouverte.</p>' }),
  ])
})

story('a file that is refused says why, and a page is saved without it', async () => {
  const { page, stored, screen } = await openHall('Refusville')
  await page.goto(`${screen}/nouvelle`)
  await page.getByRole('textbox', { name: 'Titre' }).fill('Plan de la ville')
  const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
  await page
    .locator('input[type=file][multiple]')
    .first()
    .setInputFiles([{ name: 'plan.jpg', mimeType: 'image/jpeg', buffer: drawing }])
  const row = page.getByRole('group', { name: 'Images' }).getByRole('listitem').first()
  await row.getByText('est un dessin (SVG)').waitFor()
  await page.getByRole('button', { name: 'Enregistrer' }).click()
  await page.getByText('Des fichiers ne sont pas encore envoyés.').waitFor()
  expect(await stored()).toEqual([])
  expect(await barriersInEveryLook(page)).toEqual([])
  await row.getByRole('button', { name: /^Retirer/ }).click()
  await page.getByRole('button', { name: 'Enregistrer' }).click()
  await page.getByText('Enregistrée : Plan de la ville').first().waitFor()
  expect(await stored()).toEqual([expect.objectContaining({ title: 'Plan de la ville', images: null })])
})

story(
  'a mairie reads which contact details the public lacks, as a warning only if nobody can reach it',
  async () => {
    const contact = { telephone: '04 79 00 00 00', email: 'mairie@ville.example', adresse: '1 place Neuve' }
    const hall = await world.acteur({ type: 'mairie', valide: true })
    await world.commune({ mairie_actor_id: hall.id })
    const { id } = await world.user({ memberships: [{ acteur: hall, role: 'owner' }] })
    const page = await openPage({ url, session: await openSession(db, id) })
    const warning = page.getByText('Le public ne peut pas vous joindre.')
    const path = `/backoffice/espace/${hall.id}/commune`
    await page.goto(path)
    await warning.waitFor()
    await page.getByText('ne trouve pas : Téléphone, E-mail, Adresse, Site web').waitFor()
    await db.updateTable('acteurs').set(contact).where('id', '=', hall.id).execute()
    await page.goto(path)
    await page.getByText('Ce que le public ne trouve pas : Site web').waitFor()
    expect(await warning.count()).toBe(0)
    expect(await barriersInEveryLook(page)).toEqual([])
  },
)
