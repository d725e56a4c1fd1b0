import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { formOf, png } from '../../src/modules/media/media.test-kit.ts'
import { insertPublication } from '../../src/modules/publications/publications.test-kit.ts'
import { openSession } from '../support/sessions.ts'
import { openWorld } from '../support/world.ts'
import {
  barriersInBothThemes,
  builtWebApp,
  dateIn,
  meanwhile,
  openPage,
  overflowsSideways,
  story,
  toggle,
  typeDate,
  untilFocused,
} from './browser.ts'

const webApp = await builtWebApp()
const world = await openWorld({ webApp, env: { SECOND_FACTOR: 'none' } })
const { url, db } = world

const permissions = ['manage_commune', 'manage_page', 'manage_publications', 'publish_publications'] as const

/** A commune with its mairie, and a secretary who is a member of it. */
async function openHall(nom: string, values = {}) {
  const mairie = await world.acteur({
    type: 'mairie',
    nom: `Mairie de ${nom}`,
    valide: true,
    can_publish: true,
  })
  const commune = await world.commune({ ...values, nom, mairie_actor_id: mairie.id })
  const editor = { acteur: mairie, role: 'editor' as const, permissions: [...permissions] }
  const secretary = await world.user({ nom: 'Nadia Roux', email_verified: true, memberships: [editor] })
  return { mairie, commune, secretary }
}

async function picture(page: Page, name: string) {
  const folder = process.env.PARVIS_PICTURES
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

/** Checks what every screen promises, in both themes and at the width of the page. */
async function isFit(page: Page, name: string) {
  await picture(page, name)
  expect(await barriersInBothThemes(page), name).toEqual([])
  expect(await overflowsSideways(page), name).toEqual([])
}

type Dom = { getBoundingClientRect(): { x: number; y: number; width: number; height: number } }

/** Whether the middle of it is on the screen, and nothing covers it. */
const isInView = (place: Locator) =>
  place.evaluate((element) => {
    const { x, y, width, height } = (element as unknown as Dom).getBoundingClientRect()
    const { document } = globalThis as unknown as {
      document: { elementFromPoint(x: number, y: number): unknown }
    }
    const found = document.elementFromPoint(x + width / 2, y + height / 2)
    return found !== null && (element as unknown as { contains(other: unknown): boolean }).contains(found)
  })

/** Presses Tab until this has the focus. */
async function tabTo(page: Page, name: string | RegExp, role: 'link' | 'button' = 'link') {
  const target = page.getByRole(role, { name }).first().and(page.locator(':focus'))
  for (let presses = 0; presses < 60 && (await target.count()) === 0; presses++)
    await page.keyboard.press('Tab')
  await untilFocused(page.getByRole(role, { name }).first())
}

story('by keyboard alone: a rejected publication is corrected from the home of its acteur', async () => {
  const club = await world.acteur({ nom: 'Amis du jeu', valide: true })
  const owner = await world.user({ email_verified: true, memberships: [{ acteur: club, role: 'owner' }] })
  const refused = { moderation_status: 'rejected', valide: false, moderation_reason: 'Précisez le lieu' }
  const { id } = await insertPublication(world, { title: 'Loto', acteur_id: club.id, ...refused })
  const page = await openPage({ url, session: await openSession(db, owner.id) })
  await page.goto('/backoffice/')
  await page.getByText('Précisez le lieu').waitFor()
  await isFit(page, '1280-accueil')
  await tabTo(page, 'Rejetée : Loto')
  await page.keyboard.press('Enter')
  await page.getByText('Motif donné : Précisez le lieu').waitFor()
  // One reason: that it is neither validated nor dated follows from it.
  await expect
    .poll(() => page.getByText(/^Elle (est|n’est|n’a) /).allInnerTexts())
    .toEqual(['Elle est rejetée.'])
  await tabTo(page, 'Modifier', 'button')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Modifier la publication' })
  await untilFocused(dialog.getByRole('textbox', { name: 'Titre' }))
  await page.keyboard.press('End')
  await page.keyboard.type(' à la salle des fêtes')
  await page.keyboard.press('Control+Enter')
  await page.getByText('En attente de relecture : Loto à la salle des fêtes').waitFor()
  await dialog.waitFor({ state: 'detached' })
  await isFit(page, '1280-publication')
  const stored = await db
    .selectFrom('publications')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(stored).toMatchObject({ title: 'Loto à la salle des fêtes', moderation_status: 'pending' })
  // Used again as a new one, with the draft of that acteur.
  await page.getByRole('button', { name: 'Réutiliser' }).click()
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Titre' }).inputValue())
    .toContain('salle des fêtes')
})

story('the opening hours of a mairie are typed day by day, on a phone', async () => {
  const { mairie, secretary } = await openHall('Horairville', { updated_at: '2024-11-02' })
  const page = await openPage({
    ...{ url, session: await openSession(db, secretary.id), width: 360, height: 740 },
    expects: /status of 412/,
  })
  await page.goto('/backoffice/')
  await page
    .getByRole('link', { name: 'Les informations sur Horairville n’ont pas changé depuis plus d’un an.' })
    .waitFor()
  await page.getByRole('link', { name: /^Mettre à jour/ }).click()
  await page.getByRole('link', { name: 'Horaires et coordonnées de la mairie' }).click()
  await page.getByRole('button', { name: 'Ouvrir : Lundi' }).click()
  await page.getByRole('button', { name: 'Ouvrir : Lundi' }).click()
  for (const day of ['Mardi', 'Mercredi', 'Jeudi'])
    await page.getByRole('button', { name: `Comme la veille : ${day}` }).click()
  await typeDate(page.getByRole('group', { name: 'Jeudi, ferme à' }).nth(1), '1830')
  await toggle(page.getByRole('checkbox', { name: 'Fermé les jours fériés' }))
  await page.getByRole('textbox', { name: 'Téléphone' }).fill('04 65 71 00 00')
  await page.getByText('Lundi – Mercredi : 09:00 – 12:00, 14:00 – 17:00', { exact: true }).waitFor()
  await page.getByText('Jeudi : 09:00 – 12:00, 14:00 – 18:30', { exact: true }).waitFor()
  await page.getByRole('definition').filter({ hasText: '04 65 71 00 00' }).waitFor()
  await isFit(page, '360-page')
  // A colleague changes another field meanwhile: both versions are shown, and nothing is lost.
  const colleague = world.client({ source: 'public', token: secretary.token })
  await meanwhile(page, `**/me/acteurs/${mairie.id}`, async () => {
    const saved = await colleague.patch(`/me/acteurs/${mairie.id}`, { site_web: 'https://mairie.example' })
    expect(saved.status).toBe(200)
  })
  await page.getByRole('button', { name: 'Enregistrer' }).click()
  await page.getByRole('button', { name: 'Garder la mienne' }).waitFor()
  await expect.poll(() => isInView(page.getByRole('button', { name: 'Garder la mienne' }))).toBe(true)
  await isFit(page, '360-page-conflit')
  await page.getByRole('button', { name: 'Garder la mienne' }).click()
  await page.getByRole('button', { name: 'Enregistrer' }).click()
  await page.getByText('La page est à jour.').waitFor()
  const stored = await db
    .selectFrom('acteurs')
    .selectAll()
    .where('id', '=', mairie.id)
    .executeTakeFirstOrThrow()
  expect(stored).toMatchObject({
    horaires: 'Mo-We 09:00-12:00,14:00-17:00; Th 09:00-12:00,14:00-18:30; PH off',
    telephone: '04 65 71 00 00',
    site_web: 'https://mairie.example',
  })
  await page.reload()
  await expect.poll(() => dateIn(page.getByRole('group', { name: 'Jeudi, ferme à' }).nth(1))).toBe('18 30')
})

story('the holidays of a mairie are entered by dates and taken back, on a phone', async () => {
  const { mairie, secretary } = await openHall('Vacanceville')
  const horaires = 'Mo-Fr 09:00-12:00; Jul 06-Aug 24 Mo-Fr 10:00-12:00; 2020 Dec 24 off'
  await db.updateTable('acteurs').set({ horaires }).where('id', '=', mairie.id).execute()
  const page = await openPage({
    ...{ url, session: await openSession(db, secretary.id), width: 360, height: 740 },
  })
  await page.goto(`/backoffice/espace/${mairie.id}/page`)
  const dates = page.getByRole('region', { name: 'Fermetures et horaires particuliers' })
  // Dates of the text are shown in words, except those that have passed.
  await dates
    .getByRole('group', { name: 'Horaires du 6 juillet au 24 août, chaque année', exact: true })
    .waitFor()
  expect(await dates.getByText('2020').count()).toBe(0)
  await dates.getByRole('button', { name: 'Fermer un jour ou une période' }).click()
  const closed = dates.getByRole('group', { name: /^Fermé le/ })
  await typeDate(closed.getByRole('group', { name: 'Du' }), '24122031')
  const closure = dates.getByRole('group', { name: 'Fermé le mercredi 24 décembre 2031', exact: true })
  await closure.waitFor()
  await typeDate(closure.getByRole('group', { name: 'Au' }), '02012031')
  await dates.getByText('Donnez une fin qui suit le début.').waitFor()
  await typeDate(
    dates.getByRole('group', { name: /^Fermé du/ }).getByRole('group', { name: 'Au' }),
    '02012032',
  )
  await dates
    .getByRole('group', { name: 'Fermé du 24 décembre 2031 au 2 janvier 2032', exact: true })
    .waitFor()
  await dates.getByRole('button', { name: 'Autres horaires un jour' }).click()
  const other = dates.getByRole('group', { name: /^Le .* : 09:00 – 12:00$/ })
  await typeDate(other.getByRole('group', { name: 'Le' }).first(), '08052031')
  await dates.getByRole('group', { name: 'Le jeudi 8 mai 2031 : 09:00 – 12:00', exact: true }).waitFor()
  await isFit(page, '360-page-dates')
  // A public holiday is one tap, and one more takes it back.
  await dates.getByRole('button', { name: /^Fermer .* 14 juillet$/ }).click()
  await dates.getByRole('button', { name: /^Retirer : Fermé le .* 14 juillet/ }).click()
  await dates.getByRole('button', { name: /^Fermer .* 14 juillet$/ }).waitFor()
  await page.getByRole('button', { name: 'Enregistrer' }).click()
  await page.getByText('La page est à jour.').waitFor()
  const stored = () =>
    db.selectFrom('acteurs').select('horaires').where('id', '=', mairie.id).executeTakeFirstOrThrow()
  expect((await stored()).horaires).toBe(
    'Mo-Fr 09:00-12:00; Jul 06-Aug 24 Mo-Fr 10:00-12:00; Jul 06-Aug 24 Sa,Su off; 2031 Dec 24-2032 Jan 02 off; 2031 May 08 09:00-12:00',
  )
  await page.reload()
  await dates
    .getByRole('group', { name: 'Fermé du 24 décembre 2031 au 2 janvier 2032', exact: true })
    .waitFor()
})

story('by keyboard alone: a collection is moved to another day', async () => {
  const { commune, secretary } = await openHall('Collecteville')
  const admin = await world.as('admin')
  const collecte = {
    ...{ libelle: 'Bac jaune', type_dechet: 'emballages', mode: 'porte_a_porte' },
    jours: ['lundi'],
  }
  expect((await admin.patch(`/admin/communes/${commune.id}`, { collectes: [collecte] })).status).toBe(200)
  const page = await openPage({ url, session: await openSession(db, secretary.id) })
  await page.goto('/backoffice/')
  await tabTo(page, /^Mettre à jour/)
  await page.keyboard.press('Enter')
  await page.getByRole('tab', { name: 'Infos' }).first().waitFor()
  await isFit(page, '1280-commune')
  await page.getByRole('tab', { name: /^Collectes/ }).click()
  await page.getByRole('button', { name: 'Modifier Bac jaune' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/Prochaines dates\s: /).waitFor()
  await dialog.getByRole('grid').locator('[tabindex="0"]').focus()
  const focused = () => page.evaluate('document.activeElement?.getAttribute("aria-label") ?? ""')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Home')
  await expect.poll(focused).toMatch(/^lundi .*, collecte/)
  await isFit(page, '1280-collecte')
  const move = dialog.getByRole('button', { name: 'Reporter', exact: true })
  await move.focus()
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Rétablir' }).waitFor()
  await dialog.getByRole('button', { name: 'Enregistrer' }).focus()
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  const [saved] = (await world.get(`/communes/${commune.id}/collectes`)).body.data
  const [{ date, reportee_au }] = saved.exceptions
  expect(new Date(reportee_au).getTime() - new Date(date).getTime()).toBe(86_400_000)
  expect(saved.prochaines).toContain(reportee_au)
})

story('an owner invites a colleague, and the last owner cannot leave', async () => {
  const club = await world.acteur({ nom: 'Amis des livres', valide: true })
  const owner = await world.user({ nom: 'Odile Martin', memberships: [{ acteur: club, role: 'owner' }] })
  const page = await openPage({
    ...{ url, session: await openSession(db, owner.id), width: 360, height: 740 },
    expects: /status of 409/,
  })
  await page.goto(`/backoffice/espace/${club.id}/equipe`)
  await page.getByText('Odile Martin (vous)').waitFor()
  await page.getByRole('button', { name: 'Inviter' }).click()
  const dialog = page.getByRole('dialog', { name: 'Inviter quelqu’un' })
  await untilFocused(dialog.getByLabel('Adresse e-mail'))
  await page.keyboard.type('camille@livres.example')
  await isFit(page, '360-inviter')
  await page.keyboard.press('Enter')
  await page.getByText('Invitation en attente pour camille@livres.example.').waitFor()
  await page.getByRole('button', { name: 'Inviter', exact: true }).click()
  await dialog.getByLabel('Adresse e-mail').fill('camille@livres.example')
  await page.keyboard.press('Enter')
  await dialog.getByRole('alert').getByText('Cette adresse est déjà invitée.').waitFor()
  await isFit(page, '360-deja-invitee')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await isFit(page, '360-equipe')
  const invited = await db
    .selectFrom('team_invitations')
    .select(['email', 'role', 'permissions'])
    .where('acteur_id', '=', club.id)
    .execute()
  expect(invited).toEqual([
    { email: 'camille@livres.example', role: 'editor', permissions: ['manage_publications'] },
  ])
  await page.getByRole('button', { name: 'Retirer camille@livres.example' }).click()
  const withdrawal = page.getByRole('alertdialog', {
    name: 'Retirer l’invitation de camille@livres.example ?',
  })
  await withdrawal.getByRole('button', { name: 'Retirer' }).click()
  await page.getByText('L’invitation de camille@livres.example est retirée.').waitFor()
  await page.getByRole('button', { name: 'Quitter l’équipe' }).click()
  // A toast has the same role, so the question is found by its name.
  const question = page.getByRole('alertdialog', { name: 'Quitter l’équipe ?' })
  await question.getByRole('button', { name: 'Quitter l’équipe' }).click()
  await question.getByRole('alert').waitFor()
  await isFit(page, '360-dernier')
})

story(
  'somebody invited to two teams accepts one and declines the other, by keyboard on a phone',
  async () => {
    const camille = await world.user({
      nom: 'Camille Roy',
      email: 'camille@fil.example',
      email_verified: true,
    })
    const [club, choir] = [
      await world.acteur({ nom: 'Amis du fil', valide: true }),
      await world.acteur({ nom: 'Chorale du port', valide: true }),
    ]
    for (const of of [club, choir]) {
      const { token } = await world.user({ memberships: [{ acteur: of, role: 'owner' }] })
      const body = { email: camille.email, role: 'editor', permissions: ['manage_publications'] }
      const { status } = await world.client({ token }).post(`/me/acteurs/${of.id}/members`, body)
      expect(status).toBe(201)
    }
    const page = await openPage({ url, session: await openSession(db, camille.id), width: 360, height: 740 })
    await page.goto('/backoffice/')
    const accept = page.getByRole('button', { name: 'Accepter l’invitation de Amis du fil' })
    await accept.waitFor()
    await isFit(page, '360-invitations')
    await page.getByRole('button', { name: 'Refuser l’invitation de Chorale du port' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('L’invitation de « Chorale du port » est refusée.').waitFor()
    await page.getByText('« Chorale du port » vous invite').waitFor({ state: 'detached' })
    await accept.focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/backoffice/espace/${club.id}`)
    await page.getByRole('heading', { name: 'Que voulez-vous faire ?' }).waitFor()
  },
)

story('an editor leaves a team from the home of its acteur, on a phone', async () => {
  const [club, choir] = [
    await world.acteur({ nom: 'Amis du fil', valide: true }),
    await world.acteur({ nom: 'Chorale du port', valide: true }),
  ]
  const memberships = [{ acteur: club }, { acteur: choir }]
  const editor = await world.user({ nom: 'Odile Martin', email_verified: true, memberships })
  const page = await openPage({ url, session: await openSession(db, editor.id), width: 360, height: 740 })
  const leave = async () => {
    await page.getByRole('button', { name: 'Quitter l’équipe' }).click()
    const question = page.getByRole('alertdialog', { name: 'Quitter l’équipe ?' })
    await isFit(page, '360-quitter')
    await question.getByRole('button', { name: 'Quitter l’équipe' }).click()
    await page.getByText('Vous avez quitté l’équipe.').first().waitFor()
  }
  await page.goto(`/backoffice/espace/${club.id}`)
  await leave()
  // The home of the only acteur that is left.
  await page.waitForURL(`**/backoffice/espace/${choir.id}`)
  await leave()
  await page.getByText('Vous ne tenez encore aucune page').waitFor()
  expect(await db.selectFrom('actor_users').selectAll().where('user_id', '=', editor.id).execute()).toEqual(
    [],
  )
})

story('a mairie reviews what others publish in its commune, with the keys of the queue', async () => {
  const { mairie, commune, secretary } = await openHall('Relecture')
  const club = await world.acteur({ nom: 'Club de tarot', valide: true, commune_id: commune.id })
  const pending = { moderation_status: 'pending', valide: false, publie_le: null } as const
  const add = async (title: string) =>
    (await insertPublication(world, { title, acteur_id: club.id, commune_id: commune.id, ...pending })).id
  const [first, second] = [await add('Tournoi'), await add('Publicité')]
  const page = await openPage({ url, session: await openSession(db, secretary.id) })
  await page.goto('/backoffice/espace')
  await page.getByRole('link', { name: '2 publications de votre commune à relire' }).click()
  await page.getByRole('row', { name: 'Tournoi' }).waitFor()
  await page.keyboard.press('j')
  await page.getByRole('article').getByRole('heading', { name: 'Tournoi' }).waitFor()
  await isFit(page, '1280-supervision')
  await page.keyboard.press('a')
  await page.getByText('Publiée : Tournoi').waitFor()
  await page.keyboard.press('u')
  await page.getByText('La décision est annulée.').waitFor()
  await page.getByRole('row', { name: 'Tournoi' }).waitFor()
  await page.keyboard.press('a')
  await page.getByRole('article').getByRole('heading', { name: 'Publicité' }).waitFor()
  await page.keyboard.press('r')
  const reason = page.getByRole('textbox', { name: 'Motif' })
  await untilFocused(reason)
  await page.getByRole('dialog').getByRole('button', { name: 'Spam' }).click()
  await reason.fill('Publicité')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Rejetée : Publicité').waitFor()
  const states = await db
    .selectFrom('publications')
    .select(['id', 'moderation_status', 'moderation_reason', 'decided_centrally'])
    .where('id', 'in', [first, second])
    .orderBy('created_at')
    .execute()
  expect(states).toMatchObject([
    { moderation_status: 'published', decided_centrally: false },
    { moderation_status: 'rejected', moderation_reason: 'Publicité' },
  ])
  const given = db.selectFrom('statements').select('ground').where('record_id', '=', second)
  expect((await given.executeTakeFirstOrThrow()).ground).toMatchObject({ code: 'spam' })
  // The mairie is deactivated meanwhile: the screen says that, and not that the team has decided.
  await add('Bal')
  await db.updateTable('acteurs').set({ active: false }).where('id', '=', mairie.id).execute()
  await page.goto(`/backoffice/espace/${mairie.id}/supervision`)
  await page.getByRole('row', { name: 'Bal' }).click()
  await page.getByText('Votre mairie est désactivée').waitFor()
})

story('several acteurs: the choice stays in the address, and one that is gone is explained', async () => {
  const club = await world.acteur({ nom: 'Amis du pain', valide: true })
  const hall = await openHall('Troisville')
  const readers = {
    acteur: hall.mairie,
    role: 'editor' as const,
    permissions: ['publish_publications' as const],
  }
  const gone = await world.acteur({ nom: 'Ancien club', valide: true })
  const user = await world.user({
    memberships: [{ acteur: club, role: 'owner' }, readers, { acteur: gone, role: 'owner' }],
  })
  const page = await openPage({
    ...{ url, session: await openSession(db, user.id), width: 360, height: 740 },
    expects: /status of 404/,
  })
  await page.goto('/backoffice/')
  await page.getByRole('heading', { name: 'Ancien club' }).waitFor()
  await page.getByText('Rien ne vous attend.').nth(2).waitFor()
  await isFit(page, '360-espace')
  await page.getByRole('link', { name: 'Ouvrir l’espace de Amis du pain' }).click()
  await page.getByRole('link', { name: 'Publications', exact: true }).click()
  await page.getByText('Rien n’est encore publié').waitFor()
  await isFit(page, '360-publications')
  await page.getByRole('button', { name: /^Amis du pain/ }).click()
  await page.getByRole('option', { name: 'Mairie de Troisville' }).click()
  await page.waitForURL(`**/espace/${hall.mairie.id}/publications`)
  // Only the permission to review: no way to publish, and the screen says why.
  await expect.poll(() => page.getByRole('link', { name: 'Publier' }).count()).toBe(0)
  await page.goto(`/backoffice/espace/${hall.mairie.id}/publier`)
  await page.getByRole('listitem').filter({ hasText: 'Épingler' }).waitFor()
  await isFit(page, '360-droits')
  await page.goto('/backoffice/account')
  await page.getByText('Mes droits').waitFor()
  await isFit(page, '360-compte')
  await db.updateTable('acteurs').set({ deleted_at: new Date() }).where('id', '=', gone.id).execute()
  await page.goto(`/backoffice/espace/${gone.id}`)
  await page.getByRole('heading', { name: 'Vous n’avez plus accès à cet acteur' }).waitFor()
  await page.getByRole('link', { name: 'Voir mes acteurs' }).click()
  await page.getByRole('heading', { name: 'Amis du pain' }).waitFor()
})

story('the address of an acteur that was merged leads to its target', async () => {
  const old = await world.acteur({ nom: 'Pétanque du Lavoir', valide: true })
  const target = await world.acteur({ nom: 'Boules du Lavoir', valide: true })
  const invited = await world.acteur({ nom: 'Amis du Lavoir', valide: true })
  const owner = await world.user({ memberships: [{ acteur: old, role: 'owner' }, { acteur: invited }] })
  const admin = await world.as('admin')
  const page = await openPage({ url, session: await openSession(db, owner.id) })
  await page.goto(`/backoffice/espace/${invited.id}`)
  await page.getByRole('button', { name: /^Amis du Lavoir/ }).waitFor()
  expect((await admin.post(`/admin/acteurs/${old.id}/merge`, { into: target.id })).status).toBe(202)
  await page.goto(`/backoffice/espace/${old.id}/publications?status=rejected`)
  await page.waitForURL(`**/backoffice/espace/${target.id}/publications?status=rejected`)
  await page.getByRole('button', { name: /^Boules du Lavoir/ }).waitFor()
  await page.goto(`/backoffice/espace/${old.id}`)
  await page.waitForURL(`**/backoffice/espace/${target.id}`)
  await page.getByRole('heading', { name: 'Que voulez-vous faire ?' }).waitFor()
})

story('somebody without an acteur finds their claims and how to get one', async () => {
  const user = await world.user({ email_verified: true })
  const club = await world.acteur({ nom: 'Boule des Accoules', valide: true })
  const claimant = world.client({ source: 'public', token: user.token })
  const claim = { acteur_id: club.id, message: 'Je préside le club depuis dix ans.' }
  const { status, body } = await claimant.post('/claims', claim)
  expect(status).toBe(201)
  const question = { body: 'Qui préside le club depuis le départ de M. Ferrand ?' }
  const asked = await (await world.as('admin')).post(`/admin/claims/${body.data.id}/question`, question)
  expect(asked.status).toBe(201)
  const page = await openPage({ url, session: await openSession(db, user.id), width: 360, height: 740 })
  await page.goto('/backoffice/')
  await page.getByText('Vous ne tenez encore aucune page').waitFor()
  await page.getByText('Boule des Accoules').waitFor()
  await page.getByText('En cours d’examen').waitFor()
  await page.getByText('Qui préside le club').waitFor()
  await isFit(page, '360-sans-acteur')
})

story('a new owner sees what the page of a mairie lacks, until it is there', async () => {
  const { mairie, commune } = await openHall('Veyrier')
  const owner = await world.user({
    ...{ nom: 'Lise Roy', email: 'lise@example.org', email_verified: true },
    memberships: [{ acteur: mairie, role: 'owner' }],
  })
  const page = await openPage({ url, session: await openSession(db, owner.id), width: 360, height: 800 })
  await page.goto('/backoffice/')
  await page.getByText('1 sur 8').waitFor()
  await isFit(page, '360-premier-jour')
  await page.getByRole('link', { name: 'Donner les horaires d’ouverture' }).click()
  await page.getByRole('heading', { level: 1 }).waitFor()
  const api = world.client({ token: owner.token })
  await api.patch(`/me/acteurs/${mairie.id}`, { horaires: 'Mo-Fr 08:30-12:00' })
  await api.patch(`/me/acteurs/${mairie.id}`, {
    ...{ telephone: '04 50 00 00 00', email: 'mairie@example.org', adresse: '1 place du Lac' },
    description: 'La mairie du village.',
  })
  const sent = await api.post('/media', formOf(await png(), { acteur_id: mairie.id, alt: 'La place' }))
  const { id } = sent.body.data
  const lists = {
    ...{ blason: id, photo: id },
    elus: [{ nom: 'Vauquelin', prenom: 'Odile', fonction: 'Maire' }],
    collectes: [{ type_dechet: 'emballages', libelle: 'Bac jaune', mode: 'porte_a_porte', jours: ['mardi'] }],
  }
  const byMairie = world.client({ source: 'mairie', token: owner.token })
  expect((await byMairie.patch(`/mairie/communes/${commune.id}`, lists)).status).toBe(200)
  await page.goto('/backoffice/')
  await page.getByText('7 sur 8').waitFor()
  await page.getByRole('link', { name: 'Publier une première nouvelle' }).waitFor()
  await insertPublication(world, { acteur_id: mairie.id, commune_id: commune.id })
  await page.reload()
  await page.getByText('Rien ne vous attend.').waitFor()
  expect(await page.getByText('sur 8').count()).toBe(0)
})

story('a mairie without a commune says why it cannot alert, and asks the team for the link', async () => {
  const hall = await world.acteur({ type: 'mairie', nom: 'Mairie d’Ayn', valide: true })
  const values = { email: 'ayn@example.org', email_verified: true }
  const owner = await world.user({ ...values, memberships: [{ acteur: hall, role: 'owner' }] })
  const page = await openPage({ url, session: await openSession(db, owner.id), width: 360, height: 800 })
  await page.goto('/backoffice/')
  await page.getByText('Votre mairie n’est pas encore reliée à la commune').waitFor()
  await isFit(page, '360-sans-commune')
  await page.getByRole('button', { name: 'Demander le lien à l’équipe' }).click()
  await page.getByText('C’est demandé.').waitFor()
  const threads = await db
    .selectFrom('support_threads')
    .select(['subject', 'email'])
    .where('email', '=', values.email)
    .execute()
  expect(threads).toEqual([{ subject: 'Relier « Mairie d’Ayn » à sa commune', email: values.email }])
  await page.reload()
  await page.getByText('C’est demandé.').waitFor()
})

story('somebody whose publication is hidden objects in the space, on a phone', async () => {
  const club = await world.acteur({ nom: 'Club de lecture', valide: true })
  const owner = await world.user({ email_verified: true, memberships: [{ acteur: club, role: 'owner' }] })
  const { id } = await insertPublication(world, {
    title: 'Lecture',
    acteur_id: club.id,
    created_by: owner.id,
  })
  const moderator = await world.as('moderator')
  await moderator.patch(`/admin/publications/${id}/valide`, { valide: false, reason: 'Photo floue.' })
  const page = await openPage({
    ...{ url, session: await openSession(db, owner.id), width: 360, height: 740 },
    expects: /status of 422/,
  })
  await page.goto(`/backoffice/espace/${club.id}/publications/${id}`)
  await page.getByRole('button', { name: 'Contester' }).click()
  const text = page.getByRole('textbox', { name: 'Pourquoi vous n’êtes pas d’accord' })
  await untilFocused(text)
  await isFit(page, '360-contester')
  await text.fill('Non.')
  await page.getByRole('dialog').getByRole('button', { name: 'Envoyer', exact: true }).click()
  await page.locator('[aria-invalid=true]').waitFor()
  await text.fill('La photo est nette sur mon téléphone.')
  await page.getByRole('dialog').getByRole('button', { name: 'Envoyer', exact: true }).click()
  await page.getByText('une autre personne va vous répondre').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Contester' }).count()).toBe(0)
  await isFit(page, '360-conteste')
  const stored = await db.selectFrom('complaints').selectAll().where('record_id', '=', id).execute()
  expect(stored).toMatchObject([{ text: 'La photo est nette sur mon téléphone.', user_id: owner.id }])
  const second = await world.as('moderator')
  const answer = { decision: 'upheld', answer: 'Elle est floue sur un ordinateur.' }
  expect((await second.patch(`/admin/complaints/${stored[0]?.id}`, answer)).status).toBe(200)
  await page.reload()
  await page.getByText('la décision est maintenue. Elle est floue sur un ordinateur.').waitFor()
})
