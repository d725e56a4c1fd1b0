import { sql } from 'kysely'
import { expect } from 'vitest'
import { complaintsKit, why } from '../../src/modules/complaints/complaints.test-kit.ts'
import { messagesKit } from '../../src/modules/messages/messages.test-kit.ts'
import { openSession } from '../support/sessions.ts'
import { openWorld } from '../support/world.ts'
import {
  barriersInEveryLook,
  builtWebApp,
  meanwhile,
  openPage,
  story,
  toggle,
  untilFocused,
} from './browser.ts'

const webApp = await builtWebApp()
const world = await openWorld({ webApp })
const { url, db, user, client } = world
const { written, statementOf, complaintsOf, publicationOf } = complaintsKit(world)
const decider = await user({ roles: ['moderator'], nom: 'Zoé Lambert' })
const moderator = client({ source: 'backoffice', token: decider.token })
const colleague = await user({ roles: ['moderator'], nom: 'Basile Roux' })
const session = await openSession(db, colleague.id)

/** A publication that Zoé hid, and the complaint of its author, filed so many days ago. */
async function contested(title: string, daysAgo = 0) {
  const one = await written({ title })
  expect((await moderator.patch(`${one.at}/valide`, { valide: false, reason: 'Photo floue.' })).status).toBe(
    200,
  )
  const { status, body } = await one.asEditor.post('/me/complaints', {
    statement_id: await statementOf(one.id),
    text: why,
  })
  expect(status).toBe(201)
  const id = body.data.id as string
  await sql`update complaints set created_at = created_at - make_interval(days => ${daysAgo}) where id = ${id}`.execute(
    db,
  )
  return { ...one, complaintId: id }
}

story('late complaints are red, and are upheld by keyboard', async () => {
  await db.deleteFrom('complaints').execute()
  await contested('Fête du lavoir')
  const late = await contested('Fête de la pomme', 20)
  const page = await openPage({ url, session })
  await page.goto('/backoffice/')
  const card = page.getByRole('link', { name: /^Réclamations à trancher/ })
  await card.getByText('1 depuis plus de 14 jours').waitFor()
  expect(await barriersInEveryLook(page)).toEqual([])
  await card.click()
  const tabs = page.getByRole('navigation', { name: 'Modération' })
  await tabs.locator('[aria-current=page]').getByText('Réclamations').waitFor()
  await tabs.getByRole('link', { name: 'Réclamations 2' }).waitFor()
  const rows = page.getByRole('grid', { name: 'Réclamations' }).getByRole('row')
  // The oldest comes first.
  await rows.nth(1).getByText('Fête de la pomme').waitFor()
  await rows.nth(1).getByText('Plus de 14 jours').waitFor()
  await expect.poll(() => page.getByText('Plus de 14 jours').count()).toBe(1)
  expect(await barriersInEveryLook(page)).toEqual([])
  // Back from the size of a phone, where one column holds all.
  await expect.poll(() => page.getByRole('columnheader').count()).toBe(5)
  await rows.nth(1).getByRole('link').press('Enter')
  await page.getByRole('heading', { name: 'Fête de la pomme', level: 1 }).waitFor()
  await page.getByText('Photo floue.').waitFor()
  await page.getByText(why).waitFor()
  await page.getByText('Publication retirée du public').waitFor()
  await page.getByText('Zoé Lambert').waitFor()
  await page.getByRole('heading', { name: 'La publication au moment de la décision' }).waitFor()
  await page.locator('main strong').getByText(late.title).waitFor()
  expect(await barriersInEveryLook(page)).toEqual([])
  // To uphold needs an answer.
  const send = page.getByRole('button', { name: 'Maintenir la décision' })
  await send.focus()
  await page.keyboard.press('Enter')
  await page.getByText('Écrivez pourquoi la décision est maintenue.').waitFor()
  await untilFocused(page.getByRole('textbox', { name: 'Réponse' }))
  expect(await barriersInEveryLook(page)).toEqual([])
  await page.keyboard.insertText('La photo est floue, et montre un visage.')
  await page.keyboard.press('Tab')
  await untilFocused(send)
  await page.keyboard.press('Enter')
  await page.getByText('La décision est maintenue').waitFor()
  await page.getByText('La photo est floue, et montre un visage.').waitFor()
  expect(await complaintsOf(late.id)).toMatchObject([
    { decision: 'upheld', answer: 'La photo est floue, et montre un visage.', decided_as: 'colleague' },
  ])
  await page.keyboard.press('j')
  await page.getByRole('heading', { name: 'Fête du lavoir', level: 1 }).waitFor()
  // The answer to one complaint is not that to the next.
  expect(await page.getByRole('textbox', { name: 'Réponse' }).inputValue()).toBe('')
})

story('a reversal restores what the decision took', async () => {
  const one = await contested('Marché de Noël')
  const page = await openPage({ url, session })
  await page.goto(`/backoffice/complaints/${one.complaintId}`)
  await page.getByRole('button', { name: /^Historique/ }).waitFor()
  await page.keyboard.press('h')
  const history = page.getByRole('dialog')
  await history.getByText(one.title).first().waitFor()
  await page.keyboard.press('Escape')
  await history.waitFor({ state: 'detached' })
  await toggle(page.getByRole('radio', { name: 'L’annuler' }))
  await page.getByText('est rétabli tout de suite').waitFor()
  await page.getByRole('button', { name: 'Annuler la décision' }).click()
  await page.getByText('La réclamation est acceptée').waitFor()
  await page.getByText('Ce que la décision avait pris est rétabli.').waitFor()
  await page.getByText('vous', { exact: true }).waitFor()
  expect(await barriersInEveryLook(page)).toEqual([])
  expect(await publicationOf(one.id)).toMatchObject({ valide: true })
  await page.getByRole('link', { name: 'Réclamations' }).first().click()
  await page.goto('/backoffice/complaints?state=reversed')
  await page.getByRole('row').filter({ hasText: one.title }).getByText('Décision annulée').waitFor()
})

story('whoever decided reads why somebody else has to decide', async () => {
  const one = await contested('Vide-grenier')
  const page = await openPage({ url, session: await openSession(db, decider.id), width: 360 })
  await page.goto('/backoffice/complaints')
  await page.getByRole('row').filter({ hasText: one.title }).getByText('Pour une autre personne').waitFor()
  await page.goto(`/backoffice/complaints/${one.complaintId}`)
  await page.getByText('Vous avez pris la décision contestée').waitFor()
  expect(await page.getByRole('textbox', { name: 'Réponse' }).count()).toBe(0)
  expect(await barriersInEveryLook(page)).toEqual([])
})

story('an administrator decides where there is no other moderator, which the screen says', async () => {
  const one = await contested('Loto des écoles')
  const admin = await user({ roles: ['admin'], nom: 'Ada' })
  await db.updateTable('users').set({ actif: false }).where('id', '=', colleague.id).execute()
  const page = await openPage({ url, session: await openSession(db, admin.id) })
  await page.goto(`/backoffice/complaints/${one.complaintId}`)
  await page.getByRole('textbox', { name: 'Réponse' }).fill('La photo reste floue.')
  await page.getByRole('button', { name: 'Maintenir la décision' }).click()
  await page.getByText('faute d’un autre modérateur').waitFor()
  // Its history, for those who read the audit log.
  await page.getByRole('list', { name: 'Historique' }).getByRole('listitem').nth(1).waitFor()
  expect(await barriersInEveryLook(page)).toEqual([])
  await db.updateTable('users').set({ actif: true }).where('id', '=', colleague.id).execute()
})

story('an answer by mail stands on the complaint, for those who read messages', async () => {
  const one = await contested('Feu d’artifice')
  const { thread } = messagesKit(world, await world.as('support'))
  const threadId = await thread({ subject: 'Re : votre réclamation', nom: 'Odile Vauquelin' })
  await sql`
    update support_threads set about_kind = 'complaint', about_id = ${one.complaintId} where id = ${threadId}`.execute(
    db,
  )
  const both = await user({ roles: ['moderator', 'support'] })
  const page = await openPage({ url, session: await openSession(db, both.id), width: 360 })
  await page.goto(`/backoffice/complaints/${one.complaintId}`)
  const answers = page.getByRole('list', { name: 'Réponses par courriel' })
  await answers.getByText('Odile Vauquelin').waitFor()
  expect(await barriersInEveryLook(page)).toEqual([])
  await answers.getByRole('link', { name: 'Re : votre réclamation' }).click()
  await page.getByRole('button', { name: 'Détails' }).click()
  await page.getByRole('link', { name: 'La réclamation' }).click()
  await page.getByRole('heading', { name: 'Feu d’artifice', level: 1 }).waitFor()
  const other = await openPage({ url, session })
  await other.goto(`/backoffice/complaints/${one.complaintId}`)
  await other.getByRole('heading', { name: 'Feu d’artifice', level: 1 }).waitFor()
  expect(await other.getByText('Réponses par courriel').count()).toBe(0)
})

story('a complaint that a colleague decides meanwhile shows that decision', async () => {
  const one = await contested('Course des garçons de café')
  const other = await world.as('moderator')
  const page = await openPage({ url, session, expects: /412|409/ })
  const path = `/admin/complaints/${one.complaintId}`
  await page.goto(`/backoffice/complaints/${one.complaintId}`)
  await page.getByRole('textbox', { name: 'Réponse' }).fill('La photo est floue.')
  await meanwhile(page, `**/api/v1${path}`, async () =>
    expect((await other.patch(path, { decision: 'reversed', answer: 'Elle est nette.' })).status).toBe(200),
  )
  await page.getByRole('button', { name: 'Maintenir la décision' }).click()
  await page.getByText('Elle est nette.').waitFor()
  expect(await complaintsOf(one.id)).toMatchObject([{ decision: 'reversed' }])
})

story('who reported while signed in reads what became of it, and objects there', async () => {
  const one = await written({ title: 'Brocante' })
  const reporter = await user({ nom: 'Odile' })
  const report = await client({ token: reporter.token }).post(`/publications/${one.id}/report`, {
    category: 'spam',
  })
  expect(report.status).toBe(201)
  expect((await moderator.post(`${one.at}/reports/close`)).status).toBe(200)
  const page = await openPage({ url, session: await openSession(db, reporter.id), width: 360 })
  await page.goto('/compte/signalements')
  await page.getByRole('heading', { name: 'Mes signalements' }).waitFor()
  const line = page.getByRole('listitem').filter({ hasText: 'Brocante' })
  await line.getByText('Signalement non retenu').waitFor()
  expect(await barriersInEveryLook(page)).toEqual([])
  await line.getByRole('button', { name: 'Contester' }).click()
  const dialog = page.getByRole('dialog', { name: 'Contester cette décision' })
  await untilFocused(dialog.getByRole('textbox'))
  await page.keyboard.insertText(why)
  await dialog.getByRole('button', { name: 'Envoyer' }).click()
  await line.getByText('une autre personne va vous répondre').waitFor()
  await expect.poll(() => line.getByRole('button', { name: 'Contester' }).count()).toBe(0)
  expect(await complaintsOf(one.id)).toMatchObject([{ user_id: reporter.id, text: why }])
  await page.getByRole('link', { name: 'Mon compte' }).first().click()
  await page.getByRole('link', { name: 'Voir ce qu’ils sont devenus' }).waitFor()
})

story(
  'an owner objects in their space to a deactivation, and a moderator activates the acteur again',
  async () => {
    const one = await written()
    const admin = await world.as('admin')
    const set = await admin.patch(`/admin/acteurs/${one.acteur.id}/active`, {
      active: false,
      reason: 'Le siège est fermé.',
    })
    expect(set.status).toBe(200)
    const page = await openPage({ url, session: await openSession(db, one.owner.id), width: 360 })
    await page.goto('/backoffice/espace')
    const line = page.getByRole('listitem').filter({ hasText: 'Le siège est fermé.' })
    await line.getByRole('button', { name: 'Contester' }).click()
    const dialog = page.getByRole('dialog', { name: 'Contester cette décision' })
    await untilFocused(dialog.getByRole('textbox'))
    await page.keyboard.insertText(why)
    await dialog.getByRole('button', { name: 'Envoyer' }).click()
    await line.getByText('une autre personne va vous répondre').waitFor()
    expect(await barriersInEveryLook(page)).toEqual([])
    const [complaint] = await complaintsOf(one.acteur.id)
    const desk = await openPage({ url, session })
    await desk.goto('/backoffice/complaints')
    await desk.getByRole('row').filter({ hasText: one.acteur.nom }).getByText('Acteur désactivé').waitFor()
    await desk.goto(`/backoffice/complaints/${complaint?.id}`)
    await desk.getByText('Le siège est fermé.').waitFor()
    expect(await desk.getByRole('button', { name: /^Historique/ }).count()).toBe(0)
    await toggle(desk.getByRole('radio', { name: 'L’annuler' }))
    await desk.getByRole('button', { name: 'Annuler la décision' }).click()
    await desk.getByText('Ce que la décision avait pris est rétabli.').waitFor()
    expect(await barriersInEveryLook(desk)).toEqual([])
    const acteur = db.selectFrom('acteurs').select('active').where('id', '=', one.acteur.id)
    expect(await acteur.executeTakeFirst()).toEqual({ active: true })
  },
)
