import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { insertPublication } from '../../src/modules/publications/publications.test-kit.ts'
import { putPasskey, putTotp } from '../../src/modules/sign-in/sign-in.test-kit.ts'
import { openSession } from '../support/sessions.ts'
import { openWorld } from '../support/world.ts'
import { barriersInEveryLook, builtWebApp, openPage, story, untilFocused } from './browser.ts'

const webApp = await builtWebApp()
const world = await openWorld({ webApp, env: { SECOND_FACTOR: 'admin' } })
const { url, db, user, acteur } = world
const expects = /status of (401|403|409)/

/** An administrator's page. `confirmed`: as in the ten minutes after signing in. */
async function openAs(options: { confirmed: boolean; width?: number; dark?: boolean }) {
  const { id } = await user({ roles: ['admin'], nom: 'Ada Byron' })
  const app = await putTotp(db, id)
  const session = await openSession(db, id, { hasShownFactor: true })
  if (!options.confirmed)
    await db.updateTable('sessions').set({ confirmed_until: null }).where('id', '=', session.id).execute()
  const page = await openPage({ url, session, expects, ...options })
  return { page, id, code: () => new TOTP({ secret: Secret.fromBase32(app) }).generate() }
}

const rolesOf = async (id: string) =>
  (await db.selectFrom('user_roles').select('role').where('user_id', '=', id).execute()).map(
    ({ role }) => role,
  )
const confirmationIn = (page: Page) => page.getByRole('dialog', { name: 'Confirmez que c’est bien vous' })
const tab = async (page: Page, times: number) => {
  for (let n = 0; n < times; n++) await page.keyboard.press('Tab')
}

story('by keyboard alone: a user is invited with a role, after a confirmation', async () => {
  const { page, code } = await openAs({ confirmed: false })
  await page.goto('/backoffice/users')
  await page.getByRole('list', { name: 'Comptes' }).waitFor()
  await page.getByRole('button', { name: 'Inviter' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Inviter une personne' })
  await untilFocused(dialog.getByLabel('Adresse e-mail'))
  await page.keyboard.type('nouvelle@example.org')
  await tab(page, 1)
  await page.keyboard.type('Zoé Lambert')
  await tab(page, 1)
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  // After cancelling, the input stays.
  await untilFocused(confirmationIn(page).getByLabel('Code de l’application'))
  await page.keyboard.press('Escape')
  await dialog.getByText('Vous n’avez pas confirmé').waitFor()
  await dialog.getByRole('button', { name: 'Envoyer l’invitation' }).focus()
  await page.keyboard.press('Enter')
  await untilFocused(confirmationIn(page).getByLabel('Code de l’application'))
  await page.keyboard.type(code())
  await page.getByRole('heading', { name: 'Zoé Lambert' }).waitFor()
  await page.getByText('L’invitation de nouvelle@example.org est écrite.').waitFor()
  // Without a mail server, administrators learn where it lies.
  await page.getByText(world.config.mail.outboxDir).waitFor()
  const { id } = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', 'nouvelle@example.org')
    .executeTakeFirstOrThrow()
  expect(await rolesOf(id)).toEqual(['moderator'])
})

story(
  'a role is granted and removed, devices are signed out, factors reset, the account disabled',
  async () => {
    const person = await user({ nom: 'Camille Petit' })
    await putPasskey(db, person.id)
    await openSession(db, person.id, { browser: 'Firefox, Windows' })
    const { page, code } = await openAs({ confirmed: false })
    await page.goto('/backoffice/users')
    await page.getByLabel('Rechercher par nom').fill('camil')
    // The search has moved the others away.
    await expect.poll(() => page.getByRole('list', { name: 'Comptes' }).getByRole('listitem').count()).toBe(1)
    await page.getByRole('link', { name: 'Camille Petit' }).click()
    await page.getByRole('button', { name: 'Attribuer : Modération' }).click()
    await confirmationIn(page).getByLabel('Code de l’application').fill(code())
    await page.getByText('Le rôle est attribué').waitFor()
    expect(await rolesOf(person.id)).toEqual(['moderator'])
    await page.getByRole('button', { name: 'Retirer : Modération' }).click()
    await page.getByText('Le rôle est retiré').waitFor()
    expect(await rolesOf(person.id)).toEqual([])

    await page.getByText('Firefox, Windows').waitFor()
    await page.getByRole('button', { name: 'Déconnecter partout' }).click()
    await page.getByText('Un appareil est déconnecté').waitFor()
    await page.getByText('Aucun appareil connecté').waitFor()
    const ask = async (action: string) => {
      await page.getByRole('button', { name: action }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: action }).click()
    }
    await ask('Retirer les seconds facteurs')
    await page.getByText('Les seconds facteurs sont retirés').waitFor()
    expect(await db.selectFrom('passkeys').select('id').where('user_id', '=', person.id).execute()).toEqual(
      [],
    )
    await ask('Désactiver le compte')
    await page.getByText('Le compte est désactivé').waitFor()
    await page.getByRole('button', { name: 'Réactiver le compte' }).click()
    await page.getByText('Le compte est réactivé').waitFor()
    const { actif } = await db
      .selectFrom('users')
      .select('actif')
      .where('id', '=', person.id)
      .executeTakeFirstOrThrow()
    expect(actif).toBe(true)
  },
)

story('an account leads to its acteurs and its data, and a role is given back by an undo', async () => {
  const club = await acteur({ nom: 'Les Croqueurs de pommes' })
  const person = await user({
    nom: 'Odile Vauquelin',
    roles: ['support'],
    memberships: [{ acteur: club, role: 'owner' }],
  })
  const { page } = await openAs({ confirmed: true })
  await page.goto(`/backoffice/users/${person.id}`)
  await page.getByText('Pas encore venue').waitFor()
  await page.getByRole('button', { name: 'Retirer : Assistance' }).click()
  await page.getByRole('button', { name: 'Annuler' }).click()
  await page.getByRole('button', { name: 'Retirer : Assistance' }).waitFor()
  await expect.poll(() => rolesOf(person.id)).toEqual(['support'])
  await page.getByRole('link', { name: 'Les Croqueurs de pommes' }).click()
  await page.getByRole('heading', { name: 'Les Croqueurs de pommes', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Odile Vauquelin' }).click()
  await page.getByRole('link', { name: 'Voir, exporter ou effacer ses données' }).click()
  await page.getByRole('button', { name: 'Exporter tout' }).waitFor()
  expect(new URL(page.url()).search).toBe(`?user=${person.id}`)
})

story('one’s own second factors are not reset, but changed in one’s own account', async () => {
  const { page, id } = await openAs({ confirmed: true })
  await page.goto(`/backoffice/users/${id}`)
  const own = page.getByRole('link', { name: 'Vos seconds facteurs' })
  await own.waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Retirer les seconds facteurs' }).count()).toBe(0)
  await own.press('Enter')
  await page.getByRole('heading', { name: 'Mon compte', level: 1 }).waitFor()
})

story('one’s own role is removed only after a question', async () => {
  // The last administrator keeps the role.
  await user({ roles: ['admin'] })
  const { page, id } = await openAs({ confirmed: true })
  await page.goto(`/backoffice/users/${id}`)
  await page.getByRole('button', { name: 'Retirer : Administration', exact: true }).click()
  const question = page.getByRole('alertdialog', { name: 'Retirer votre propre rôle « Administration » ?' })
  await question.getByRole('button', { name: 'Annuler' }).click()
  await question.waitFor({ state: 'detached' })
  expect(await rolesOf(id)).toEqual(['admin'])
  await page.getByRole('button', { name: 'Retirer : Administration', exact: true }).click()
  await question.getByRole('button', { name: 'Retirer' }).click()
  // Another request of the page may notice first that the role has gone: the page is loaded again, without its toast.
  await page
    .getByText('Le rôle est retiré')
    .or(page.getByRole('heading', { name: 'Cet écran ne vous est pas ouvert' }))
    .first()
    .waitFor()
  await expect.poll(() => rolesOf(id)).toEqual([])
})

story('the address keeps search and role filter, and an empty result is explained', async () => {
  const { page } = await openAs({ confirmed: true })
  await user({ nom: 'Modeste Modératrice', roles: ['moderator'] })
  await page.goto('/backoffice/users?role=moderator')
  await page.getByRole('link', { name: 'Modeste Modératrice' }).waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'Ada Byron' }).count()).toBe(0)
  await page.getByLabel('Rechercher par nom').fill('personne')
  await page.getByText('Aucun compte ne correspond').waitFor()
  await page.reload()
  await page.getByText('Aucun compte ne correspond').waitFor()
  await expect.poll(() => page.getByLabel('Rechercher par nom').inputValue()).toBe('personne')
})

story('an e-mail address with an account is not invited again', async () => {
  const { email } = await user()
  const { page } = await openAs({ confirmed: true })
  await page.goto('/backoffice/users')
  await page.getByRole('button', { name: 'Inviter' }).click()
  await page.getByLabel('Adresse e-mail').fill(email ?? '')
  await page.keyboard.press('Enter')
  await page.getByText('Un compte a déjà cette adresse').waitFor()
})

story('the navigation shows the number of pending items', async () => {
  await insertPublication(world, { moderation_status: 'pending', valide: false, publie_le: null })
  const { page } = await openAs({ confirmed: true })
  await page.goto('/backoffice/')
  await page.getByRole('link', { name: 'File de modération 1 en attente' }).waitFor()
})

story('accounts pass the accessibility check in English, also on a phone, dark', async () => {
  const person = await user({ nom: 'Camille Petit', roles: ['moderator'] })
  await openSession(db, person.id)
  const { page } = await openAs({ confirmed: false })
  const check = async (what: string) => expect(await barriersInEveryLook(page), what).toEqual([])
  await page.addInitScript(`localStorage.setItem('parvis.settings', '{"language":"en"}')`)
  await page.goto('/backoffice/users')
  await page.getByRole('list', { name: 'Accounts' }).waitFor()
  await check('list')
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByLabel('E-mail address').waitFor()
  await check('invitation')
  await page.goto(`/backoffice/users/${person.id}`)
  await page.getByText('By e-mail').waitFor()
  await check('person')
  await page.getByRole('button', { name: 'Disable the account' }).click()
  await untilFocused(page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }))
  await check('question')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Remove: Moderator' }).click()
  await page.getByRole('dialog', { name: 'Confirm that it is you' }).getByLabel('Code from the app').waitFor()
  await check('confirmation')
})
