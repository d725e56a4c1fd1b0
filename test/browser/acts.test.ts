import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { actPdf, actsOf, insertAct, insertPublished } from '../../src/modules/acts/acts.test-kit.ts'
import { claimDue, listNewSeals, recordProblem } from '../../src/modules/acts/timestamps/queries.ts'
import { pdf } from '../../src/modules/media/media.test-kit.ts'
import { newestMail } from '../../src/modules/sign-in/sign-in.test-kit.ts'
import { uuidv7 } from '../../src/platform/formats/uuid.ts'
import { openSession } from '../support/sessions.ts'
import { openWorld } from '../support/world.ts'
import {
  barriersInEveryLook,
  builtWebApp,
  dateIn,
  openPage,
  story,
  typeDate,
  untilFocused,
} from './browser.ts'

const webApp = await builtWebApp()
const world = await openWorld({ webApp, env: { SECOND_FACTOR: 'none' } })
const { url, db } = world

async function openHall(nom: string) {
  const mairie = await world.acteur({
    ...{ type: 'mairie', nom: `Mairie de ${nom}`, valide: true, can_publish: true },
  })
  await world.commune({ nom, mairie_actor_id: mairie.id })
  const member = (permissions: ('publish_acts' | 'manage_publications')[]) =>
    world.user({
      ...{ nom: 'Nadia Roux', email_verified: true },
      memberships: [{ acteur: mairie, role: 'editor', permissions }],
    })
  return { mairie, member, secretary: await member(['publish_acts']) }
}

const text = `DELIBERATION N\xb0 2026-031
S\xe9ance du 12 mars 2026
OBJET : Subvention \xe0 l'\xe9cole de musique
Vu le code`
const file = (buffer: Buffer, name = 'scan_0012.pdf', mimeType = 'application/pdf') => ({
  ...{ name, mimeType, buffer },
})
const input = (page: Page) => page.locator('input[type=file]')

async function isFit(page: Page, name: string) {
  const folder = process.env.PARVIS_PICTURES
  if (folder) await page.screenshot({ path: `${folder}/acts-${name}.png`, fullPage: true })
  expect(await barriersInEveryLook(page), name).toEqual([])
}

story('on a phone, the minutes of a council go from their PDF to a published act', async () => {
  const { mairie } = await openHall('Actesville')
  // Owners have all parts of the space, which fit beside each other.
  const owner = await world.user({ email_verified: true, memberships: [{ acteur: mairie, role: 'owner' }] })
  const session = await openSession(db, owner.id)
  const page = await openPage({ url, session, width: 360, height: 800, expects: /status of 422/ })
  await page.goto('/backoffice/')
  await page.getByRole('link', { name: /^Publier un acte/ }).click()
  await page.getByText('Aucun acte', { exact: true }).waitFor()
  await isFit(page, '360-aucun')
  const begun = performance.now()
  await input(page).setInputFiles(file(actPdf(text)))
  await page.getByText('Lu dans le texte du PDF.').waitFor()
  expect(await page.getByRole('textbox', { name: 'Titre' }).inputValue()).toBe(
    "Subvention à l'école de musique",
  )
  expect(await page.getByRole('textbox', { name: 'Numéro' }).inputValue()).toBe('2026-031')
  expect(await dateIn(page.getByRole('group', { name: 'Date de l’acte' }))).toBe('12 03 2026')
  await isFit(page, '360-brouillon')
  // The law wants the author.
  await page.getByRole('button', { name: 'Publier l’acte' }).click()
  const question = page.getByRole('alertdialog', { name: /^Publier « Subvention/ })
  await question.getByText('il reste en ligne deux mois au moins').waitFor()
  await isFit(page, '360-question')
  await question.getByRole('button', { name: 'Publier pour de bon' }).click()
  await question.waitFor({ state: 'detached' })
  await untilFocused(page.getByRole('textbox', { name: 'Prénom de l’auteur' }))
  await isFit(page, '360-sans-auteur')
  await page.keyboard.type('Camille')
  await page.getByRole('textbox', { name: 'Nom de l’auteur', exact: true }).fill('Roux')
  await page.getByRole('textbox', { name: 'Qualité' }).fill('Maire')
  await page.getByRole('combobox', { name: 'Matière' }).fill('subvent')
  await page.getByRole('option', { name: '7.5 Subventions' }).click()
  await page.getByRole('button', { name: 'Publier l’acte' }).click()
  await question.getByRole('button', { name: 'Publier pour de bon' }).click()
  await page.getByText('En ligne : Subvention').first().waitFor()
  expect(performance.now() - begun).toBeLessThan(60_000)
  await page.getByRole('link', { name: 'Télécharger la preuve' }).waitFor()
  await isFit(page, '360-en-ligne')
  const stored = await db
    .selectFrom('acts')
    .selectAll()
    .where('acteur_id', '=', mairie.id)
    .executeTakeFirstOrThrow()
  expect(stored).toMatchObject({
    ...{ state: 'published', kind: 'deliberation', number: '2026-031', subject: '7.5', author_name: 'Roux' },
  })
  // The next act starts with the same author, and its draft is deleted.
  await page.getByRole('link', { name: 'Actes' }).first().click()
  await input(page).setInputFiles(file(actPdf('Facture'), 'tarifs_2026.pdf'))
  await page.getByText('Le texte du PDF ne dit ni numéro').waitFor()
  await page.getByText('c’est celle d’aujourd’hui, à vérifier').waitFor()
  expect(await page.getByRole('textbox', { name: 'Qualité' }).inputValue()).toBe('Maire')
  await page.getByRole('button', { name: 'Supprimer' }).click()
  const deletion = page.getByRole('alertdialog', { name: 'Supprimer le brouillon « tarifs 2026 » ?' })
  await deletion.getByRole('button', { name: 'Supprimer' }).click()
  await page.getByText('Brouillon supprimé : tarifs 2026').waitFor()
  await page.getByRole('row', { name: /tarifs 2026/ }).waitFor({ state: 'detached' })
  await isFit(page, '360-liste')
})

story('on a phone, a group of communes publishes an act by itself', async () => {
  const body = await world.acteur({
    ...{ type: 'intercommunalite', nom: 'Rives Agglo', valide: true, can_publish: true },
  })
  const member = await world.commune({ nom: 'Rive-Haute' })
  const group = { id: uuidv7(), slug: 'rives', nom: 'CC des Rives', kind: 'epci', acteur_id: body.id }
  await db.insertInto('groups').values(group).execute()
  await db.insertInto('group_communes').values({ group_id: group.id, commune_id: member.id }).execute()
  const secretary = await world.user({
    ...{ nom: 'Lina Morel', email_verified: true },
    memberships: [{ acteur: body, role: 'editor', permissions: ['publish_acts'] }],
  })
  const session = await openSession(db, secretary.id)
  const page = await openPage({ url, session, width: 360, height: 800 })
  await page.goto('/backoffice/')
  await page.getByRole('link', { name: /^Publier un acte/ }).click()
  await input(page).setInputFiles(file(actPdf(text)))
  await page.getByText('Lu dans le texte du PDF.').waitFor()
  await page.getByRole('textbox', { name: 'Prénom de l’auteur' }).fill('Lina')
  await page.getByRole('textbox', { name: 'Nom de l’auteur', exact: true }).fill('Morel')
  await page.getByRole('textbox', { name: 'Qualité' }).fill('Présidente')
  await page.getByRole('combobox', { name: 'Matière' }).fill('subvent')
  await page.getByRole('option', { name: '7.5 Subventions' }).click()
  await page.getByRole('button', { name: 'Publier l’acte' }).click()
  await page.getByRole('button', { name: 'Publier pour de bon' }).click()
  await page.getByText('En ligne : Subvention').first().waitFor()
  await isFit(page, '360-groupement')
  const { data } = (await world.client({ source: 'public' }).get(`/communes/${member.id}/acts`)).body
  expect(data).toMatchObject([{ number: '2026-031', acteur: { nom: 'Rives Agglo' } }])
})

story('the home of a mairie names the list and the minutes that councils make necessary', async () => {
  const { mairie, secretary } = await openHall('Conseilville')
  const session = await openSession(db, secretary.id)
  const councils = [20, 3].map((days) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10))
  for (const date of councils) await insertAct(db, { acteur_id: mairie.id, date })
  const page = await openPage({ url, session, width: 360, height: 800 })
  await page.goto(`/backoffice/espace/${mairie.id}`)
  const lines = page.getByRole('link', { name: /^À publier/ })
  await lines.first().waitFor()
  await isFit(page, '360-a-publier')
  expect(await lines.allInnerTexts()).toEqual([
    expect.stringMatching(/la liste des délibérations du conseil du \d/),
    expect.stringMatching(/la liste des délibérations du conseil du \d/),
    expect.stringMatching(/le procès-verbal du conseil du \d/),
  ])
  await lines.first().click()
  await page.getByRole('heading', { name: 'Actes', level: 1 }).waitFor()
})

story(
  'refusals are said in words, with the way to the other act, and a correction supersedes one',
  async () => {
    const { mairie, secretary } = await openHall('Doubleville')
    const clerk = world.client({ source: 'mairie', token: secretary.token })
    const { prepare, publish } = actsOf(clerk, mairie.id)
    const bytes = actPdf(text)
    const published = await publish({ title: 'Tarifs de la cantine', number: '2026-031' }, bytes)
    const session = await openSession(db, secretary.id)
    const page = await openPage({
      ...{ url, session },
      expects: /status of (403|409|422)/,
    })
    await page.goto(`/backoffice/espace/${mairie.id}/actes`)
    await page.getByRole('link', { name: 'Tarifs de la cantine' }).waitFor()
    await input(page).setInputFiles(file(Buffer.from('bonjour'), 'lettre.txt', 'text/plain'))
    await page.getByRole('alert').getByText('Ce n’est pas un PDF.').waitFor()
    await input(page).setInputFiles(file(Buffer.from('bonjour')))
    await page
      .getByRole('alert')
      .getByText(/imprimez l’acte en PDF/)
      .waitFor()
    await input(page).setInputFiles(file(bytes))
    await page.getByRole('alert').getByText('Ce fichier a déjà été publié').waitFor()
    await isFit(page, '1280-refus')
    await page.getByRole('link', { name: 'Ouvrir cet acte' }).click()
    await page.waitForURL(`**/actes/${published.id}`)
    await page.getByRole('heading', { name: 'Tarifs de la cantine', level: 1 }).waitFor()
    await isFit(page, '1280-en-ligne')
    // Its number is that of another act, until this one corrects it.
    const draft = await prepare({ title: 'Tarifs de la garderie', date: '2026-03-03' }, actPdf('Garderie'))
    await page.goto(`/backoffice/espace/${mairie.id}/actes/${draft.id}`)
    await page.getByRole('textbox', { name: 'Numéro' }).fill('2026-031')
    await page.getByRole('button', { name: 'Enregistrer' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Ce numéro est celui de l’acte publié').waitFor()
    await page.getByRole('link', { name: 'Ouvrir cet acte' }).click()
    await page.getByRole('link', { name: 'Corriger par un autre acte' }).click()
    await page.getByText('Le PDF qui remplace « Tarifs de la cantine »').waitFor()
    await input(page).setInputFiles(file(actPdf('Correction'), 'correction.pdf'))
    await page.getByRole('textbox', { name: 'Titre' }).fill('Tarifs de la cantine, corrigés')
    expect(await page.getByRole('textbox', { name: 'Numéro' }).inputValue()).toBe('2026-031')
    await typeDate(page.getByRole('group', { name: 'Date de l’acte' }), '01042026')
    await page.getByRole('button', { name: 'Publier l’acte' }).focus()
    await page.keyboard.press('Enter')
    const question = page.getByRole('alertdialog', { name: /^Publier/ })
    await question.getByText('Il remplace « Tarifs de la cantine ».').waitFor()
    await untilFocused(question.getByRole('button', { name: 'Publier pour de bon' }))
    await db.updateTable('sessions').set({ confirmed_until: null }).where('id', '=', session.id).execute()
    await page.keyboard.press('Enter')
    const confirmation = page.getByRole('dialog', { name: 'Confirmez que c’est bien vous' })
    const mailing = confirmation.getByRole('button', { name: 'Recevoir un code par e-mail' })
    await untilFocused(mailing)
    await page.keyboard.press('Escape')
    await page.getByText('Vous n’avez pas confirmé : rien n’a changé').waitFor()
    await page.getByRole('button', { name: 'Publier l’acte' }).click()
    await question.getByRole('button', { name: 'Publier pour de bon' }).click()
    await mailing.click()
    await untilFocused(confirmation.getByLabel('Code à six chiffres'))
    await page.keyboard.type((await newestMail(db)).code)
    await page.getByText('En ligne : Tarifs de la cantine, corrigés').first().waitFor()
    await page.goto(`/backoffice/espace/${mairie.id}/actes?state=superseded`)
    await page
      .getByRole('row', { name: /Tarifs de la cantine/ })
      .getByText('Remplacé')
      .waitFor()
    await isFit(page, '1280-liste')
  },
)

story('on a phone, the text of a scan is pasted before it is published', async () => {
  const { mairie, secretary } = await openHall('Scanville')
  const session = await openSession(db, secretary.id)
  const page = await openPage({ url, session, width: 360, height: 800 })
  await page.goto(`/backoffice/espace/${mairie.id}/actes`)
  await input(page).setInputFiles(file(pdf([''])))
  const text = page.getByLabel('Texte de l’acte')
  await text.fill('Le conseil décide la subvention de la fanfare')
  await page.getByText('Ce PDF est un scan').waitFor()
  await isFit(page, '360-scan')
  await page.getByRole('button', { name: 'Enregistrer', exact: true }).click()
  await page.getByText('Le brouillon est enregistré').waitFor()
  await page.reload()
  await expect.poll(() => text.inputValue()).toContain('fanfare')
})

story('an act is occulted with its reason; members without the permission only read', async () => {
  const { mairie, member, secretary } = await openHall('Lireville')
  const { prepare, publish } = actsOf(world.client({ source: 'mairie', token: secretary.token }), mairie.id)
  const { id } = await publish({ title: 'Permis de construire' })
  const draft = await prepare({ title: 'Brouillon de budget' })
  const page = await openPage({ url, session: await openSession(db, secretary.id) })
  await page.goto(`/backoffice/espace/${mairie.id}/actes/${id}`)
  await page.getByRole('button', { name: 'Occulter' }).click()
  const dialog = page.getByRole('dialog', { name: 'Retirer le PDF de cet acte ?' })
  await untilFocused(dialog.getByRole('textbox', { name: 'Motif' }))
  await page.keyboard.type('Décision de la CNIL')
  await isFit(page, '1280-occulter')
  await dialog.getByRole('button', { name: 'Occulter' }).click()
  await page.getByText('Le PDF de cet acte a été retiré').waitFor()
  const { id: readerId } = await member(['manage_publications'])
  const other = await openPage({ url, session: await openSession(db, readerId), width: 360, height: 800 })
  await other.goto(`/backoffice/espace/${mairie.id}/actes`)
  await other.getByText('Pour en publier, demandez le droit « Publier les actes »').waitFor()
  expect(await input(other).count()).toBe(0)
  await isFit(other, '360-lire')
  await other.goto(`/backoffice/espace/${mairie.id}/actes/${draft.id}`)
  await other.getByText('Pour en publier, demandez').waitFor()
  expect(await other.getByRole('button', { name: 'Publier l’acte' }).count()).toBe(0)
})

story('an administrator sees overdue lists, and why an act has no timestamp yet', async () => {
  const { mairie } = await openHall('Horoville')
  const council = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10)
  await insertPublished(db, {
    acteur_id: mairie.id,
    title: 'Tarifs de la cantine',
    number: '9',
    date: council,
  })
  await listNewSeals(db, new Date())
  const claimed = await claimDue(db, new Date(), 60)
  const problem = { problem: 'The authority returned 503.', nextAt: new Date() }
  await recordProblem(db, claimed?.number ?? 0, problem)
  const { id } = await world.user({ roles: ['admin'], nom: 'Ada Byron' })
  const session = await openSession(db, id, { hasShownFactor: true })
  const page = await openPage({ url, session, width: 360, height: 800 })
  await page.goto('/backoffice/acts?show=unstamped')
  const overdue = page.getByRole('list', { name: 'En retard' }).getByRole('listitem')
  await overdue
    .filter({ hasText: 'Mairie de Horoville' })
    .getByText(/^Liste des délibérations du conseil/)
    .waitFor()
  const waiting = page.getByRole('list', { name: 'Tous les actes' }).getByRole('listitem')
  await waiting.getByText('Tarifs de la cantine').waitFor()
  await waiting.getByText('Attend son horodatage, un essai. The authority returned 503.').waitFor()
  await isFit(page, '360-administration')
  await page.getByLabel('Afficher').click()
  await page.getByRole('option', { name: 'Archivé' }).click()
  await page.getByText('Aucune mairie n’a d’acte dans cet état.').waitFor()
  await overdue.first().getByRole('link').click()
  await page.waitForURL(/\/backoffice\/acteurs\//)
})
