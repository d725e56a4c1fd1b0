import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { newestMail, putPasskey, putTotp } from '../../src/modules/sign-in/sign-in.test-kit.ts'
import { openSession } from '../support/sessions.ts'
import { openWorld } from '../support/world.ts'
import {
  barriers,
  barriersInEveryLook,
  builtWebApp,
  intercept,
  meanwhile,
  openPage,
  story,
  untilFocused,
} from './browser.ts'

const webApp = await builtWebApp()
const world = await openWorld({ webApp, env: { SECOND_FACTOR: 'admin' } })
const { db, user } = world
// Passkeys are bound to a name: a browser reaches the service as localhost, at a port that is known by now.
const url = world.url.replace('127.0.0.1', 'localhost')
world.config.publicUrl = url
const expects = /status of (401|403|409|422)/

/** A device that unlocks its passkeys by itself. */
async function plugIn(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

async function signInByMail(page: Page, email: string | null) {
  await page.goto('/backoffice/sign-in')
  await page.getByLabel('Adresse e-mail').fill(email ?? '')
  await page.keyboard.press('Enter')
  await untilFocused(page.getByLabel('Code à six chiffres'))
  await page.keyboard.type((await newestMail(db)).code)
}

async function signOut(page: Page) {
  await page.getByRole('button', { name: /^Compte/ }).click()
  await page.getByRole('menuitem', { name: 'Se déconnecter' }).click()
  await page.getByRole('heading', { name: 'Se connecter à Parvis' }).waitFor()
}

const codeOf = (base32: string) => new TOTP({ secret: Secret.fromBase32(base32) }).generate()
const signedIn = (page: Page) => page.getByRole('heading', { name: 'Tableau de bord' }).waitFor()

story(
  'by keyboard alone: a passkey is set up because it is compulsory, and it signs in from then on',
  async () => {
    const { email } = await user({ roles: ['admin'], nom: 'Ada' })
    const page = await openPage({ url, expects })
    await plugIn(page)
    // The secret arrives late: its code field must not take the focus from the choice.
    const chosen = Promise.withResolvers<void>()
    await intercept(page, '**/me/totp', (route) => chosen.promise.then(() => route.continue()))
    await signInByMail(page, email)
    await page.getByText('Un second facteur est obligatoire').waitFor()
    await page.getByRole('radio', { name: 'Application' }).focus()
    chosen.resolve()
    await page.getByLabel('Code de l’application').waitFor()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('button', { name: 'Créer une clé d’accès' }).waitFor()
    expect(await barriers(page)).toEqual([])
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Notez ces codes de secours').waitFor()
    await expect.poll(() => page.getByRole('listitem').count()).toBe(10)
    await untilFocused(page.getByRole('button', { name: 'J’ai noté mes codes' }))
    await page.keyboard.press('Enter')
    await signedIn(page)

    await signOut(page)
    await untilFocused(page.getByLabel('Adresse e-mail'))
    await page.getByRole('button', { name: 'Se connecter avec une clé d’accès' }).focus()
    await page.keyboard.press('Enter')
    await signedIn(page)
    await page.getByText('Ada').waitFor()

    // After a mail the same passkey is the second factor.
    await signOut(page)
    await signInByMail(page, email)
    await untilFocused(page.getByRole('button', { name: 'Utiliser une clé d’accès' }))
    expect(await barriers(page)).toEqual([])
    await page.keyboard.press('Enter')
    await signedIn(page)
  },
)

story('five wrong codes cancel the sign-in, which starts again', async () => {
  const { id, email } = await user({ roles: ['moderator'] })
  await putTotp(db, id)
  const page = await openPage({ url, expects })
  await signInByMail(page, email)
  await page.getByText('montrez votre second facteur').waitFor()
  // A reload in the middle continues at the same step.
  await page.reload()
  const attempt = page.getByRole('button', { name: 'Se connecter', exact: true })
  await page.getByRole('button', { name: 'Utiliser un code de secours' }).click()
  for (let tries = 0; tries < 5; tries++) {
    const answer = page.waitForResponse('**/auth/second-factor')
    await page.getByLabel('Code de secours').fill('aaaa-bbbb-cccc-dddd')
    await attempt.click()
    await answer
  }
  await page.getByText('Trop d’essais').waitFor()
  expect(await barriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Recommencer' }).click()
  await page.getByLabel('Adresse e-mail').waitFor()
  expect(new URL(page.url()).hash).toBe('')
})

story('a user who takes over ten minutes to set up a factor confirms by mail and continues', async () => {
  const { id, email } = await user({ roles: ['admin'] })
  const page = await openPage({ url, expects })
  await signInByMail(page, email)
  await page.getByRole('img', { name: /Code QR/ }).waitFor()
  const secret = await page.getByText('Ou entrez cette clé à la main').locator('code').innerText()
  await db.updateTable('sessions').set({ confirmed_until: null }).where('user_id', '=', id).execute()
  await page.getByLabel('Code de l’application').fill(codeOf(secret))
  const dialog = confirmationIn(page)
  await dialog.getByRole('button', { name: 'Recevoir un code par e-mail' }).click()
  await untilFocused(dialog.getByLabel('Code à six chiffres'))
  expect(await barriers(page)).toEqual([])
  await page.keyboard.type((await newestMail(db)).code)
  await page.getByText('Notez ces codes de secours').waitFor()
})

const enrolmentOf = (page: Page) => page.getByText('Un second facteur est obligatoire')
const secretOn = (page: Page) => page.getByText('Ou entrez cette clé à la main').locator('code').innerText()

story('a link signs in its own user, whoever began a sign-in in this browser before', async () => {
  const { email } = await user({ roles: ['admin'], nom: 'Ada' })
  const yves = await user({ roles: ['moderator'], nom: 'Yves' })
  const asking = await openPage({ url, expects })
  await asking.goto('/backoffice/sign-in')
  await asking.getByLabel('Adresse e-mail').fill(yves.email ?? '')
  await asking.getByRole('button', { name: 'Recevoir un lien' }).click()
  await asking.getByLabel('Code à six chiffres').waitFor()
  const { token } = await newestMail(db)
  const page = await openPage({ url, expects })
  await signInByMail(page, email)
  await page.getByText(`Pour le compte ${email}`).waitFor()
  // The tab is closed; another person uses the same browser.
  const other = await page.context().newPage()
  await other.goto(`/backoffice/sign-in#token=${token}`)
  await other.getByText('Le lien est prêt').waitFor()
  await expect.poll(() => enrolmentOf(other).count()).toBe(0)
  await other.getByRole('button', { name: 'Se connecter' }).click()
  await other.getByRole('button', { name: 'Compte : Yves' }).waitFor()
})

story('an enrolment begun by somebody else names its account and gives way to another one', async () => {
  const { id, email } = await user({ roles: ['admin'], nom: 'Ada' })
  const page = await openPage({ url, expects })
  await signInByMail(page, email)
  await enrolmentOf(page).waitFor()
  await page.goto('/backoffice/sign-in')
  await page.getByText(`Pour le compte ${email}`).waitFor()
  await page.getByRole('button', { name: 'Utiliser un autre compte' }).click()
  await page.getByLabel('Adresse e-mail').waitFor()
  const open = db.selectFrom('sessions').select('id').where('user_id', '=', id).where('ended_at', 'is', null)
  expect(await open.execute()).toEqual([])
})

story('a tab never acts for another user who has signed in in a second tab', async () => {
  const ada = await user({ roles: ['moderator'], nom: 'Ada' })
  const yves = await user({ roles: ['moderator'], nom: 'Yves' })
  const page = await openPage({ url, session: await openSession(db, ada.id), expects })
  await page.goto('/backoffice/account')
  await page.getByRole('button', { name: 'Changer de nom' }).click()
  await page.getByRole('textbox', { name: 'Nom' }).fill('Ada Byron')
  // The cookie is that of Yves already, before his tab has told the others.
  const { value } = await openSession(db, yves.id)
  await meanwhile(page, '**/api/v1/me', () =>
    page.context().addCookies([{ name: 'parvis_session', value, url, sameSite: 'Strict' }]),
  )
  await page.getByRole('button', { name: 'Enregistrer' }).click()
  await page.getByRole('dialog', { name: 'Votre session a expiré' }).waitFor()
  const names = db.selectFrom('users').select('nom').where('id', 'in', [ada.id, yves.id]).orderBy('nom')
  expect(await names.execute()).toEqual([{ nom: 'Ada' }, { nom: 'Yves' }])
  const other = await page.context().newPage()
  await other.goto('/backoffice/account')
  await other.getByRole('button', { name: 'Compte : Yves' }).waitFor()
  await page.getByRole('button', { name: 'Compte : Yves' }).waitFor()
  await signOut(other)
  await page.getByLabel('Adresse e-mail').waitFor()
})

story('a reload on the recovery codes leads to the application, not to another picture', async () => {
  const { email } = await user({ roles: ['admin'], nom: 'Ada' })
  const page = await openPage({ url, expects })
  await signInByMail(page, email)
  await enrolmentOf(page).waitFor()
  await page.getByLabel('Code de l’application').fill(codeOf(await secretOn(page)))
  await page.getByText('Notez ces codes de secours').waitFor()
  await page.reload()
  await signedIn(page)
  await page.goto('/backoffice/sign-in')
  await signedIn(page)
})

story('a picture that another tab has replaced is replaced on request; the language keeps it', async () => {
  const { id, email } = await user({ roles: ['admin'] })
  const page = await openPage({ url, expects })
  await signInByMail(page, email)
  await enrolmentOf(page).waitFor()
  const former = await secretOn(page)
  await putTotp(db, id, { pending: true })
  await page.getByLabel('Code de l’application').fill(codeOf(former))
  await page.getByText('ou dans un autre onglet, ne comptent plus').waitFor()
  await page.getByRole('button', { name: 'Nouveau code QR' }).click()
  await expect.poll(() => secretOn(page)).not.toBe(former)
  const secret = await secretOn(page)
  await page.getByRole('button', { name: 'English' }).click()
  await page.getByText('A second factor is required').waitFor()
  await page.getByText(secret).waitFor()
  await page.getByLabel('Code from the app').fill(codeOf(secret))
  await page.getByRole('listitem').first().waitFor()
  const codes = await page.getByRole('listitem').allInnerTexts()
  await page.getByRole('button', { name: 'Français' }).click()
  await page.getByText('Notez ces codes de secours').waitFor()
  await expect.poll(() => page.getByRole('listitem').allInnerTexts()).toEqual(codes)
})

story('a sign-in that ended starts again with a sentence; one finished elsewhere goes on', async () => {
  const { id, email } = await user({ roles: ['admin'], nom: 'Ada' })
  const page = await openPage({ url, expects })
  await signInByMail(page, email)
  await enrolmentOf(page).waitFor()
  const end = () =>
    db.updateTable('sessions').set({ ended_at: new Date() }).where('user_id', '=', id).execute()
  const secret = await secretOn(page)
  await end()
  await page.getByLabel('Code de l’application').fill(codeOf(secret))
  await page.getByText('Cette connexion n’est plus en cours').waitFor()

  const app = await putTotp(db, id)
  await signInByMail(page, email)
  await page.getByText('Encore une étape').waitFor()
  await end()
  await page.getByLabel('Code de l’application').fill(codeOf(app))
  await page.getByText('Cette connexion n’est plus en cours').waitFor()

  await signInByMail(page, email)
  await page.getByText('Encore une étape').waitFor()
  await db.updateTable('sessions').set({ factor_at: new Date() }).where('user_id', '=', id).execute()
  await page.getByLabel('Code de l’application').fill(codeOf(app))
  await signedIn(page)
})

story('a role that needs a second factor leads to its setup, and back', async () => {
  const { id, email } = await user({ roles: ['moderator'], nom: 'Ada' })
  const page = await openPage({ url, session: await openSession(db, id), expects })
  await page.goto('/backoffice/account')
  await page.getByRole('button', { name: 'Changer de nom' }).click()
  await db.insertInto('user_roles').values({ user_id: id, role: 'admin' }).execute()
  // Another request may have been refused first, and have led away from the form.
  const save = page.getByRole('button', { name: 'Enregistrer' })
  await save.click({ timeout: 5_000 }).catch(() => {})
  await page.getByText(`Pour le compte ${email}`).waitFor()
  await page.getByLabel('Code de l’application').fill(codeOf(await secretOn(page)))
  await page.getByRole('button', { name: 'J’ai noté mes codes' }).click()
  await page.getByRole('button', { name: 'Changer de nom' }).waitFor()
})

story('a role taken away leaves the menu, and its screen says why', async () => {
  const { id } = await user({ roles: ['support', 'moderator'] })
  const page = await openPage({ url, session: await openSession(db, id), expects })
  await page.goto('/backoffice/account')
  const messages = page.getByRole('link', { name: 'Messages' })
  await messages.waitFor()
  await db.deleteFrom('user_roles').where('user_id', '=', id).where('role', '=', 'support').execute()
  // Another request may have been refused first, and have removed the link.
  await messages.click({ timeout: 5_000 }).catch(() => page.goto('/backoffice/messages'))
  await page.getByText('Cet écran ne vous est pas ouvert').waitFor()
  await expect.poll(() => messages.count()).toBe(0)
})

story('mails in another language than the application follow it on request', async () => {
  const { id } = await user({ roles: ['moderator'] })
  const page = await openPage({ url, expects })
  await page.goto('/backoffice/sign-in')
  await page.getByRole('button', { name: 'English' }).click()
  const { value } = await openSession(db, id)
  await page.context().addCookies([{ name: 'parvis_session', value, url, sameSite: 'Strict' }])
  await page.goto('/backoffice/account')
  await page.getByRole('button', { name: 'Receive them in English' }).click()
  const row = db.selectFrom('users').select('langue').where('id', '=', id)
  await expect.poll(() => row.executeTakeFirst()).toEqual({ langue: 'en' })
  await page.getByText('Your mails are in French').waitFor({ state: 'detached' })
})

story('too many attempts say when the next one may succeed', async () => {
  const page = await openPage({ url, expects: /status of 429/ })
  await intercept(page, '**/auth/email', (route) =>
    route.fulfill({ status: 429, headers: { 'retry-after': '3600' }, json: { error: 'rate_limited' } }),
  )
  await page.goto('/backoffice/sign-in')
  await page.getByLabel('Adresse e-mail').fill('zoe@example.org')
  await page.getByRole('button', { name: 'Recevoir un lien' }).click()
  await page.getByText('réessayez dans 1 heure').waitFor()
})

/** Opens the account page in a session whose confirmation has expired. */
async function openAccount(userId: string, options: { width?: number; dark?: boolean } = {}) {
  const session = await openSession(db, userId, { hasShownFactor: true })
  await db.updateTable('sessions').set({ confirmed_until: null }).where('id', '=', session.id).execute()
  const page = await openPage({ url, session, expects, ...options })
  await page.goto('/backoffice/account')
  await page.getByText('Application d’authentification').waitFor()
  return { page, session }
}

const confirmationIn = (page: Page) => page.getByRole('dialog', { name: 'Confirmez que c’est bien vous' })

story('a protected action waits for a confirmation by code, then the next ones need none', async () => {
  const { id } = await user({ roles: ['moderator'] })
  const app = await putTotp(db, id)
  const { page } = await openAccount(id)
  await plugIn(page)
  await page.getByRole('button', { name: 'Ajouter une clé d’accès' }).click()
  await page.getByLabel('Nom de la clé').fill('Ordinateur de la mairie')
  await page.getByRole('button', { name: 'Créer une clé d’accès' }).click()
  const dialog = confirmationIn(page)
  await dialog.getByLabel('Code de l’application').fill('000000')
  await dialog.getByText('Ce code n’est pas valable').waitFor()
  await page.keyboard.type(codeOf(app))
  await dialog.waitFor({ state: 'detached' })
  // A user without recovery codes gets them with the new factor.
  await page.getByText('Notez ces codes de secours').waitFor()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copier' }).click()
  await page.getByRole('button', { name: 'Copiés' }).waitFor()
  expect(((await page.evaluate('navigator.clipboard.readText()')) as string).split('\n')).toHaveLength(10)
  const file = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Télécharger' }).click()
  expect((await file).suggestedFilename()).toBe('parvis-codes-de-secours.txt')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'J’ai noté mes codes' }).click()
  await page.getByText('Ordinateur de la mairie').waitFor()
  await page.getByText('Il en reste 10').waitFor()

  await page.getByRole('button', { name: 'Retirer Ordinateur de la mairie' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Retirer' }).click()
  await page.getByText('Le second facteur est retiré').waitFor()
  expect(await db.selectFrom('passkeys').select('id').where('user_id', '=', id).execute()).toEqual([])
})

story('a cancelled confirmation changes nothing and keeps the input; a mailed code confirms', async () => {
  const email = `agent-${randomUUID()}@example.org`
  const { id } = await user({ roles: ['moderator'], email, subject: email })
  const { page } = await openAccount(id)
  const address = `neuve-${id}@example.org`
  await page.getByRole('button', { name: 'Changer d’adresse' }).click()
  await page.getByLabel('Nouvelle adresse e-mail').fill(address)
  await page.keyboard.press('Enter')
  const dialog = confirmationIn(page)
  const mailing = dialog.getByRole('button', { name: 'Recevoir un code par e-mail' })
  await untilFocused(mailing)
  await page.keyboard.press('Escape')
  await page.getByText('Vous n’avez pas confirmé : rien n’a changé').waitFor()
  await expect.poll(() => page.getByLabel('Nouvelle adresse e-mail').inputValue()).toBe(address)
  await page.getByRole('button', { name: 'Envoyer le code' }).click()
  await mailing.click()
  await untilFocused(dialog.getByLabel('Code à six chiffres'))
  await page.keyboard.type((await newestMail(db)).code)
  await page.getByText(`Un message pour ${address} vient d’être écrit`).waitFor()
  await dialog.waitFor({ state: 'detached' })
  await untilFocused(page.getByLabel('Code à six chiffres'))
  const { code } = await newestMail(db)
  await page.keyboard.type(code === '000000' ? '000001' : '000000')
  await page.getByText('Ce code n’est pas valable').waitFor()
  await page.keyboard.type(code)
  await page.getByText('C’est enregistré').waitFor()
  await page.getByText(address).first().waitFor()
  await expect.poll(() => page.getByText(email).count()).toBe(0)
})

story(
  'too many wrong codes end the session; signing in again confirms and continues the action',
  async () => {
    const { id } = await user({ roles: ['moderator'], nom: 'Zoé' })
    const app = await putTotp(db, id)
    await putPasskey(db, id)
    const { page, session } = await openAccount(id)
    await db.updateTable('sessions').set({ failures: 4 }).where('id', '=', session.id).execute()
    await page.getByRole('button', { name: 'Retirer Téléphone' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Retirer' }).click()
    await confirmationIn(page).getByLabel('Code de l’application').fill('000000')
    const again = page.getByRole('dialog', { name: 'Votre session a expiré' })
    await again.getByRole('button', { name: 'Recevoir un lien' }).click()
    await untilFocused(again.getByLabel('Code à six chiffres'))
    await page.keyboard.type((await newestMail(db)).code)
    await again.getByLabel('Code de l’application').fill(codeOf(app))
    await page.getByText('Le second facteur est retiré').waitFor()
    await expect.poll(() => page.getByText('Téléphone').count()).toBe(0)
  },
)

story(
  "an app is added by QR code, a factor renamed, and an administrator's last factor cannot be removed",
  async () => {
    const { id } = await user({ roles: ['admin'], nom: 'Ada' })
    await putPasskey(db, id)
    const session = await openSession(db, id, { hasShownFactor: true })
    const page = await openPage({ url, session, expects })
    await page.goto('/backoffice/account')
    await page.getByRole('button', { name: 'Ajouter une application' }).click()
    await page.getByRole('img', { name: /Code QR/ }).waitFor()
    const secret = await page.getByText('Ou entrez cette clé à la main').locator('code').innerText()
    await page.getByLabel('Code de l’application').fill(codeOf(secret))
    await page.getByRole('button', { name: 'J’ai noté mes codes' }).click()
    await page.getByText('En service').waitFor()
    await page.getByRole('button', { name: 'Retirer Téléphone' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Retirer' }).click()
    await page.getByText('Le second facteur est retiré').waitFor()
    await page.getByRole('button', { name: 'Retirer Application' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Retirer' }).click()
    await page.getByText('C’est votre dernier second facteur').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Changer de nom' }).click()
    await page.getByRole('textbox', { name: 'Nom' }).fill('Ada Byron')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Compte : Ada Byron' }).waitFor()
  },
)

story('a slow request that a new factor overtakes is sent again, and nobody has to sign in', async () => {
  // Without a role no live change reads the factors again meanwhile.
  const { id } = await user()
  const session = await openSession(db, id, { hasShownFactor: true })
  const page = await openPage({ url, session, expects })
  await page.goto('/backoffice/account')
  await page.getByRole('button', { name: 'Ajouter une application' }).click()
  const secret = await secretOn(page)
  // One request arrives late, with the value that the session had before the new factor.
  let refusals = 0
  await intercept(page, '**/api/v1/me/factors', async (route) => {
    const late = await fetch(route.request().url(), { headers: session.headers })
    if (late.status !== 401 || refusals > 0) return route.continue()
    refusals++
    await route.fulfill({ status: 401, contentType: 'application/json', body: await late.text() })
  })
  await page.getByLabel('Code de l’application').fill(codeOf(secret))
  await page.getByText('Notez ces codes de secours').waitFor()
  expect(refusals).toBe(1)
  await page.getByRole('button', { name: 'J’ai noté mes codes' }).click()
  await page.getByText('En service').waitFor()
})

story('every step and dialog passes the accessibility check, also on a phone, dark', async () => {
  const { id, email } = await user({ roles: ['admin'], nom: 'Ada' })
  const page = await openPage({ url, expects })
  const check = async (what: string) => expect(await barriersInEveryLook(page), what).toEqual([])
  await intercept(page, '**/auth/methods', (route) =>
    route.fulfill({ json: { data: { email: true, passkey: true, oidc: { label: 'ProConnect' } } } }),
  )
  await page.goto('/backoffice/sign-in?next=%2Fqueue')
  const provider = page.getByRole('link', { name: 'Se connecter avec ProConnect' })
  await expect
    .poll(() => provider.getAttribute('href'))
    .toBe('/api/v1/auth/oidc/start?return_to=%2Fbackoffice%2Fqueue')
  await check('ways in')
  await signInByMail(page, email)
  await page.getByRole('img', { name: /Code QR/ }).waitFor()
  await check('enrolment')
  const secret = await page.getByText('Ou entrez cette clé à la main').locator('code').innerText()
  await page.getByLabel('Code de l’application').fill(codeOf(secret))
  await page.getByText('Notez ces codes de secours').waitFor()
  await check('recovery codes')
  await page.getByRole('button', { name: 'J’ai noté mes codes' }).click()
  // The page that led to the sign-in.
  await page.waitForURL('**/backoffice/queue')
  await page.goto('/backoffice/account')
  await page.getByText('En service').waitFor()
  await check('account')
  await db.updateTable('sessions').set({ confirmed_until: null }).where('user_id', '=', id).execute()
  await page.getByRole('button', { name: 'Changer d’adresse' }).click()
  await page.getByLabel('Nouvelle adresse').waitFor()
  await check('new address')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Ajouter une clé d’accès' }).click()
  await page.getByLabel('Nom de la clé').waitFor()
  await check('new passkey')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Refaire' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Refaire' }).click()
  await confirmationIn(page).getByLabel('Code de l’application').waitFor()
  await check('confirmation')
})
