import { readFile } from 'node:fs/promises'
import { Secret, TOTP } from 'otpauth'
import { expect } from 'vitest'
import { putTotp } from '../../src/modules/sign-in/sign-in.test-kit.ts'
import { uuidv7 } from '../../src/platform/formats/uuid.ts'
import { openSession } from '../support/sessions.ts'
import { openWorld } from '../support/world.ts'
import {
  barriers,
  barriersInEveryLook,
  builtWebApp,
  intercept,
  openPage,
  story,
  untilFocused,
} from './browser.ts'

const webApp = await builtWebApp()
const world = await openWorld({ webApp, keeps: true })
const { url, db, user, acteur, commune } = world
await world.runJobs()
const expects = /status of (401|403|409|412)/

/** An administrator's page. `confirmed`: as in the ten minutes after signing in. */
async function openAs(
  options: { confirmed?: boolean; width?: number; dark?: boolean; english?: boolean } = {},
) {
  const { confirmed = true, english, ...more } = options
  const { id } = await user({ roles: ['admin'], nom: 'Ada Byron', email: `ada-${uuidv7()}@example.org` })
  const app = await putTotp(db, id)
  const session = await openSession(db, id, { hasShownFactor: true })
  if (!confirmed)
    await db.updateTable('sessions').set({ confirmed_until: null }).where('id', '=', session.id).execute()
  const page = await openPage({ url, session, expects, ...more })
  if (english) await page.addInitScript(`localStorage.setItem('parvis.settings', '{"language":"en"}')`)
  return { page, code: () => new TOTP({ secret: Secret.fromBase32(app) }).generate() }
}

/** A person with an account, a claim, and a thread with their address that another account wrote. */
async function person(email: string) {
  const { id } = await user({ email, nom: 'Odile Vauquelin' })
  const club = await acteur({ nom: 'Les Croqueurs de pommes' })
  const claim = { id: uuidv7(), acteur_id: club.id, user_id: id, message: 'Je préside le club.', email }
  await db.insertInto('claims').values(claim).execute()
  const threadId = uuidv7()
  const thread = { id: threadId, subject: 'Bac non relevé', said: '', email, last_message_at: new Date() }
  await db
    .insertInto('support_threads')
    .values({ ...thread, user_id: (await user()).id })
    .execute()
  return { id, threadId }
}

const emailOf = async (id: string) =>
  (await db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirstOrThrow()).email
story('a person is found by address, and their data is exported and downloaded once', async () => {
  const email = 'odile@example.org'
  await person(email)
  const { page, code } = await openAs({ confirmed: false })
  await page.goto('/backoffice/')
  await page.getByRole('link', { name: 'Données d’une personne' }).click()
  await page.getByLabel('Adresse e-mail ou numéro de compte').fill('Odile')
  await page.keyboard.press('Enter')
  await page.getByText('Saisissez une adresse e-mail').waitFor()
  await page.getByLabel('Adresse e-mail ou numéro de compte').fill(email)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Les Croqueurs de pommes' }).waitFor()
  await page.getByText('une revendication en attente expire').waitFor()
  await page.getByText('Peut-être une autre personne').waitFor()
  expect(page.url()).not.toContain('odile')
  await page.reload()
  await page.getByRole('link', { name: 'Odile Vauquelin' }).waitFor()
  await page.getByRole('button', { name: 'Exporter tout' }).click()
  const confirmation = page.getByRole('dialog', { name: 'Confirmez que c’est bien vous' })
  await confirmation.getByLabel('Code de l’application').fill(code())
  const button = page.getByRole('button', { name: `Télécharger l’export de ${email}` })
  await button.waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
  const told = JSON.parse(await readFile(await download.path(), 'utf8'))
  expect(told).toMatchObject({ emails: [email], claims: [{ message: 'Je préside le club.' }], threads: [] })
  await page.getByText('L’export est téléchargé').waitFor()
  await page.getByText('Téléchargé', { exact: true }).waitFor()
  await expect.poll(() => button.count()).toBe(0)
})

story('by keyboard alone: a person is erased, with a record of another account', async () => {
  const email = 'zoe@example.org'
  const { id, threadId } = await person(email)
  const { page } = await openAs()
  await page.goto(`/backoffice/people?user=${id}`)
  await page.getByRole('link', { name: 'Odile Vauquelin' }).waitFor()
  await page.getByRole('checkbox', { name: 'Bac non relevé' }).focus()
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Effacer…' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Effacer cette personne ?' })
  await dialog.getByText('Échanges avec l’assistance : une ligne').waitFor()
  await dialog.getByLabel(`Pour confirmer, saisissez : ${email}`).focus()
  await page.keyboard.type('zoe@example.com')
  await page.keyboard.press('Enter')
  await dialog.getByText(`Saisissez exactement : ${email}`).waitFor()
  expect(await emailOf(id)).toBe(email)
  for (let count = 0; count < 3; count++) await page.keyboard.press('Backspace')
  await page.keyboard.type('org')
  await page.keyboard.press('Enter')
  await page.getByText('La personne est effacée').waitFor()
  expect(await emailOf(id)).toBeNull()
  const { subject } = await db
    .selectFrom('support_threads')
    .select('subject')
    .where('id', '=', threadId)
    .executeTakeFirstOrThrow()
  expect(subject).toBe('(erased)')
})

story('somebody whom nobody knows: the screen says what to do', async () => {
  const { page } = await openAs()
  await page.goto('/backoffice/people')
  await page.getByLabel('Adresse e-mail ou numéro de compte').fill('nobody@example.org')
  await page.keyboard.press('Enter')
  await page.getByText('Rien n’est enregistré de façon certaine').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Effacer…' }).count()).toBe(0)
})

story('the system screen says what is off, and a test mail is sent', async () => {
  const { page } = await openAs()
  await page.goto('/backoffice/system')
  await page.getByText('Une instance connectée').waitFor()
  await page.getByText('Aucune sauvegarde').waitFor()
  for (const setting of ['MAIL_URL', 'SITE_OWNER', 'SITE_DIRECTOR', 'SITE_HOST', 'SITE_CONTACT'])
    await page.getByText(setting, { exact: true }).waitFor()
  await page.getByRole('button', { name: 'M’envoyer un courriel d’essai' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText(`Le courriel est écrit dans ${world.config.mail.outboxDir}`).waitFor()
})

story('a publication type and an application are added and changed', async () => {
  const { page } = await openAs()
  await page.goto('/backoffice/system')
  await page.getByRole('link', { name: 'Types de publication' }).click()
  await page.getByRole('button', { name: 'Ajouter un type' }).focus()
  await page.keyboard.press('Enter')
  await untilFocused(page.getByRole('dialog').getByLabel('Libellé'))
  await page.keyboard.type('Vide-grenier')
  await page.keyboard.press('Enter')
  await page.getByText('C’est enregistré').waitFor()
  await page.getByText('vide-grenier', { exact: true }).waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Modifier : Vide-grenier' }).click()
  await page.getByRole('dialog').getByLabel('Libellé').fill('Brocante')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Modifier : Brocante' }).waitFor()
  const types = db.selectFrom('publication_types').select(['libelle', 'slug'])
  expect(await types.where('slug', '=', 'vide-grenier').execute()).toEqual([
    { libelle: 'Brocante', slug: 'vide-grenier' },
  ])
  await page.goto('/backoffice/system/sources')
  const add = async (code: string) => {
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Ajouter une application' }).click()
    await page.getByRole('dialog').getByLabel('Code').fill(code)
    await page.getByRole('dialog').getByLabel('Libellé').fill('Site de Chambéry')
    await page.keyboard.press('Enter')
  }
  await add('site-chambery')
  await page.getByRole('button', { name: 'Modifier : Site de Chambéry' }).waitFor()
  await add('site-chambery')
  await page.getByText('Une application a déjà ce code').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Modifier : Site de Chambéry' }).click()
  await page.getByRole('switch').focus()
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Enregistrer' }).click()
  await page.getByText('Refusée').waitFor()
})

story('what a colleague changed in a type or an application is shown beside what was typed', async () => {
  const { page } = await openAs()
  const form = page.getByRole('dialog')
  const label = form.getByLabel('Libellé')
  await page.goto('/backoffice/system/types')
  await page.getByRole('button', { name: 'Ajouter un type' }).click()
  await label.fill('Bal')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Modifier : Bal' }).click()
  await label.fill('Bal musette')
  await page.keyboard.press('Escape')
  await form.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('button', { name: 'Modifier : Bal' }).click()
  await expect.poll(() => label.inputValue()).toBe('Bal musette')
  await db
    .updateTable('publication_types')
    .set({ libelle: 'Bal populaire' })
    .where('slug', '=', 'bal')
    .execute()
  await label.press('Enter')
  await form.getByText('Quelqu’un d’autre a changé cette fiche').waitFor()
  await form.getByText('Libellé : Bal populaire').waitFor()
  expect(await barriers(page)).toEqual([])
  await form.getByRole('button', { name: 'Garder la mienne' }).click()
  await untilFocused(label)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Modifier : Bal musette' }).waitFor()

  await db
    .insertInto('app_sources')
    .values({ code: 'bal', label: 'Le bal' } as never)
    .execute()
  await page.goto('/backoffice/system/sources')
  await page.getByRole('button', { name: 'Modifier : Le bal' }).click()
  await label.fill('Mon bal')
  await db.updateTable('app_sources').set({ active: false }).where('code', '=', 'bal').execute()
  await label.press('Enter')
  await form.getByText('État : Refusée').first().waitFor()
  await form.getByRole('button', { name: 'Prendre la sienne' }).click()
  await expect.poll(() => label.inputValue()).toBe('Le bal')
  await expect.poll(() => form.getByRole('switch').isChecked()).toBe(false)
})

story('by keyboard alone: an application shows only the communes that were chosen', async () => {
  const [amont, aval] = [await commune({ nom: 'Amont-sur-Leysse' }), await commune({ nom: 'Aval-les-Bains' })]
  const { page } = await openAs()
  await page.goto('/backoffice/system/sources')
  await page.getByRole('button', { name: 'Ajouter une application' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Code').fill('vallee')
  await dialog.getByLabel('Libellé').fill('La vallée')
  await dialog.getByRole('radio', { name: 'Tout' }).focus()
  await page.keyboard.press('ArrowRight')
  await dialog.getByLabel('Libellé').press('Enter')
  await dialog.getByText('Choisissez au moins une commune').waitFor()
  for (const name of ['Amont-sur-Leysse', 'Aval-les-Bains']) {
    await dialog.getByRole('combobox').fill(name.slice(0, 6))
    await page.getByRole('option', { name }).waitFor()
    // The options from before the search leave, and would take the focus with them.
    await expect.poll(() => page.getByRole('option').count()).toBe(1)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: `Retirer ${name}` }).waitFor()
    // The field waits for the next commune.
    await expect.poll(() => dialog.locator('input[role=combobox]:focus').inputValue()).toBe('')
  }
  expect(await barriers(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Enregistrer' }).click()
  await page.getByText('Amont-sur-Leysse, Aval-les-Bains').waitFor()
  const stored = db.selectFrom('app_sources').select('commune_ids').where('code', '=', 'vallee')
  expect(await stored.executeTakeFirstOrThrow()).toEqual({ commune_ids: [amont.id, aval.id].sort() })
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('row', { name: 'La vallée' }).press('Enter')
  await dialog.getByRole('button', { name: 'Retirer Amont-sur-Leysse' }).click()
  await dialog.getByRole('button', { name: 'Enregistrer' }).click()
  await expect.poll(() => stored.executeTakeFirstOrThrow()).toEqual({ commune_ids: [aval.id] })
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('row', { name: 'Mairie' }).press('Enter')
  await dialog.getByText('seul son libellé change').waitFor()
  await expect.poll(() => dialog.getByRole('switch').count()).toBe(0)
})

story('an administrator adds a search term, hears why another is refused, and deletes it', async () => {
  const { page } = await openAs()
  await page.goto('/backoffice/system')
  await page.getByRole('link', { name: 'Termes de recherche' }).press('Enter')
  await page.getByText('Aucun terme ajouté').waitFor()
  await page.getByRole('button', { name: 'Ajouter un terme' }).press('Enter')
  const dialog = page.getByRole('dialog')
  const term = dialog.getByLabel('Terme')
  await untilFocused(term)
  await page.keyboard.type('Poubelles')
  await page.keyboard.press('Enter')
  await dialog.getByText('La recherche connaît déjà ce terme.').waitFor()
  await term.fill('Silo enterré')
  await dialog.getByRole('button', { name: 'Mène à' }).press('Enter')
  await page.getByRole('option', { name: 'Collectes' }).waitFor()
  await page.keyboard.press('Escape')
  expect(await barriers(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Enregistrer' }).press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('row', { name: 'Silo enterré' }).waitFor()
  expect(await barriersInEveryLook(page)).toEqual([])
  const stored = db.selectFrom('search_terms').select(['key', 'topic']).where('deleted_at', 'is', null)
  expect(await stored.execute()).toEqual([{ key: 'enterre silo', topic: 'collectes' }])
  await page.getByRole('button', { name: 'Supprimer : Silo enterré' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer' }).press('Enter')
  await page.getByText('Aucun terme ajouté').waitFor()
  expect(await stored.execute()).toEqual([])
})

story('without events, a refused change loads what a colleague has changed', async () => {
  const { page } = await openAs()
  // No response to it ever arrives.
  await intercept(page, '**/admin/events', () => {})
  const operator = await world.as('admin')
  const made = await operator.post('/admin/publication-types', { libelle: 'Loto' })
  await page.goto('/backoffice/system/types')
  await page.getByRole('button', { name: 'Modifier : Loto' }).click()
  const path = `/admin/publication-types/${made.body.data.id}`
  expect((await operator.patch(path, { libelle: 'Grand loto' })).status).toBe(200)
  await page.getByRole('dialog').getByLabel('Libellé').fill('Petit loto')
  await page.keyboard.press('Enter')
  await page.getByText('Grand loto', { exact: true }).first().waitFor()
})

story('people and system pass the accessibility check in English, also on a phone, dark', async () => {
  const { id } = await person('odile@example.org')
  const { page } = await openAs({ english: true })
  const check = async (what: string) => expect(await barriersInEveryLook(page), what).toEqual([])
  await page.goto(`/backoffice/people?user=${id}`)
  await page.getByText('Maybe somebody else').waitFor()
  await check('person')
  await page.getByRole('button', { name: 'Export everything' }).click()
  await page
    .getByRole('button', { name: /Download the export/ })
    .first()
    .waitFor()
  await check('exports')
  await page.getByRole('button', { name: 'Erase…' }).click()
  await page.getByLabel(/To confirm/).waitFor()
  await check('erasure')
  for (const [path, ready] of [
    ['system', 'State'],
    ['system/types', 'Publication types'],
    ['system/sources', 'Applications'],
  ] as const) {
    await page.goto(`/backoffice/${path}`)
    await page.getByRole('heading', { name: ready }).first().waitFor()
    await page
      .getByRole('button', { name: /Refresh|Edit/ })
      .first()
      .waitFor()
    await check(path)
  }
  await page.getByRole('button', { name: 'Add an application' }).click()
  await page.getByRole('dialog').waitFor()
  await check('dialog')
})
