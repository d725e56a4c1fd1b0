import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { insertPublication } from '../../src/modules/publications/publications.test-kit.ts'
import { newestMail } from '../../src/modules/sign-in/sign-in.test-kit.ts'
import { openSession } from '../support/sessions.ts'
import { openWorld } from '../support/world.ts'
import {
  barriers,
  barriersInEveryLook,
  builtWebApp,
  intercept,
  meanwhile,
  openPage,
  overflowsSideways,
  story,
  untilFocused,
} from './browser.ts'

const webApp = await builtWebApp()
const world = await openWorld({
  webApp,
  env: { SECOND_FACTOR: 'admin', PUBLIC_SITE_URL: 'https://www.example.org' },
})
const { url, db, user } = world

/** Types an address and waits until the mail is requested. */
async function askForMail(page: Page, email: string) {
  await page.getByLabel('Adresse e-mail').fill(email)
  await page.keyboard.press('Enter')
  await untilFocused(page.getByLabel('Code à six chiffres'))
}

const pathOf = (page: Page) => new URL(page.url()).pathname
// The browser logs each 401 itself.
const refused = /status of 401/

story('a moderator signs in with a mailed code and reaches the requested page', async () => {
  const { email } = await user({ roles: ['moderator'], nom: 'Zoé Lambert' })
  const page = await openPage({ url, expects: refused })
  await page.goto('/backoffice/queue?view=reported')
  await page.getByRole('heading', { name: 'Se connecter à Parvis' }).waitFor()
  expect(pathOf(page)).toBe('/backoffice/sign-in')
  await askForMail(page, email ?? '')
  const { code } = await newestMail(db)
  await page.keyboard.type(code === '000000' ? '000001' : '000000')
  await page.getByText('Ce code n’est pas valable').waitFor()
  // A phone may discard the page while the mail is read.
  await page.reload()
  await untilFocused(page.getByLabel('Code à six chiffres'))
  await page.keyboard.type(code)
  await page.getByRole('grid', { name: 'File de modération' }).waitFor()
  expect(new URL(page.url()).search).toBe('?view=reported')
  await page.getByText('Zoé Lambert').waitFor()
})

story('an unknown address gets the same message, and no code works', async () => {
  const page = await openPage({ url, expects: refused })
  await page.goto('/backoffice/sign-in')
  await page.getByText('Entrent ici ceux à qui une mairie').waitFor()
  const register = page.getByRole('link', { name: 'Demander la page de votre association' })
  expect(await register.getAttribute('href')).toBe('https://www.example.org/inscrire')
  await page.getByLabel('Adresse e-mail').fill('personne')
  await page.keyboard.press('Enter')
  await page.getByText('Indiquez une adresse e-mail complète').waitFor()
  await askForMail(page, 'personne@example.org')
  await page
    .getByText('Si un compte existe pour personne@example.org, un message vient d’être écrit.')
    .waitFor()
  // The path is for administrators.
  await page.getByText('attendent dans la boîte d’envoi de l’installation').waitFor()
  expect(await page.content()).not.toContain(world.config.mail.outboxDir)
  await page.keyboard.type('123456')
  await page.getByText('Ce code n’est pas valable').waitFor()
})

story('a link signs in once, in any browser, and its token is removed from the address', async () => {
  const { email } = await user({ roles: ['moderator'] })
  const asking = await openPage({ url, expects: refused })
  await asking.goto('/backoffice/sign-in')
  await askForMail(asking, email ?? '')
  const { token } = await newestMail(db)
  const page = await openPage({ url, expects: refused })
  await page.goto(`/backoffice/sign-in#token=${token}`)
  await page.getByText('Le lien est prêt').waitFor()
  expect(page.url()).toBe(`${url}/backoffice/sign-in`)
  await untilFocused(page.getByRole('button', { name: 'Se connecter' }))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Tableau de bord' }).waitFor()
  const again = await openPage({ url, expects: refused })
  await again.goto(`/backoffice/sign-in#token=${token}`)
  await again.getByRole('button', { name: 'Se connecter' }).click()
  await again.getByText('Ce lien n’est plus valable').waitFor()
  await again.getByRole('button', { name: 'Recevoir un nouveau lien' }).click()
  await again.getByLabel('Adresse e-mail').waitFor()
})

story(
  'an administrator sets up a second factor, and needs it or a recovery code for each later sign-in',
  async () => {
    const { email } = await user({ roles: ['admin'], nom: 'Ada' })
    const page = await openPage({ url, expects: /status of (401|403|422)/ })
    const signIn = async () => {
      await page.goto('/backoffice/sign-in')
      await askForMail(page, email ?? '')
      await page.keyboard.type((await newestMail(db)).code)
    }
    await signIn()
    await page.getByText('Un second facteur est obligatoire').waitFor()
    expect(await barriers(page)).toEqual([])
    await page.reload()
    await page.getByText('Un second facteur est obligatoire').waitFor()
    const secret = await page.getByText('Ou entrez cette clé à la main').locator('code').innerText()
    await page.getByLabel('Code de l’application').fill('000000')
    await page.getByText('Ce code n’est pas valable').waitFor()
    await page.keyboard.type(new TOTP({ secret: Secret.fromBase32(secret) }).generate())
    await page.getByText('Notez ces codes de secours').waitFor()
    expect(await barriers(page)).toEqual([])
    const codes = await page.getByRole('listitem').allInnerTexts()
    expect(codes).toHaveLength(10)
    await page.getByRole('button', { name: 'J’ai noté mes codes' }).click()
    await page.getByRole('heading', { name: 'Tableau de bord' }).waitFor()

    await page.getByRole('button', { name: /^Compte/ }).click()
    await page.getByRole('menuitem', { name: 'Se déconnecter' }).click()
    await page.getByRole('heading', { name: 'Se connecter à Parvis' }).waitFor()
    await signIn()
    await page.getByText('Encore une étape').waitFor()
    await page.getByRole('button', { name: 'Utiliser un code de secours' }).click()
    await page.getByLabel('Code de secours').fill(codes[3] ?? '')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Tableau de bord' }).waitFor()
  },
)

story('a user without a name is asked for it once, and may go on without', async () => {
  const one = await user({ roles: ['moderator'] })
  const session = await openSession(db, one.id)
  const page = await openPage({ url, session, asksName: true, width: 360, dark: true })
  await page.goto('/backoffice/')
  const prompt = page.getByRole('status').filter({ hasText: 'Comment vous appelez-vous ?' })
  await prompt.getByLabel('Votre nom').waitFor()
  expect(await barriersInEveryLook(page)).toEqual([])
  await prompt.getByRole('button', { name: 'Enregistrer' }).click()
  await prompt.getByText('Écrivez votre nom').waitFor()
  await page.keyboard.type('Ada Byron')
  await page.keyboard.press('Enter')
  await page.getByText('Bonjour Ada Byron.').waitFor()
  await prompt.waitFor({ state: 'detached' })
  const stored = await db.selectFrom('users').select('nom').where('id', '=', one.id).execute()
  expect(stored).toEqual([{ nom: 'Ada Byron' }])
  const other = await user({ roles: ['moderator'] })
  const shy = await openPage({ url, session: await openSession(db, other.id), asksName: true })
  const { promise: palette, resolve: load } = Promise.withResolvers<void>()
  await shy.route('**/name-prompt-*.js', async (route) => {
    await palette
    await route.continue()
  })
  await shy.goto('/backoffice/account')
  await shy.getByRole('heading', { name: 'Mon compte' }).waitFor()
  // It is no dialog: while it loads, keys work.
  await shy.keyboard.press('Control+k')
  await shy.getByRole('menuitem').first().waitFor()
  await shy.keyboard.press('Escape')
  load()
  const asked = shy.getByText('Comment vous appelez-vous ?')
  await shy.getByRole('button', { name: 'Continuer sans nom' }).click()
  await asked.waitFor({ state: 'detached' })
  await shy.reload()
  await shy.getByRole('heading', { name: 'Mon compte' }).waitFor()
  expect(await asked.count()).toBe(0)
})

story('an expired session loses no input, and the decision continues after signing in', async () => {
  const moderator = await user({ roles: ['moderator'] })
  const session = await openSession(db, moderator.id)
  const values = {
    moderation_status: 'pending',
    valide: false,
    publie_le: null,
    title: 'Vide-grenier',
  } as const
  const { id } = await insertPublication(world, values)
  const page = await openPage({ url, session, expects: refused })
  await page.goto(`/backoffice/queue?selected=${id}`)
  await page.getByRole('button', { name: 'Rejeter' }).waitFor()
  await page.keyboard.press('r')
  await page.getByLabel('Motif').fill('Déjà annoncé')
  // Ended earlier, a reload of something else might open the dialog before the decision.
  const end = db.updateTable('sessions').set({ ended_at: new Date() }).where('id', '=', session.id)
  await meanwhile(page, '**/moderate', () => end.execute())
  await page.keyboard.press('Control+Enter')
  const dialog = page.getByRole('dialog', { name: 'Votre session a expiré' })
  await dialog.waitFor()
  expect(await barriers(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Recevoir un lien' }).click()
  await untilFocused(dialog.getByLabel('Code à six chiffres'))
  await page.keyboard.type((await newestMail(db)).code)
  await page.getByText('Rejetée : Vide-grenier').waitFor()
  await dialog.waitFor({ state: 'detached' })
  const row = await db.selectFrom('publications').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect([row.moderation_status, row.moderation_reason]).toEqual(['rejected', 'Déjà annoncé'])
})

story('an expired session continues after the link is opened in another tab', async () => {
  const moderator = await user({ roles: ['moderator'] })
  const session = await openSession(db, moderator.id)
  const page = await openPage({ url, session, expects: refused })
  await page.goto('/backoffice/')
  await page.getByRole('heading', { name: 'Tableau de bord' }).waitFor()
  await db.updateTable('sessions').set({ ended_at: new Date() }).where('id', '=', session.id).execute()
  // Not a click of the mouse: the dashboard may notice first, and the dialog would be in its way.
  await page.getByRole('link', { name: 'File de modération', includeHidden: true }).dispatchEvent('click')
  const dialog = page.getByRole('dialog', { name: 'Votre session a expiré' })
  await dialog.waitFor()
  const { value } = await openSession(db, moderator.id)
  await page.context().addCookies([{ name: 'parvis_session', value, url, sameSite: 'Strict' }])
  await page.evaluate('dispatchEvent(new Event("focus"))')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('grid', { name: 'File de modération' }).waitFor()
})

story('the account shows the devices and signs out one, all others or itself', async () => {
  const moderator = await user({ roles: ['moderator'] })
  const session = await openSession(db, moderator.id, { browser: 'Chrome, Linux' })
  for (const browser of ['Safari, iPhone', 'Firefox, Windows', 'Edge, Windows'])
    await openSession(db, moderator.id, { browser })
  const page = await openPage({ url, session, expects: /status of (401|503)/ })
  await page.goto('/backoffice/account')
  await page.getByText('Cet appareil').waitFor()
  await expect.poll(() => page.getByRole('listitem').filter({ hasText: 'vu' }).count()).toBe(4)
  await page.getByRole('button', { name: 'Déconnecter Safari, iPhone' }).click()
  await page.getByText('Safari, iPhone').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Déconnecter tous les autres appareils' }).click()
  await page.getByText('2 appareils sont déconnectés').waitFor()
  await page.getByText('Firefox, Windows').waitFor({ state: 'detached' })
  const open = sql<{
    browser: string
  }>`select browser from sessions where user_id = ${moderator.id} and ended_at is null`
  expect((await open.execute(db)).rows).toEqual([{ browser: 'Chrome, Linux' }])
  await page.evaluate('localStorage.setItem("parvis.draft.rejection.x", "à moitié écrit")')
  await page.getByRole('button', { name: /^Compte/ }).click()
  await intercept(page, '**/auth/logout', (route) => route.fulfill({ status: 503, body: '{}' }), { times: 1 })
  await page.getByRole('menuitem', { name: 'Se déconnecter' }).click()
  // What failed is not shown as done: the drafts are still there, and nobody takes the screen for closed.
  await page.getByText('La déconnexion a échoué').waitFor()
  expect(await page.evaluate('localStorage.getItem("parvis.draft.rejection.x")')).toBe('à moitié écrit')
  await page.getByRole('button', { name: /^Compte/ }).click()
  await page.getByRole('menuitem', { name: 'Se déconnecter' }).click()
  await page.getByRole('heading', { name: 'Se connecter à Parvis' }).waitFor()
  expect(await page.evaluate('Object.keys(localStorage).filter((key) => key.includes("draft"))')).toEqual([])
  expect((await open.execute(db)).rows).toEqual([])
})

story('somebody makes a key for a program, replaces it and revokes it', async () => {
  const club = await world.acteur({ nom: 'Croqueurs de pommes', valide: true })
  const owner = await user({ memberships: [{ acteur: club, role: 'owner' }] })
  const page = await openPage({ url, session: await openSession(db, owner.id), width: 360 })
  await page.goto('/backoffice/account')
  await page.getByRole('button', { name: 'Créer une clé' }).click()
  await page.getByLabel('Nom').last().fill('Site du club')
  expect(await page.getByLabel('Lire le back-office').count()).toBe(0)
  await page.getByLabel('Publier, corriger et supprimer').click({ force: true })
  expect(await overflowsSideways(page)).toEqual([])
  await page.getByRole('button', { name: 'Créer', exact: true }).click()
  const shown = page.getByRole('dialog').locator('code')
  const publish = async () => {
    const key = await shown.textContent()
    const { post } = world.client({ source: 'public', token: key ?? '' })
    return post('/publications', { acteur_id: club.id, title: 'Pressage', body: 'Samedi, au verger.' })
  }
  await shown.waitFor()
  expect((await publish()).status).toBe(201)
  expect(await overflowsSideways(page)).toEqual([])
  expect(await barriers(page)).toEqual([])
  await page.getByRole('button', { name: 'C’est copié' }).click()
  await page.getByText(/Croqueurs de pommes · Publier, corriger et supprimer/).waitFor()
  await page.getByRole('button', { name: 'Renouveler Site du club' }).click()
  await page.getByRole('button', { name: 'Renouveler', exact: true }).last().click()
  await shown.waitFor()
  expect((await publish()).status).toBe(201)
  await page.getByRole('button', { name: 'C’est copié' }).click()
  await page.getByRole('button', { name: 'Révoquer Site du club' }).click()
  await page.getByRole('button', { name: 'Révoquer', exact: true }).last().click()
  await page.getByText('Site du club', { exact: true }).waitFor({ state: 'detached' })
})

story('signing in passes the accessibility check, also on a phone, dark', async () => {
  const page = await openPage({ url, expects: refused })
  await page.goto('/backoffice/sign-in')
  await page.getByLabel('Adresse e-mail').waitFor()
  expect(await barriersInEveryLook(page)).toEqual([])
  await askForMail(page, 'personne@example.org')
  expect(await barriersInEveryLook(page)).toEqual([])
})

story('the accessibility check finds what only the dark theme or only a phone shows', async () => {
  const page = await openPage({ url, expects: refused })
  await page.goto('/backoffice/sign-in')
  await page.getByLabel('Adresse e-mail').waitFor()
  /** The rules that are broken, or the elements that do not fit, with a style sheet. */
  const found = async (css: string) => {
    await page.evaluate(`document.adoptedStyleSheets = [new CSSStyleSheet()]
      document.adoptedStyleSheets[0].replaceSync(${JSON.stringify(css.replaceAll(';', ' !important;'))})`)
    const barriers = (await barriersInEveryLook(page)).map(
      (barrier) => /^on a phone, dark: [^\s:]+|.*/.exec(barrier)?.[0],
    )
    return [...new Set(barriers)]
  }
  expect(await found('')).toEqual([])
  const dark = 'button { color: #555; background: #444; }'
  expect(await found(`@media (prefers-color-scheme: dark) { ${dark} }`)).toEqual([
    'on a phone, dark: color-contrast',
  ])
  const small =
    'form * { margin: 0; padding: 0; gap: 0; min-block-size: 0; } input, button { block-size: 9px; }'
  expect(await found(`@media (width < 40rem) { ${small} }`)).toEqual(['on a phone, dark: target-size'])
  const wide = 'form button { inline-size: 400px; max-inline-size: none; }'
  expect(await found(`@media (width < 40rem) { ${wide} }`)).toContain('on a phone, dark: <button')
  // Other elements are shown there: all rules apply to them.
  expect(await found('@media (width < 40rem) { h1 { display: none; } }')).toEqual([
    'on a phone, dark: page-has-heading-one',
  ])
})
