import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { build, type Rolldown } from 'vite'
import { expect } from 'vitest'
import { insertPublication } from '../../src/modules/publications/publications.test-kit.ts'
import { frFirst } from '../../web/src/text/fr-first.ts'
import { openSession } from '../support/sessions.ts'
import { openWorld } from '../support/world.ts'
import {
  barriers,
  barriersInEveryLook,
  builtWebApp,
  intercept,
  openPage,
  overflowsSideways,
  story,
  toggle,
  untilFocused,
} from './browser.ts'
import { watchRequests } from './quiet.ts'

const webApp = await builtWebApp()
const world = await openWorld({ webApp })
const { url, db } = world
const moderator = await world.user({ roles: ['moderator'], nom: 'Zoé Lambert' })
const session = await openSession(db, moderator.id)

story('the footer of the public site leads to the application', async () => {
  const page = await openPage({ url, session })
  await page.goto('/')
  await page.getByRole('link', { name: 'Espace des mairies et associations' }).click()
  await page.getByRole('heading', { name: 'Tableau de bord' }).waitFor()
  expect(page.url()).toBe(`${url}/backoffice/`)
  await expect.poll(() => page.title()).toBe('Tableau de bord · Parvis')
})

story('the menu shows the screens of the role; other addresses explain the refusal', async () => {
  const support = await world.user({ roles: ['support'] })
  const page = await openPage({ url, session: await openSession(db, support.id) })
  await page.goto('/backoffice/queue')
  await page.getByRole('heading', { name: 'Cet écran ne vous est pas ouvert' }).waitFor()
  const names = await page.getByRole('navigation', { name: 'Écrans' }).getByRole('link').allInnerTexts()
  expect(names).toEqual(['Tableau de bord', 'Messages'])
  await page.getByRole('button', { name: 'Voir mon compte' }).click()
  await page.getByText('Assistance').waitFor()
})

story('keyboard shortcuts open palette and help, except while typing or when switched off', async () => {
  const page = await openPage({ url, session })
  await page.goto('/backoffice/account')
  await page.getByRole('heading', { name: 'Mon compte' }).waitFor()
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Raccourcis clavier' })
  await help.getByText('Partout').waitFor()
  expect(await barriers(page)).toEqual([])
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'detached' })
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Rechercher un écran, une action ou un contenu' })
  await untilFocused(palette.locator('input'))
  expect(await barriers(page)).toEqual([])
  await page.keyboard.type('zzz')
  await palette.getByRole('menuitem', { name: 'Chercher « zzz » dans toutes les publications' }).waitFor()
  for (let index = 0; index < 3; index++) await page.keyboard.press('Backspace')
  await page.keyboard.type('moderation')
  await palette
    .getByRole('menuitem', { name: 'File de modération' })
    .and(page.locator('[data-focused]'))
    .waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('grid', { name: 'File de modération' }).waitFor()
  // The title of the new screen has the focus.
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('File de modération')
  await page.goto('/backoffice/account')
  await toggle(page.getByRole('switch', { name: /Raccourcis à une touche/ }))
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await page.keyboard.press('Control+k')
  await palette.waitFor()
  await expect.poll(() => help.count()).toBe(0)
})

story('the daily digest is switched on in the account', async () => {
  const page = await openPage({ url, session })
  await page.goto('/backoffice/account')
  const digest = page.getByRole('switch', { name: /un courriel qui dit ce qui attend/ })
  await digest.waitFor({ state: 'attached' })
  await expect.poll(() => digest.isChecked()).toBe(false)
  await toggle(digest)
  const asked = () => db.selectFrom('digests').select('daily').where('user_id', '=', moderator.id).execute()
  await expect.poll(asked).toEqual([{ daily: true }])
  await page.reload()
  await expect.poll(() => digest.isChecked()).toBe(true)
  await toggle(digest)
  await expect.poll(asked).toEqual([{ daily: false }])
})

story('an author switches off the mails about acceptances', async () => {
  const acteur = await world.acteur()
  const author = await world.user({ email_verified: true, memberships: [{ acteur, role: 'owner' }] })
  const page = await openPage({ url, session: await openSession(db, author.id) })
  await page.goto('/backoffice/account')
  const acceptances = page.getByRole('switch', { name: /publication que j’ai écrite est acceptée/ })
  await acceptances.waitFor({ state: 'attached' })
  await expect.poll(() => acceptances.isChecked()).toBe(true)
  await toggle(acceptances)
  const chosen = () => db.selectFrom('users').select('acceptance_mails').where('id', '=', author.id).execute()
  await expect.poll(chosen).toEqual([{ acceptance_mails: false }])
  await page.reload()
  await expect.poll(() => acceptances.isChecked()).toBe(false)
  expect(await page.getByRole('switch', { name: /un courriel qui dit ce qui attend/ }).count()).toBe(0)
})

story('language and theme are stored on the device', async () => {
  const page = await openPage({ url, session })
  await page.goto('/backoffice/account')
  await toggle(page.getByRole('radio', { name: 'English' }))
  await page.getByRole('heading', { name: 'My account' }).waitFor()
  await toggle(page.getByRole('radio', { name: 'Dark' }))
  await page.reload()
  await page.getByRole('heading', { name: 'My account' }).waitFor()
  expect(
    await page.evaluate('[document.documentElement.lang, document.documentElement.dataset.theme]'),
  ).toEqual(['en', 'dark'])
  expect(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')).toBe(
    'rgb(16, 17, 20)',
  )
})

story('a banner is shown while the network or the service is unavailable', async () => {
  const page = await openPage({ url, session, expects: /ERR_INTERNET_DISCONNECTED|status of 503/ })
  await page.goto('/backoffice/')
  await page.getByRole('heading', { name: 'Tableau de bord' }).waitFor()
  await page.context().setOffline(true)
  await page.getByText('Vous êtes hors ligne').waitFor()
  expect(await barriers(page)).toEqual([])
  await page.context().setOffline(false)
  await page.getByText('Vous êtes hors ligne').waitFor({ state: 'detached' })
  let isBusy = true
  await intercept(page, /\/api\/v1\/admin\/publications|\/readyz/, (route) =>
    isBusy
      ? route.fulfill({ status: 503, json: { error: 'unavailable', message: 'Saturé' } })
      : route.continue(),
  )
  await page.getByRole('link', { name: 'File de modération' }).click()
  await page.getByText('momentanément indisponible').waitFor()
  isBusy = false
  await page.getByText('momentanément indisponible').waitFor({ state: 'detached' })
  await page.getByRole('grid', { name: 'File de modération' }).waitFor()
})

story('the last thirty days are shown as charts, with a table for screen readers', async () => {
  for (const title of ['Vide-grenier', 'Loto'])
    await insertPublication(world, { title, publie_le: sql<Date>`now()` })
  const page = await openPage({ url, session, width: 360, dark: true })
  await page.goto('/backoffice/')
  await page.getByRole('img', { name: 'Publications reçues : 2 en trente jours, au plus 2 le' }).waitFor()
  // A kind of which there was nothing has no chart, and a total that leads nowhere is not shown.
  await expect.poll(() => page.getByRole('img').count()).toBe(2)
  await page.getByText('Voir les chiffres en tableau').click()
  const rows = page.getByRole('table').getByRole('row')
  await expect.poll(() => rows.count()).toBe(31)
  await expect
    .poll(() => rows.nth(1).getByRole('cell').allInnerTexts())
    .toEqual(['2', '2', '0', '0', '0', '0'])
  expect(await barriers(page)).toEqual([])
  expect(await overflowsSideways(page)).toEqual([])
})

story('first steps are marked as done one by one, and can be hidden', async () => {
  const page = await openPage({ url, session })
  await page.goto('/backoffice/')
  const steps = page.getByRole('list', { name: 'Premiers pas' })
  const template = steps.getByRole('listitem').filter({ hasText: 'Écrire un modèle de rejet' })
  await template.getByRole('link').waitFor()
  await expect.poll(() => steps.getByRole('link').count()).toBe(3)
  const colleague = await world.as('moderator')
  const body = { kind: 'rejection', name: 'Hors sujet', body: 'Cela ne concerne pas la commune.' }
  expect((await colleague.post('/admin/templates', body)).status).toBe(201)
  await page.reload()
  await template.getByText('Fait').waitFor()
  await page.getByRole('button', { name: 'Masquer cette liste' }).click()
  await steps.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('heading', { name: 'À traiter' }).waitFor()
  await expect.poll(() => steps.count()).toBe(0)
})

story('a failure shows a message with the request id and a retry button', async () => {
  const page = await openPage({ url, session, expects: /status of 500/ })
  const requestId = '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'
  let isBroken = true
  await intercept(page, '**/api/v1/admin/dashboard', (route) =>
    isBroken
      ? route.fulfill({
          status: 500,
          headers: { 'x-request-id': requestId },
          json: { error: 'internal_error', message: 'Une erreur interne est survenue.' },
        })
      : route.continue(),
  )
  await page.goto('/backoffice/')
  await page.getByRole('alert').getByText(requestId).waitFor()
  await page.getByText('Une erreur interne est survenue').waitFor()
  isBroken = false
  await page.getByRole('button', { name: 'Réessayer' }).click()
  await page.getByRole('alert').waitFor({ state: 'detached' })
})

story('French texts stand in while the English ones cannot be loaded', async () => {
  const expects = /ERR_FAILED|Failed to fetch|Unable to preload/
  const page = await openPage({ url, session, expects })
  await page.addInitScript(`localStorage.setItem('parvis.settings', '{"language":"en"}')`)
  let isLost = true
  await intercept(page, '**/backoffice/assets/en-*.js', (route) =>
    isLost ? route.abort() : route.continue(),
  )
  await page.goto('/backoffice/')
  await page.getByRole('heading', { name: 'Tableau de bord' }).waitFor()
  isLost = false
  await page.reload()
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
})

story('a file that an upgrade has replaced reloads the page at the same address', async () => {
  const page = await openPage({ url, session, expects: /status of 404|Failed to fetch|Unable to preload/ })
  await page.goto('/backoffice/')
  await page.getByRole('heading', { name: 'Tableau de bord' }).waitFor()
  let refusals = 0
  await intercept(page, '**/backoffice/assets/account-*.js', (route) =>
    refusals++ === 0 ? route.fulfill({ status: 404, body: '' }) : route.continue(),
  )
  await page.getByRole('button', { name: /^Compte/ }).click()
  await page.getByRole('menuitem', { name: 'Mon compte' }).click()
  await page.getByRole('heading', { name: 'Mon compte' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/backoffice/account')
})

story('a screen that cannot be loaded offline says so, and opens with the network', async () => {
  const expects = /ERR_INTERNET_DISCONNECTED|Failed to fetch|Unable to preload|ApiFailure/
  const page = await openPage({ url, session, expects })
  await page.goto('/backoffice/')
  await page.getByRole('heading', { name: 'Tableau de bord' }).waitFor()
  let isOffline = true
  // Files that the browser has in its cache from earlier stories would load without the network.
  await intercept(page, '**/backoffice/assets/account-*.js', (route) =>
    isOffline ? route.abort('internetdisconnected') : route.continue(),
  )
  await page.context().setOffline(true)
  await page.getByRole('button', { name: /^Compte/ }).click()
  await page.getByRole('menuitem', { name: 'Mon compte' }).click()
  await page.getByRole('heading', { name: 'Cet écran a rencontré un problème' }).waitFor()
  await page.getByRole('alert').getByText('Le service n’a pas répondu').waitFor()
  expect(await barriers(page)).toEqual([])
  await page.getByRole('link', { name: 'Tableau de bord' }).click()
  await page.getByRole('heading', { name: 'Tableau de bord' }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'Cet écran a rencontré un problème' }).waitFor()
  isOffline = false
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Réessayer' }).click()
  await page.getByRole('heading', { name: 'Mon compte' }).waitFor()
})

story('the frame and its screens pass the accessibility check, also on a phone, dark', async () => {
  const page = await openPage({ url, session })
  const untilQuiet = watchRequests(page)
  for (const [path, heading] of [
    ['/backoffice/', 'Tableau de bord'],
    ['/backoffice/account', 'Mon compte'],
    ['/backoffice/nowhere', 'Page introuvable'],
  ] as const) {
    await page.goto(path)
    await page.getByRole('heading', { name: heading }).waitFor()
    await untilQuiet()
    expect(await barriersInEveryLook(page), path).toEqual([])
  }
})

story('the navigation groups the screens; reports and duplicates are tabs of the queue', async () => {
  const admin = await world.user({ roles: ['admin'] })
  const page = await openPage({ url, session: await openSession(db, admin.id) })
  await page.goto('/backoffice/reports')
  const navigation = page.getByRole('navigation', { name: 'Écrans' })
  const tabs = page.getByRole('navigation', { name: 'Modération' })
  await tabs.getByRole('link', { name: 'Signalements' }).and(page.locator('[aria-current=page]')).waitFor()
  const namesIn = (group: string) => navigation.getByRole('group', { name: group }).getByRole('link')
  await expect.poll(() => namesIn('À traiter').count()).toBe(3)
  expect(await namesIn('Annuaire').allInnerTexts()).toEqual([
    ...['Acteurs', 'Communes', 'Groupements', 'Défibrillateurs'],
  ])
  expect(await namesIn('Données').allInnerTexts()).toEqual(['Publications', 'Alertes', 'Actes', 'Imports'])
  await expect.poll(() => namesIn('Administration').count()).toBe(6)
  const drawings = `new Set([...document.querySelectorAll('nav[aria-label="Écrans"] svg')].map((svg) => svg.innerHTML)).size`
  expect(await page.evaluate(drawings)).toBe(await navigation.getByRole('link').count())
  // The entry of the queue stands for its tabs, and the keyboard reaches them.
  await navigation.locator('[aria-current]').getByText('File de modération').waitFor()
  await tabs.getByRole('link', { name: 'Doublons' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Doublons' }).waitFor()
  await navigation.locator('[aria-current]').getByText('File de modération').waitFor()
})

story('on a phone the navigation opens by its button', async () => {
  const page = await openPage({ url, session, width: 360, dark: true })
  await page.goto('/backoffice/')
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'File de modération' }).waitFor()
  expect(await barriers(page)).toEqual([])
  await page.getByRole('dialog').getByRole('link', { name: 'File de modération' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('grid', { name: 'File de modération' }).waitFor()
})

// Of two files that import each other, one runs before what it needs exists.
story('no file of the application imports itself through others', () => {
  const importsOf = (path: string) =>
    Array.from(
      (webApp.site?.assets.get(path)?.body.toString() ?? '').matchAll(/(?:from|import)"\.\/([^"]+)"/g),
      ([, name]) => `assets/${name}`,
    )
  const done = new Set<string>()
  const visit = (path: string, above: string[]): string[][] => {
    if (above.includes(path)) return [[...above, path]]
    if (done.has(path)) return []
    const circles = importsOf(path).flatMap((next) => visit(next, [...above, path]))
    done.add(path)
    return circles
  }
  const scripts = [...(webApp.site?.assets.keys() ?? [])].filter((path) => path.endsWith('.js'))
  expect(scripts.length).toBeGreaterThan(10)
  expect(scripts.flatMap((path) => visit(path, []))).toEqual([])
})

story('the queue is usable after loading at most 245 kB in seven files', () => {
  const { page = '', assets } = webApp.site ?? {}
  // The page loads these; each script loads those that it imports. What is imported later is not counted.
  const paths = new Set(
    Array.from(page.matchAll(/(?:src|href)="\/backoffice\/(assets\/[^"]+)"/g), ([, path]) => path),
  )
  for (const path of paths) {
    const script = path?.endsWith('.js') ? assets?.get(path)?.body.toString() : ''
    for (const [, name] of script?.matchAll(/(?:from|import)"\.\/([^"]+)"/g) ?? [])
      paths.add(`assets/${name}`)
  }
  const files = Array.from(paths, (path) => assets?.get(path ?? ''))
  const bytes = files.map((file) => file?.compressed.gzip?.length ?? 0)
  expect(files.some((file) => file?.body.includes('/api/v1/admin/publications/{id}/moderate'))).toBe(true)
  expect(bytes.reduce((sum, each) => sum + each, gzipSync(page).length)).toBeLessThan(245_000)
  expect(files.length).toBeLessThanOrEqual(7)
})

story('members of an acteur load nothing of the back-office, and the reverse', async () => {
  const config = {
    root: 'web',
    configFile: 'web/vite.config.ts',
    mode: 'production',
    logLevel: 'silent',
  } as const
  const built = await build({ ...config, build: { write: false } })
  const chunks = (built as Rolldown.RolldownOutput).output.filter((file) => file.type === 'chunk')
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  /** Sources that a file needs with all that it imports at once. What it may import later is not needed. */
  const sourcesOf = (names: readonly string[]) => {
    const needed = new Set(names)
    for (const name of needed) for (const other of byName.get(name)?.imports ?? []) needed.add(other)
    return new Set(
      [...needed]
        .flatMap((name) => byName.get(name)?.moduleIds ?? [])
        .map((id) => id.replace(`${resolve('web/src')}/`, '')),
    )
  }
  const first = sourcesOf(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName))
  const screens = chunks.filter(({ facadeModuleId }) => facadeModuleId?.includes('/web/src/screens/'))
  const isOfSpace = ({ facadeModuleId }: (typeof screens)[number]) =>
    facadeModuleId?.includes('/screens/espace/')
  const files = (some: typeof screens) => sourcesOf(some.map(({ fileName }) => fileName))
  const [space, office] = [files(screens.filter(isOfSpace)), files(screens.filter((one) => !isOfSpace(one)))]
  expect(space.size).toBeGreaterThan(100)
  const isCode = (source: string) => source.startsWith('screens/') && /\.tsx$/.test(source)
  // No screen of a role loads the space, and the space loads no screen of a role but the queue, which comes first.
  expect(
    [...first, ...office].filter((source) => source.startsWith('screens/espace/') && isCode(source)),
  ).toEqual([])
  const screenFiles = new Set(
    screens
      .filter((one) => !isOfSpace(one))
      .map(({ facadeModuleId }) => facadeModuleId?.replace(`${resolve('web/src')}/`, '')),
  )
  expect([...first, ...space].filter((source) => screenFiles.has(source))).toEqual([])
  // What both need is loaded by both: no source is there for the space alone within a file of the back-office.
  const alone = [...space].filter((source) => isCode(source) && !office.has(source))
  expect(alone.filter((source) => !source.startsWith('screens/espace/'))).toEqual([])
  // Other French texts come later: what is drawn before would show their keys.
  // The queue draws its saved views as soon as they are loaded.
  const missing = [...first, 'shell/lists/views/views.tsx'].filter(isOwn).flatMap((source) => {
    const code = readFileSync(`web/src/${source}`, 'utf8')
    const spaces = [...code.matchAll(/useTranslations\('([\w.]+)'\)/g)].map(([, space = '']) => space)
    // Without a namespace, the words name it.
    const whole = code.includes('useTranslations()')
      ? [...code.matchAll(/\bwords\(['`](\w+)\./g)].map(([, space = '']) => space)
      : []
    return [...spaces, ...whole].filter((space) => !hasFirst(space)).map((space) => `${source}: ${space}`)
  })
  expect(missing).toEqual([])
})

const isOwn = (source: string) => /^(?!.*node_modules)[\w/.-]+\.tsx?$/.test(source) && !source.startsWith('/')
const hasFirst = (space: string) =>
  space.split('.').reduce<unknown>((texts, key) => (texts as Record<string, unknown>)?.[key], frFirst) !==
  undefined

story('the palette opens records, and hands a text over to the list of publications', async () => {
  const commune = await world.commune({ nom: 'Œuilly-sur-Marne' })
  await insertPublication(world, { title: 'Fête de Saint-Julien' })
  const admin = await world.user({ roles: ['admin'] })
  const page = await openPage({ url, session: await openSession(db, admin.id) })
  await page.goto('/backoffice/account')
  await page.getByRole('heading', { name: 'Mon compte' }).waitFor()
  await page.keyboard.press('Control+k')
  const field = page.getByRole('dialog').locator('input')
  await untilFocused(field)
  await page.keyboard.type('oeuilly')
  await page.getByRole('menuitem', { name: /Œuilly-sur-Marne.*Commune/ }).click()
  await page.waitForURL(`**/communes/${commune.id}`)
  // A screen that opens takes the focus, and closes the palette.
  await untilFocused(page.getByRole('heading', { name: 'Œuilly-sur-Marne', level: 1 }))
  await page.keyboard.press('Control+k')
  await untilFocused(field)
  // Enter opens the first entry: records of the former search are none until the answer arrives.
  const held = Promise.withResolvers<void>()
  await intercept(page, '**/admin/search?*', (route) => held.promise.then(() => route.continue()))
  await page.keyboard.type('saint-julien')
  await expect.poll(() => page.getByRole('menuitem', { name: /Œuilly/ }).count()).toBe(0)
  held.resolve()
  await page.getByRole('menuitem', { name: 'Chercher « saint-julien » dans toutes les publications' }).click()
  await page.getByRole('grid', { name: 'Publications' }).getByRole('row').nth(1).waitFor()
  // Lists are tall: the page itself must not scroll beside them, nor the menu sideways.
  const overflow = 'document.documentElement.scrollHeight > innerHeight'
  expect(await page.evaluate(overflow)).toBe(false)
  const isWide = `(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(
    document.querySelector('nav').closest('div').parentElement)`
  expect(await page.evaluate(isWide)).toBe(false)
})

story('no file has a name that is too long for the archive of a release', () => {
  const names = [...(webApp.site?.assets.keys() ?? [])]
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter((name) => name.length > 70)).toEqual([])
})
