import { expect } from 'vitest'
import { openSession } from '../support/sessions.ts'
import { openWorld } from '../support/world.ts'
import { barriersInEveryLook, builtWebApp, openPage, overflowsSideways, story, toggle } from './browser.ts'

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
