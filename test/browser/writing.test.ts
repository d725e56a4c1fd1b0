import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { insertPublication } from '../../src/modules/publications/publications.test-kit.ts'
import { storedJours } from '../../src/modules/publications/recurrence.ts'
import { newestMail } from '../../src/modules/sign-in/sign-in.test-kit.ts'
import { daysLater } from '../../src/platform/time/days.ts'
import { todayInParis } from '../../src/platform/time/paris-time.ts'
import { openSession } from '../support/sessions.ts'
import { openWorld } from '../support/world.ts'
import {
  barriers,
  barriersInBothThemes,
  builtWebApp,
  choose,
  dateIn,
  loseResponse,
  meanwhile,
  openPage,
  overflowsSideways,
  story,
  typeDate,
  untilFocused,
} from './browser.ts'

const webApp = await builtWebApp()
const world = await openWorld({ webApp, env: { SECOND_FACTOR: 'none' } })
const { url, db } = world
const moderator = await world.user({ roles: ['moderator'], nom: 'Zoé Lambert' })
const session = await openSession(db, moderator.id)
const colleague = await world.as('moderator')
const author = await world.user({ nom: 'Léo Martin', email_verified: true })
const chambery = await world.commune({ nom: 'Chambéry', slug: 'chambery' })
const aix = await world.commune({ nom: 'Aix-les-Bains', slug: 'aix-les-bains' })
const croqueurs = await world.acteur({
  nom: 'Les Croqueurs de pommes',
  commune_id: chambery.id,
  valide: true,
})

async function insertPending(title = 'Fête de la pomme') {
  await db.deleteFrom('publications').execute()
  const owned = { acteur_id: croqueurs.id, commune_id: chambery.id, created_by: author.id }
  const state = { moderation_status: 'pending', valide: false, publie_le: null } as const
  const body = '<p>Pressage <strong>sur la place</strong>.</p>'
  return insertPublication(world, { title, body, ...owned, ...state })
}

const stored = (id: string) =>
  db.selectFrom('publications').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

const correctionIn = (page: Page) => page.getByRole('dialog', { name: 'Corriger la publication' })

/** Presses Tab until this has the focus. */
async function tabTo(page: Page, field: Locator) {
  for (let presses = 0; presses < 40; presses++) {
    if ((await field.and(page.locator(':focus')).count()) > 0) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`no way by Tab to ${field}`)
}

story(
  'the point of a place is put on the map: by a tap, at the centre by keyboard, and removed',
  async () => {
    await db
      .updateTable('communes')
      .set({ latitude: 45.5646, longitude: 5.9178 })
      .where('id', '=', chambery.id)
      .execute()
    const { id } = await insertPending()
    const page = await openPage({ url, session, width: 360, expects: /GPU stall|WebGL|swiftshader/i })
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(`/backoffice/queue?selected=${id}`)
    await page.getByRole('button', { name: 'Corriger' }).click()
    const dialog = correctionIn(page)
    await dialog.locator('summary', { hasText: 'Lieu' }).click()
    await dialog.getByText('Aucun point sur la carte.').waitFor()
    expect(asked.filter((address) => /map-|worker/.test(address))).toEqual([])
    await dialog.getByRole('button', { name: 'Placer sur la carte' }).click()
    const canvas = dialog.locator('[data-ready="true"] canvas')
    await canvas.waitFor()
    // Placed at the centre, which is the commune; the arrow keys move it.
    const middle = dialog.getByRole('button', { name: 'Placer au centre' })
    await middle.focus()
    await page.keyboard.press('Enter')
    await dialog.getByText('Point placé : 45.56460, 5.91780.').waitFor()
    const place = async () =>
      (await dialog.getByText('Point placé').innerText()).match(/[\d.]+\d/g)?.map(Number) ?? []
    await canvas.focus()
    await page.keyboard.press('ArrowRight')
    // The map has moved when its centre has.
    await expect
      .poll(async () => {
        await middle.focus()
        await page.keyboard.press('Enter')
        return (await place())[1]
      })
      .toBeGreaterThan(5.918)
    // A tap north of it.
    const [before = 0] = await place()
    await canvas.scrollIntoViewIfNeeded()
    const box = await canvas.boundingBox()
    const at = { x: (box?.width ?? 0) / 2, y: (box?.height ?? 0) / 4 }
    await canvas.click({ position: at })
    await expect.poll(async () => (await place())[0]).toBeGreaterThan(before + 0.001)
    expect(await barriersInBothThemes(page)).toEqual([])
    expect(await overflowsSideways(page)).toEqual([])
    const [latitude = 0, longitude = 0] = await place()
    await dialog.getByRole('button', { name: 'Enregistrer la correction' }).click()
    await dialog.waitFor({ state: 'detached' })
    const near = { latitude: expect.closeTo(latitude, 4), longitude: expect.closeTo(longitude, 4) }
    expect((await stored(id)).lieu).toMatchObject(near)
    await page.getByRole('button', { name: 'Corriger' }).click()
    await dialog.getByRole('button', { name: 'Retirer le point' }).click()
    await dialog.getByText('Aucun point sur la carte.').waitFor()
    expect(await page.evaluate('document.activeElement !== document.body')).toBe(true)
    await dialog.getByRole('button', { name: 'Enregistrer la correction' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect((await stored(id)).lieu ?? null).toBeNull()
  },
)

story('a publication is corrected by keyboard alone, with a preview', async () => {
  const { id } = await insertPending()
  const page = await openPage({ url, session })
  await page.goto(`/backoffice/queue?selected=${id}`)
  await page.getByRole('button', { name: 'Corriger' }).waitFor()
  await page.keyboard.press('e')
  const dialog = correctionIn(page)
  await dialog.getByText('Léo Martin recevra un courriel').waitFor()
  expect(await barriersInBothThemes(page)).toEqual([])
  await untilFocused(dialog.getByRole('textbox', { name: 'Titre' }))
  await page.keyboard.press('End')
  await page.keyboard.type(' et de la poire')
  const text = dialog.getByRole('textbox', { name: 'Texte' })
  await tabTo(page, text)
  await page.keyboard.press('Control+End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Entrée ')
  await page.keyboard.press('Control+b')
  await page.keyboard.type('libre')
  const preview = dialog.getByRole('region', { name: 'Aperçu' })
  await preview.locator('strong', { hasText: 'libre' }).waitFor()
  // The text is formatted by the toolbar, which is one tab stop.
  await page.keyboard.press('Shift+Tab')
  for (const _ of ['italic', 'heading', 'list']) await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await preview.getByRole('listitem').getByText('Entrée libre').waitFor()
  await tabTo(page, dialog.getByRole('group', { name: 'Premier jour' }).getByRole('spinbutton').first())
  await page.keyboard.type('12122026')
  await preview.getByText('samedi 12 décembre 2026').waitFor()
  await tabTo(page, dialog.getByLabel('Motif de la correction'))
  await page.keyboard.type('Il y a aussi des poires.')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Corrigée : Fête de la pomme et de la poire').waitFor()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('row', { name: 'Fête de la pomme et de la poire' }).waitFor()
  expect(await stored(id)).toMatchObject({
    title: 'Fête de la pomme et de la poire',
    body: '<p>Pressage <strong>sur la place</strong>.</p><ul><li>Entrée <strong>libre</strong></li></ul>',
    moderation_status: 'pending',
    date_debut: '2026-12-12',
  })
  const mails = await db
    .selectFrom('publication_mails')
    .selectAll()
    .where('publication_id', '=', id)
    .execute()
  expect(mails.map(({ kind, reason }) => [kind, reason])).toEqual([['corrected', 'Il y a aussi des poires.']])
  // The next decision concerns the corrected version.
  await page.keyboard.press('a')
  await page.getByText('Publiée : Fête de la pomme et de la poire').waitFor()
})

story(
  'concurrent corrections of a publication show both versions, and its history names the authors',
  async () => {
    const { id } = await insertPending()
    const page = await openPage({ url, session, expects: /412/ })
    await page.goto(`/backoffice/publications/${id}`)
    await page.getByRole('button', { name: 'Corriger' }).waitFor()
    await page.keyboard.press('e')
    const dialog = correctionIn(page)
    await dialog.getByRole('textbox', { name: 'Titre' }).fill('Fête de la poire')
    const other = { title: 'Fête de la cerise', date_debut: '2026-12-24' }
    expect((await colleague.patch(`/admin/publications/${id}`, other)).status).toBe(200)
    await page.keyboard.press('Control+Enter')
    const both = dialog.getByRole('region', { name: 'Les deux versions' })
    await both.waitFor()
    await expect.poll(() => both.locator('ins').allInnerTexts()).toEqual(['poire'])
    await expect.poll(() => both.locator('del').allInnerTexts()).toEqual(['cerise'])
    await dialog.getByText('Autres changements : Premier jour').waitFor()
    expect(await barriersInBothThemes(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Garder ce que j’ai écrit' }).click()
    await expect.poll(() => dateIn(dialog.getByRole('group', { name: 'Premier jour' }))).toBe('24 12 2026')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Corrigée : Fête de la poire').waitFor()
    expect(await stored(id)).toMatchObject({
      title: 'Fête de la poire',
      date_debut: '2026-12-24',
      version: 3,
    })

    await page.getByRole('heading', { name: 'Fête de la poire', level: 2 }).waitFor()
    await page.keyboard.press('h')
    const versions = page.getByRole('list', { name: /^Versions/ }).getByRole('listitem')
    await expect.poll(() => versions.count()).toBe(3)
    await versions.first().getByText('Corrigée par Zoé Lambert').waitFor()
    await versions.last().getByText('Écrite par Léo Martin').waitFor()
    await expect.poll(() => versions.first().locator('del').allInnerTexts()).toEqual(['cerise'])
    await expect.poll(() => versions.first().locator('ins').allInnerTexts()).toEqual(['poire'])
    expect(await barriersInBothThemes(page)).toEqual([])
  },
)

story('an unfinished correction is offered after a reload; errors are shown at their fields', async () => {
  const { id } = await insertPending()
  const page = await openPage({ url, session, expects: /status of 422/, width: 360 })
  await page.goto(`/backoffice/publications/${id}`)
  await page.getByRole('button', { name: 'Corriger' }).click()
  const dialog = correctionIn(page)
  const lastDay = dialog.getByRole('group', { name: 'Dernier jour' })
  await typeDate(dialog.getByRole('group', { name: 'Premier jour' }), '01122026')
  await dialog.getByText('mardi 1er décembre 2026').waitFor()
  await typeDate(lastDay, '30')
  // A day without its month would be saved as none.
  await dialog.getByRole('button', { name: 'Enregistrer la correction' }).click()
  await untilFocused(lastDay.getByRole('spinbutton', { name: 'mois' }))
  await dialog.getByRole('textbox', { name: 'Titre' }).focus()
  await dialog.getByText('Incomplet').filter({ visible: true }).waitFor()
  await typeDate(lastDay, '30112026')
  await dialog.getByRole('button', { name: 'Enregistrer la correction' }).click()
  await dialog.getByText('ne doit pas précéder le premier jour').waitFor()
  await expect.poll(() => dialog.locator('[aria-invalid=true]:focus').count()).toBe(1)
  expect(await barriersInBothThemes(page)).toEqual([])
  expect(await overflowsSideways(page)).toEqual([])
  await page.reload()
  await page.getByText('Vous avez commencé à corriger').waitFor()
  expect(await barriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Reprendre' }).click()
  await expect.poll(() => dateIn(lastDay)).toBe('30 11 2026')
  await dialog.getByRole('button', { name: 'Abandonner la correction' }).click()
  await expect.poll(() => dateIn(lastDay)).toBe('jj mm aaaa')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => page.getByText('Vous avez commencé à corriger').count()).toBe(0)
})

story('an administrator writes for an acteur, with a preview, and sees where it is published', async () => {
  const admin = await world.user({ roles: ['admin'] })
  const page = await openPage({ url, session: await openSession(db, admin.id), expects: /status of 422/ })
  await page.goto('/backoffice/publications')
  await page.getByRole('button', { name: 'Écrire', exact: true }).click()
  await page.getByRole('heading', { name: 'Écrire une publication' }).waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByText('est obligatoire').first().waitFor()
  expect(await barriersInBothThemes(page)).toEqual([])
  await choose(page.getByRole('combobox', { name: 'Acteur' }), 'croq')
  await page.getByRole('combobox', { name: 'Commune' }).fill('aix')
  await expect.poll(() => page.getByRole('option').count()).toBe(1)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Titre' }).fill('Bourse aux plants')
  await page.getByRole('textbox', { name: 'Texte' }).click()
  await page.keyboard.type('Programme sur le site')
  await page.keyboard.press('Control+Shift+ArrowLeft')
  await page.getByRole('button', { name: 'Lien', exact: true }).click()
  await page.getByLabel('Adresse du lien').fill('plants.example/2026')
  await page.keyboard.press('Enter')
  await page.locator('summary', { hasText: 'Lieu' }).click()
  await page.getByRole('textbox', { name: /^Lieu/ }).fill('Salle des Bleuets')
  await page.getByLabel('Adresse du lieu').fill('2 rue de Genève')
  // Maps copy both coordinates at once.
  await page.locator('summary', { hasText: 'Latitude' }).click()
  await page.getByLabel('Latitude').fill('45.6885, 5.9153')
  await expect.poll(() => page.getByLabel('Longitude').inputValue()).toBe('5.9153')
  const preview = page.getByRole('region', { name: 'Aperçu' })
  await preview.getByText('Salle des Bleuets, 2 rue de Genève, 45.6885, 5.9153').waitFor()
  const link = preview.getByRole('link', { name: 'site' })
  await expect.poll(() => link.getAttribute('href')).toBe('https://plants.example/2026')
  // Typed work is there again after a reload.
  await page.reload()
  await link.waitFor()
  await expect.poll(() => page.getByRole('combobox', { name: 'Commune' }).inputValue()).toBe('Aix-les-Bains')
  // Half a point is refused at its field.
  await page.locator('summary', { hasText: 'Latitude' }).click()
  await page.getByLabel('Longitude').fill('')
  await page.getByRole('button', { name: 'Soumettre à la modération' }).click()
  await page.getByText('doit être donnée avec latitude').waitFor()
  await page.getByLabel('Longitude').fill('5,9153')
  await page.getByRole('button', { name: 'Soumettre à la modération' }).click()
  await page.getByText('En attente de relecture : Bourse aux plants').waitFor()
  await page.getByRole('button', { name: 'Corriger' }).waitFor()
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const { title, body, acteur_id, commune_id, lieu } = await stored(id)
  expect([title, acteur_id, commune_id]).toEqual(['Bourse aux plants', croqueurs.id, aix.id])
  const place = { nom: 'Salle des Bleuets', adresse: '2 rue de Genève' }
  expect(lieu).toEqual({ ...place, latitude: 45.6885, longitude: 5.9153 })
  await page.getByText('Salle des Bleuets, 2 rue de Genève').waitFor()
  expect(body).toMatch(
    /^<p>Programme sur le <a href="https:\/\/plants\.example\/2026" rel="[\w ]+">site<\/a><\/p>$/,
  )
  await page.goto('/backoffice/publications/new')
  await expect.poll(() => page.getByRole('textbox', { name: 'Titre' }).inputValue()).toBe('')
})

story('a text that was changed after a lost response is sent as another one, but not unawares', async () => {
  const member = await world.user({ memberships: [{ acteur: croqueurs, role: 'owner' }] })
  const page = await openPage({
    url,
    session: await openSession(db, member.id),
    expects: /status of 422|ERR_FAILED/,
  })
  await page.goto('/backoffice/publications/new')
  const title = page.getByRole('textbox', { name: 'Titre' })
  await title.fill('Loto')
  await page.getByRole('textbox', { name: 'Texte' }).click()
  await page.keyboard.type('Samedi')
  await loseResponse(page, '**/api/v1/publications')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Le service n’a pas répondu').waitFor()
  await title.fill('Grand loto')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Un premier envoi, avec d’autres valeurs, était déjà arrivé').waitFor()
  const sent = () => db.selectFrom('publications').select('title').where('title', 'like', '%oto').execute()
  expect(await sent()).toEqual([{ title: 'Loto' }])
  await page.getByRole('button', { name: 'Réessayer' }).click()
  await page.getByText('Grand loto').first().waitFor()
  await expect.poll(async () => (await sent()).length).toBe(2)
})

story('nothing can be typed while a text is sent: it would be lost', async () => {
  const member = await world.user({ memberships: [{ acteur: croqueurs, role: 'owner' }] })
  const page = await openPage({ url, session: await openSession(db, member.id) })
  await page.goto('/backoffice/publications/new')
  const title = page.getByRole('textbox', { name: 'Titre' })
  await title.fill('Bal')
  const text = page.getByRole('textbox', { name: 'Texte' })
  await text.click()
  await page.keyboard.type('Dimanche')
  let typed: string[] = []
  await meanwhile(page, '**/api/v1/publications', async () => {
    await title.and(page.locator('[readonly]')).waitFor()
    await page.keyboard.insertText(' soir')
    await title.focus()
    await page.keyboard.insertText(' masqué')
    typed = [await title.inputValue(), await text.innerText()]
  })
  await page.keyboard.press('Control+Enter')
  await page.getByText('En attente de relecture : Bal').waitFor()
  expect(typed).toEqual(['Bal', 'Dimanche'])
})

story('two tabs write the same new publication, and none loses what the other has typed', async () => {
  const admin = await world.user({ roles: ['admin'] })
  const page = await openPage({ url, session: await openSession(db, admin.id) })
  const other = await page.context().newPage()
  for (const tab of [page, other]) {
    await tab.goto('/backoffice/publications/new')
    await tab.getByRole('textbox', { name: 'Titre' }).waitFor()
  }
  await page.getByRole('textbox', { name: 'Titre' }).fill('Bourse aux plants')
  await page.getByRole('textbox', { name: 'Texte' }).click()
  await page.keyboard.type('Samedi')
  await other.getByText('Un autre onglet écrit ce texte').waitFor()
  await expect
    .poll(() => other.getByRole('textbox', { name: 'Titre' }).inputValue())
    .toBe('Bourse aux plants')
  await expect.poll(() => other.getByRole('textbox', { name: 'Texte' }).innerText()).toBe('Samedi')
  expect(await barriersInBothThemes(other)).toEqual([])
  await other.getByRole('textbox', { name: 'Titre' }).fill('Bourse aux plants et aux graines')
  const title = page.getByRole('textbox', { name: 'Titre' })
  await expect.poll(() => title.inputValue()).toBe('Bourse aux plants et aux graines')
  await page.reload()
  await expect.poll(() => title.inputValue()).toBe('Bourse aux plants et aux graines')
  await page.getByRole('textbox', { name: 'Texte' }).getByText('Samedi').waitFor()
  await other.getByRole('button', { name: 'Effacer le brouillon' }).click()
  await expect.poll(() => title.inputValue()).toBe('')
})

story('a member without a role can write for their acteur, on a phone; a moderator cannot', async () => {
  const trusted = await world.acteur({ nom: 'Mairie', valide: true, can_publish: true, commune_id: aix.id })
  const owner = await world.user({ memberships: [{ acteur: trusted, role: 'owner' }] })
  const page = await openPage({ url, session: await openSession(db, owner.id), width: 360 })
  await page.goto('/backoffice/account')
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Mon espace' }).click()
  await page.getByRole('link', { name: /^Publier Un événement/ }).click()
  await page.getByRole('textbox', { name: 'Titre' }).fill('Marché de Noël')
  await page.getByRole('textbox', { name: 'Texte' }).click()
  await page.keyboard.type('Samedi.')
  expect(await barriersInBothThemes(page)).toEqual([])
  expect(await overflowsSideways(page)).toEqual([])
  await page.getByRole('button', { name: 'Publier', exact: true }).click()
  await page.getByRole('heading', { name: 'Marché de Noël' }).waitFor()
  await page.getByText('Publiée', { exact: true }).waitFor()
  expect(await barriersInBothThemes(page)).toEqual([])
  const other = await openPage({ url, session })
  await other.goto('/backoffice/publications/new')
  await other.getByRole('heading', { name: 'Cet écran ne vous est pas ouvert' }).waitFor()
})

story(
  'a member starts at the home of their acteur, and is promised a mail only at a verified address',
  async () => {
    const club = await world.acteur({ nom: 'Club de tarot', valide: true, commune_id: aix.id })
    const editor = { acteur: club, role: 'editor' as const, permissions: ['manage_publications' as const] }
    const member = await world.user({ email_verified: false, memberships: [editor] })
    const page = await openPage({ url, session: await openSession(db, member.id) })
    await page.goto('/backoffice/')
    await page.getByText('Rien ne vous attend.').waitFor()
    expect(await barriersInBothThemes(page)).toEqual([])
    await page.getByRole('link', { name: /^Publier Un événement/ }).click()
    await page.getByRole('textbox', { name: 'Titre' }).fill('Tournoi')
    await page.getByRole('textbox', { name: 'Texte' }).click()
    await page.keyboard.type('Samedi.')
    await page.getByRole('button', { name: 'Soumettre à la modération' }).click()
    await page.getByText('Elle sera relue avant sa parution.').waitFor()
    await expect.poll(() => page.getByText('Un courriel vous dira ce qui est décidé').count()).toBe(0)
    await db.updateTable('users').set({ email_verified: true }).where('id', '=', member.id).execute()
    await page.reload()
    await page.getByText('Un courriel vous dira ce qui est décidé').waitFor()
    await page.getByRole('navigation').getByRole('link', { name: 'Publications' }).click()
    await page.getByRole('row', { name: 'Tournoi' }).getByText('En attente').waitFor()
    await page.goto('/backoffice/account')
    await page.getByRole('link', { name: 'Club de tarot' }).waitFor()
    await page.getByText('Écrire et corriger').waitFor()
  },
)

async function insertOwn() {
  await db.deleteFrom('publications').execute()
  const club = await world.acteur({ nom: 'Amis du jeu', valide: true, commune_id: aix.id })
  const add = (title: string, values: object = {}) =>
    insertPublication(world, { title, acteur_id: club.id, commune_id: aix.id, ...values })
  const refused = { moderation_status: 'rejected', valide: false, moderation_reason: 'Hors sujet' }
  const permissions = ['manage_publications' as const]
  return {
    club,
    shown: await add('Tournoi'),
    rejected: await add('Loto', refused),
    member: await world.user({ memberships: [{ acteur: club, role: 'editor', permissions }] }),
  }
}

story('a member finds their publications and why one was rejected, on a phone', async () => {
  const { member } = await insertOwn()
  await insertPublication(world, { title: 'Fête de la pomme', acteur_id: croqueurs.id })
  const page = await openPage({ url, session: await openSession(db, member.id), width: 360 })
  await page.goto('/backoffice/')
  await page.getByRole('link', { name: 'Publications' }).click()
  await page.getByRole('heading', { name: 'Publications' }).waitFor()
  await page.getByRole('row', { name: 'Tournoi' }).getByText('Publiée').waitFor()
  await expect.poll(() => page.getByText('Fête de la pomme').count()).toBe(0)
  expect(await barriersInBothThemes(page)).toEqual([])
  expect(await overflowsSideways(page)).toEqual([])
  await page.getByRole('button', { name: /^Tous les états/ }).click()
  await page.getByRole('option', { name: 'Rejetée' }).click()
  await page.getByRole('row', { name: 'Tournoi' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Loto' }).click()
  await page.getByText('Motif donné : Hors sujet').waitFor()
  expect(await barriersInBothThemes(page)).toEqual([])
  expect(await overflowsSideways(page)).toEqual([])
})

story('a member edits a publication that a colleague edits too, then deletes it', async () => {
  const { member, club, shown } = await insertOwn()
  const owner = await world.user({ memberships: [{ acteur: club, role: 'owner' }] })
  const asOwner = world.client({ source: 'public', token: owner.token })
  const page = await openPage({ url, session: await openSession(db, member.id), expects: /412|422/ })
  // The address in mails leads to the space.
  await page.goto(`/backoffice/publications/${shown.id}`)
  await page.waitForURL(`**/espace/${club.id}/publications/${shown.id}`)
  await page.getByRole('button', { name: 'Modifier' }).click()
  const dialog = page.getByRole('dialog', { name: 'Modifier la publication' })
  await dialog.getByText('Si vous la modifiez, le public ne la verra plus').waitFor()
  await dialog.getByRole('textbox', { name: 'Titre' }).fill('Tournoi de tarot')
  const [place, elsewhere] = ['Lieu', 'Page sur un autre site'].map((title) =>
    dialog.locator('summary', { hasText: title }),
  ) as [Locator, Locator]
  const latitude = dialog.getByLabel('Latitude')
  const origin = dialog.getByLabel('Page d’origine')
  await place.click()
  await dialog.locator('summary', { hasText: 'Latitude' }).click()
  await latitude.fill('45.7')
  await elsewhere.click()
  await origin.fill('une page')
  // A refusal opens every fold with an invalid field.
  await place.click()
  await elsewhere.click()
  await origin.waitFor({ state: 'hidden' })
  await dialog.getByRole('button', { name: 'Enregistrer' }).click()
  await untilFocused(dialog.getByLabel('Longitude'))
  await origin.and(page.locator('[aria-invalid=true]')).waitFor()
  await latitude.fill('')
  await origin.fill('https://jeu.example/tarot')
  expect(await barriersInBothThemes(page)).toEqual([])
  expect((await asOwner.patch(`/publications/${shown.id}`, { title: 'Tournoi de belote' })).status).toBe(200)
  await page.keyboard.press('Control+Enter')
  const both = dialog.getByRole('region', { name: 'Les deux versions' })
  await both.waitFor()
  await expect.poll(() => both.locator('ins').allInnerTexts()).toEqual(['tarot'])
  await expect.poll(() => both.locator('del').allInnerTexts()).toEqual(['belote'])
  expect(await barriersInBothThemes(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Garder ce que j’ai écrit' }).click()
  // A decision meanwhile is no conflict, but it is shown: the changes may now hide the publication.
  expect(
    (await colleague.patch(`/publications/${shown.id}/moderate`, { moderation_status: 'published' })).status,
  ).toBe(200)
  await dialog.getByRole('button', { name: 'Enregistrer' }).click()
  await dialog.getByText('Elle est maintenant dans l’état « Publiée »').waitFor()
  await dialog.getByText('Si vous la modifiez, le public ne la verra plus').waitFor()
  await dialog.getByRole('button', { name: 'Enregistrer' }).click()
  await page.getByText('En attente de relecture : Tournoi de tarot').waitFor()
  await page.getByText('Elle sera relue avant sa parution.').waitFor()
  expect(await stored(shown.id)).toMatchObject({
    title: 'Tournoi de tarot',
    source_url: 'https://jeu.example/tarot',
    moderation_status: 'pending',
  })

  await asOwner.patch(`/publications/${shown.id}`, { title: 'Tournoi de bridge' })
  await page.getByRole('button', { name: 'Supprimer' }).click()
  // Its title changes, and a toast has the same role: the question is the one that contains the button.
  const question = page
    .getByRole('alertdialog')
    .filter({ has: page.getByRole('button', { name: 'Supprimer' }) })
  await question.getByRole('button', { name: 'Supprimer' }).click()
  await question.getByRole('alert').waitFor()
  await question.getByText('Supprimer « Tournoi de bridge » ?').waitFor()
  expect(await barriersInBothThemes(page)).toEqual([])
  expect((await stored(shown.id)).deleted_at).toBeNull()
  await question.getByRole('button', { name: 'Supprimer' }).click()
  await page.getByText('Supprimée : Tournoi de bridge').waitFor()
  await page.getByRole('row', { name: 'Loto' }).waitFor()
  await page.getByRole('row', { name: 'Tournoi' }).waitFor({ state: 'detached' })
  expect((await stored(shown.id)).deleted_at).not.toBeNull()
})

story('a moderator who is a member keeps the menu, and finds their space by Ctrl-K', async () => {
  const { club } = await insertOwn()
  const both = await world.user({ roles: ['moderator'], memberships: [{ acteur: club, role: 'owner' }] })
  const page = await openPage({ url, session: await openSession(db, both.id) })
  await page.goto('/backoffice/account')
  await page.getByRole('link', { name: 'Publications', exact: true }).waitFor()
  await page.getByRole('link', { name: 'Mon espace' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('searchbox').fill('mon esp')
  await page.getByRole('menuitem', { name: 'Mon espace' }).click()
  await page.getByRole('link', { name: 'Rejetée : Loto' }).click()
  await page.getByRole('button', { name: 'Modifier' }).waitFor()
})

story('a member without the permission to publish can only read', async () => {
  const { club, shown } = await insertOwn()
  const reader = await world.user({ memberships: [{ acteur: club, role: 'editor' }] })
  const page = await openPage({ url, session: await openSession(db, reader.id) })
  await page.goto(`/backoffice/publications/${shown.id}`)
  await page.getByRole('heading', { name: 'Tournoi' }).waitFor()
  for (const name of ['Modifier', 'Supprimer'])
    await expect.poll(() => page.getByRole('button', { name }).count()).toBe(0)
  await page.goto(`/backoffice/espace/${club.id}/publier`)
  await page.getByRole('listitem').filter({ hasText: 'Peut seulement lire' }).waitFor()
})

story(
  'a rejection draft survives an expired session and a reload, and no other user can read the draft',
  async () => {
    const { id } = await insertPending()
    const own = await openSession(db, moderator.id)
    const page = await openPage({ url, session: own, expects: /status of 401/ })
    await page.goto(`/backoffice/queue?selected=${id}`)
    await page.getByRole('button', { name: 'Rejeter' }).waitFor()
    await page.keyboard.press('r')
    const reason = page.getByRole('textbox', { name: 'Motif' })
    await reason.pressSequentially('Déjà annoncé')
    await db.updateTable('sessions').set({ ended_at: new Date() }).where('id', '=', own.id).execute()
    await page.reload()
    await page.getByLabel('Adresse e-mail').fill(moderator.email ?? '')
    await page.keyboard.press('Enter')
    await untilFocused(page.getByLabel('Code à six chiffres'))
    await page.keyboard.type((await newestMail(db)).code)
    await page.getByRole('button', { name: 'Rejeter' }).waitFor()
    await page.keyboard.press('r')
    await expect.poll(() => reason.inputValue()).toBe('Déjà annoncé')
    // Somebody else signs in on the same device.
    const { value } = await openSession(db, (await world.user({ roles: ['moderator'] })).id)
    await page.context().addCookies([{ name: 'parvis_session', value, url, sameSite: 'Strict' }])
    await page.reload()
    await page.getByRole('button', { name: 'Rejeter' }).waitFor()
    await page.keyboard.press('r')
    await expect.poll(() => reason.inputValue()).toBe('')
  },
)

story(
  'a market is written once for each Saturday, on a phone, and one of its dates is called off',
  async () => {
    await insertPending()
    const admin = await openSession(db, (await world.user({ roles: ['admin'], nom: 'Ali Benali' })).id)
    const page = await openPage({ url, session: admin, width: 360, height: 740 })
    const { id } = await insertPublication(world, {
      ...{ title: 'Marché', body: 'Place de la Mairie.', acteur_id: croqueurs.id, commune_id: chambery.id },
    })
    await page.goto(`/backoffice/publications/${id}`)
    await page.getByRole('button', { name: 'Corriger' }).waitFor()
    await page.keyboard.press('e')
    const dialog = correctionIn(page)
    await untilFocused(dialog.getByRole('textbox', { name: 'Titre' }))
    await typeDate(dialog.getByRole('group', { name: /^Premier jour/ }), '05122099')
    await dialog.getByRole('button', { name: /Répétition/ }).click()
    await page.getByRole('option', { name: 'Chaque samedi', exact: true }).click()
    const series = dialog.getByRole('group', { name: /^Chaque samedi, 27 dates/ })
    await series.getByText('samedi 12 décembre 2099').click()
    await dialog.getByRole('group', { name: /^Chaque samedi, 26 dates/ }).waitFor()
    expect(await barriersInBothThemes(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Enregistrer la correction' }).click()
    await dialog.waitFor({ state: 'detached' })
    const recurrence = { exceptions: ['2099-12-12'], ajouts: [], occurrences: [] }
    expect((await stored(id)).recurrence).toMatchObject(recurrence)
  },
)

story('a date of a market that has run for months is moved', async () => {
  await insertPending()
  const admin = await openSession(db, (await world.user({ roles: ['admin'], nom: 'Ali Benali' })).id)
  const page = await openPage({ url, session: admin, width: 360, height: 740 })
  const today = todayInParis(new Date())
  const [first, last, next] = [-140, 140, 7].map((days) => daysLater(today, days)) as [string, string, string]
  const regle = `FREQ=WEEKLY;UNTIL=${last.replaceAll('-', '')}`
  const row = { date_debut: first, recurrence: { regle, exceptions: [], ajouts: [], occurrences: [] } }
  const { id } = await insertPublication(world, {
    ...{ title: 'Marché', body: 'Place de la Mairie.', acteur_id: croqueurs.id, commune_id: chambery.id },
    ...{ ...row, jours: storedJours(row) },
  })
  await page.goto(`/backoffice/publications/${id}`)
  await page.getByRole('button', { name: 'Corriger' }).waitFor()
  await page.keyboard.press('e')
  const dialog = correctionIn(page)
  await untilFocused(dialog.getByRole('textbox', { name: 'Titre' }))
  const inWords = (day: string) =>
    new Intl.DateTimeFormat('fr', { timeZone: 'UTC', dateStyle: 'full' }).format(Date.parse(day))
  const series = dialog.getByRole('group', { name: /, 41 dates/ })
  expect(await series.getByRole('checkbox').count()).toBe(8)
  expect(await series.getByRole('listitem').first().textContent()).toContain(inWords(today))
  await series.getByRole('button', { name: `Reporter ${inWords(next)}`, exact: true }).click()
  const [year, month, day] = daysLater(next, 1).split('-')
  const to = series.getByRole('group', { name: `${inWords(next)} est reporté au` })
  await typeDate(to, `${day}${month}${year}`)
  await series.getByText(`${inWords(next)} · reportée au ${inWords(daysLater(next, 1))}`).waitFor()
  expect(await barriersInBothThemes(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Enregistrer la correction' }).click()
  await dialog.waitFor({ state: 'detached' })
  const occurrences = [{ date: next, reportee_au: daysLater(next, 1) }]
  expect((await stored(id)).recurrence).toMatchObject({ exceptions: [], ajouts: [], occurrences })
})
