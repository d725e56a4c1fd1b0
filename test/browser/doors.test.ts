// Round: usual, because it opens each door once: resident, secretary, moderator.
import { expect } from 'vitest'
import { insertPublication, statusOf } from '../../src/modules/publications/publications.test-kit.ts'
import { newestMail } from '../../src/modules/sign-in/sign-in.test-kit.ts'
import { openSession } from '../support/sessions.ts'
import { openWorld } from '../support/world.ts'
import { barriersInEveryLook, builtWebApp, loseResponse, openPage, story, untilFocused } from './browser.ts'

/** One story for each door of the service. `npm test` tells these, `npm run test:all` all others. */

const world = await openWorld({ webApp: await builtWebApp(), env: { SECOND_FACTOR: 'none' } })
const { url, db } = world

const chambery = await world.commune({ nom: 'Chambéry', slug: 'chambery', codes_postaux: ['73000'] })
const club = await world.acteur({ nom: 'Les Croqueurs', commune_id: chambery.id, valide: true })

const insertPending = (title: string, minutesAgo: number) =>
  insertPublication(world, {
    ...{ title, acteur_id: club.id, commune_id: chambery.id, moderation_status: 'pending', valide: false },
    ...{ publie_le: null, created_at: new Date(Date.now() - 60_000 * minutesAgo) },
  })

story('a resident finds what happens tomorrow from the home of the site, without scripts', async () => {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  const event = { title: 'Pressage des pommes', date_debut: tomorrow, heure_debut: '14:00' }
  await insertPublication(world, { ...event, acteur_id: club.id, commune_id: chambery.id })
  const page = await openPage({ url, width: 360, height: 740, javaScriptEnabled: false })
  await page.goto('/')
  await page.getByLabel('Nom de la commune ou code postal').fill('73000')
  await page.getByRole('button', { name: 'Chercher' }).click()
  await page.getByRole('link', { name: 'Agenda', exact: true }).first().click()
  await page.getByRole('link', { name: 'Pressage des pommes' }).click()
  await page.getByRole('heading', { level: 1, name: 'Pressage des pommes' }).waitFor()
  await page.getByText('14 h').first().waitFor()
})

story(
  'a secretary signs in by the code of a mail and sends one alerte, on a phone that loses a response',
  async () => {
    const mairie = await world.acteur({
      type: 'mairie',
      nom: 'Mairie d’Alertville',
      valide: true,
      can_publish: true,
    })
    const commune = await world.commune({ nom: 'Alertville', mairie_actor_id: mairie.id })
    const editor = { acteur: mairie, role: 'editor' as const, permissions: ['manage_commune' as const] }
    const secretary = await world.user({ nom: 'Nadia Roux', email_verified: true, memberships: [editor] })
    const page = await openPage({ url, width: 360, height: 740, expects: /status of 401|ERR_FAILED/ })
    await page.goto(`/backoffice/espace/${mairie.id}/alerter`)
    await page.getByLabel('Adresse e-mail').fill(secretary.email ?? '')
    await page.keyboard.press('Enter')
    await untilFocused(page.getByLabel('Code à six chiffres'))
    // Another tab, as the link of the mail opens one, leads to the same screen.
    const link = await page.context().newPage()
    await link.goto('/backoffice/sign-in')
    await link.close()
    await page.keyboard.type((await newestMail(db)).code)
    await page.getByRole('heading', { name: 'Alerter les habitants' }).waitFor()
    const what = page.getByLabel('Que se passe-t-il ?')
    await what.fill('Coupure d’eau rue du Puits. Jeudi de 8 h à midi, du 2 au 40.')
    const preview = page.getByRole('region', { name: 'Ce que les habitants liront' })
    await preview.getByText('Coupure d’eau rue du Puits', { exact: true }).waitFor()
    await preview.getByText('Jeudi de 8 h à midi, du 2 au 40.').waitFor()
    await preview.getByText(/ à 23 h 59$/).waitFor()
    await page.getByText('Personne n’est encore abonné').waitFor()
    const send = await page.getByRole('button', { name: 'Envoyer l’alerte' }).boundingBox()
    expect(send && send.y + send.height).toBeLessThanOrEqual(740)
    expect(await barriersInEveryLook(page)).toEqual([])
    // The response is lost; what was typed survives a reload, and the retry creates no second alerte.
    await loseResponse(page, '**/alertes')
    await page.getByRole('button', { name: 'Envoyer l’alerte' }).click()
    await page.getByRole('alert').getByText('Le service n’a pas répondu').waitFor()
    await page.reload()
    await expect.poll(() => what.inputValue()).toContain('rue du Puits')
    await page.getByRole('button', { name: 'Envoyer l’alerte' }).click()
    await page.getByText('Alerte envoyée : Coupure d’eau rue du Puits').waitFor()
    const row = page.getByRole('row', { name: 'Coupure d’eau rue du Puits' })
    await row.getByText('En cours', { exact: true }).waitFor()
    expect(await barriersInEveryLook(page)).toEqual([])
    const stored = await db.selectFrom('alertes').selectAll().where('commune_id', '=', commune.id).execute()
    expect(stored).toMatchObject([
      {
        titre: 'Coupure d’eau rue du Puits',
        message: 'Jeudi de 8 h à midi, du 2 au 40.',
        niveau: 'attention',
      },
    ])
    await page.getByRole('link', { name: 'Accueil' }).click()
    await page.getByRole('link', { name: /^Alerte : Coupure/ }).waitFor()
    expect(await barriersInEveryLook(page)).toEqual([])
    // Taken back, and what was typed is there to be sent again.
    await page.getByRole('button', { name: 'Reprendre' }).click()
    await page.getByText('Alerte reprise : Coupure d’eau rue du Puits').waitFor()
    await expect.poll(() => what.inputValue()).toContain('rue du Puits')
    await page.getByRole('button', { name: 'Envoyer l’alerte' }).click()
    await row.getByText('En cours', { exact: true }).waitFor()
    expect(
      await db.selectFrom('alertes').select('titre').where('commune_id', '=', commune.id).execute(),
    ).toHaveLength(1)
  },
)

story('a moderator works through the queue by keyboard alone', async () => {
  const moderator = await world.user({ roles: ['moderator'], nom: 'Zoé Lambert' })
  const session = await openSession(db, moderator.id)
  const [first, second, third] = [
    await insertPending('Fête de la pomme', 1),
    await insertPending('Vide-grenier', 2),
    await insertPending('Concert de Noël', 3),
  ]
  await db
    .updateTable('publications')
    .set({ resubmitted: true, moderation_reason: 'Quel jour ?' })
    .where('id', '=', first.id)
    .execute()
  const page = await openPage({ url, session })
  await page.goto('/backoffice/')
  await page.getByRole('heading', { name: 'Tableau de bord' }).waitFor()
  await page.keyboard.press('Control+k')
  await untilFocused(page.getByRole('dialog').locator('input'))
  await page.keyboard.type('file')
  await page
    .getByRole('menuitem', { name: 'File de modération' })
    .and(page.locator('[data-focused]'))
    .waitFor()
  await page.keyboard.press('Enter')
  const list = page.getByRole('grid', { name: 'File de modération' })
  await list.getByRole('row', { name: 'Fête de la pomme' }).waitFor()
  await page.getByText('Resoumise, rejetée pour : Quel jour ?').waitFor()
  // The first one opens by itself; its buttons are named by what they do, and their keys stand apart.
  await page.getByRole('heading', { name: 'Fête de la pomme' }).waitFor()
  await expect.poll(() => page.url()).toContain(`selected=${first.id}`)
  const publish = page.getByRole('article').getByRole('button', { name: 'Publier', exact: true })
  expect(await publish.getAttribute('aria-keyshortcuts')).toBe('a')
  await list.getByRole('checkbox', { name: 'Sélectionner « Fête de la pomme »' }).waitFor()

  await page.keyboard.press('a')
  await page.getByRole('heading', { name: 'Vide-grenier' }).waitFor()
  await page.getByText('Publiée : Fête de la pomme').waitFor()
  expect(await statusOf(world, first.id)).toBe('published')

  await page.keyboard.press('r')
  await page.getByRole('dialog').getByRole('textbox', { name: 'Motif' }).pressSequentially('Hors sujet')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('heading', { name: 'Concert de Noël' }).waitFor()
  await page.getByText('Rejetée : Vide-grenier').waitFor()
  expect(await statusOf(world, second.id)).toBe('rejected')

  await page.keyboard.press('u')
  await list.getByRole('row', { name: 'Vide-grenier' }).waitFor()
  expect(await statusOf(world, second.id)).toBe('pending')
  expect(await statusOf(world, third.id)).toBe('pending')
})
