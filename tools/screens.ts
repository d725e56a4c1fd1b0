import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { removeCluster } from '../src/embedded-postgres/cluster/cluster.ts'
import { clusterNames } from '../src/platform/database/cluster-names.ts'
import { findChromium, flags } from '../test/browser/chromium.ts'
import { watchRequests } from '../test/browser/quiet.ts'

/**
 * Takes screenshots of every screen of the back-office and of pages of the public site with demo content, on desktop
 * and phone, in both themes, into release/screens/, and those that documents show into docs/screens/. Given names, only
 * those screens.
 */
const named = process.argv.slice(2)
const folder = 'release/screens'
const inDocuments = [
  'site-commune-1280-light',
  'publication-1280-light',
  'site-agenda-360-light',
  'dashboard-1280-dark',
  'palette-1280-light',
]
const shots: Record<string, { path: string; ready: (page: Page) => Promise<unknown>; signedOut?: boolean }> =
  {
    'sign-in': {
      path: 'sign-in',
      ready: (page) => page.getByLabel('Adresse e-mail').waitFor(),
      signedOut: true,
    },
    dashboard: { path: '', ready: (page) => page.getByText('Publications à modérer').waitFor() },
    queue: { path: 'queue', ready: untilOpen },
    publication: { path: 'queue', ready: openFirst },
    publications: { path: 'publications', ready: (page) => page.getByRole('row').nth(1).waitFor() },
    duplicates: { path: 'duplicates', ready: (page) => page.getByRole('article').first().waitFor() },
    reports: { path: 'reports', ready: openFirst },
    claims: { path: 'claims', ready: (page) => page.getByRole('row').nth(1).waitFor() },
    claim: { path: 'claims', ready: openFirstClaim },
    alertes: { path: 'alertes', ready: (page) => page.getByRole('row').nth(1).waitFor() },
    communes: {
      path: 'communes?sort=population_desc',
      ready: (page) => page.getByRole('row').nth(1).waitFor(),
    },
    commune: { path: 'communes?q=73065', ready: openCommune },
    'commune-elus': { path: 'communes?q=73065', ready: (page) => openPart(page, 'Élus') },
    'commune-collecte': { path: 'communes?q=73065', ready: openCollecte },
    'commune-infos': { path: 'communes?q=73065', ready: (page) => openPart(page, 'Infos pratiques') },
    messages: { path: 'messages', ready: (page) => page.getByRole('row').nth(1).waitFor() },
    thread: { path: 'messages', ready: openFirstThread },
    defibrillateurs: {
      path: 'defibrillateurs',
      ready: (page) => page.getByRole('row').nth(1).waitFor(),
    },
    'defibrillateurs-map': {
      path: 'defibrillateurs?tab=map',
      ready: (page) => page.locator('[data-ready="true"]').waitFor(),
    },
    'defibrillateurs-syncs': {
      path: 'defibrillateurs?tab=syncs',
      ready: (page) => page.getByRole('button', { name: 'Synchroniser la France' }).waitFor(),
    },
    defibrillateur: { path: 'defibrillateurs', ready: openFirstDevice },
    acteurs: { path: 'acteurs', ready: (page) => page.getByRole('row').nth(1).waitFor() },
    acteur: { path: 'acteurs', ready: openFirstActeur },
    subscriptions: { path: 'subscriptions', ready: (page) => page.getByRole('row').nth(1).waitFor() },
    subscription: { path: 'subscriptions', ready: openFirstSubscription },
    rejection: { path: 'queue', ready: openRejection },
    correction: { path: 'queue', ready: openCorrection },
    history: { path: 'queue', ready: openHistory },
    writing: { path: 'publications/new', ready: fillPublication },
    account: { path: 'account', ready: (page) => page.getByText('Application d’authentification').waitFor() },
    imports: { path: 'imports', ready: (page) => page.getByRole('list', { name: 'Sources' }).waitFor() },
    import: { path: 'imports', ready: openImport },
    'new-import': { path: 'imports/new', ready: inspectFeed },
    users: { path: 'users', ready: (page) => page.getByRole('list', { name: 'Comptes' }).waitFor() },
    user: { path: 'users', ready: openUser },
    audit: { path: 'audit', ready: openAudit },
    mails: {
      path: 'mails?status=all',
      ready: (page) => page.getByRole('heading', { name: 'Courriels' }).waitFor(),
    },
    people: { path: 'people', ready: findPerson },
    system: { path: 'system', ready: (page) => page.getByText('Une instance connectée').waitFor() },
    types: { path: 'system/types', ready: (page) => page.getByRole('row').nth(1).waitFor() },
    sources: { path: 'system/sources', ready: openSource },
    palette: { path: '', ready: openPalette },
    ...Object.fromEntries(
      Object.entries({
        home: '/',
        commune: '/communes/chambery',
        agenda: '/communes/chambery/agenda',
        collectes: '/communes/chambery/collectes',
        defibrillateurs: '/communes/chambery/defibrillateurs',
        publication: '/publications/fete-de-la-pomme',
      }).map(([name, path]) => [
        `site-${name}`,
        { path, ready: (page: Page) => page.getByRole('heading', { level: 1 }).waitFor(), signedOut: true },
      ]),
    ),
  }

/** A feed to import, on this machine. */
const feedServer = createServer((_request, response) => response.end(feed))
feedServer.listen(0, '127.0.0.1')
await once(feedServer, 'listening')
const feed = `Identifiant;Titre;Description;Début;Lien
1;Heure du conte;Des histoires pour les petits, dès trois ans.;2026-12-02;https://mediatheque.example/conte
2;Atelier reliure;Apportez un livre abîmé, repartez avec un livre solide.;2026-12-05;https://mediatheque.example/reliure
3;Rencontre avec une autrice;Lecture et signature, entrée libre.;2026-12-12;https://mediatheque.example/rencontre
`

/** In place of the pictures of the demo content, whose addresses lead nowhere. */
const photo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 400">
<rect width="640" height="400" fill="#cfe0f3"/><circle cx="500" cy="90" r="42" fill="#f7d774"/>
<path d="M0 300 160 150 300 280 440 130 640 310V400H0z" fill="#7d9bb8"/><path d="M0 330q160-60 320 0t320 0v70H0z" fill="#6f9a63"/>
</svg>`

const dataDir = mkdtempSync(join(tmpdir(), 'parvis-screens-'))
chmodSync(dataDir, 0o755)
const env = {
  ...process.env,
  DATA_DIR: dataDir,
  PORT: '0',
  SEED: 'demo',
  DATABASE_URL: '',
  IMPORT_ALLOW_PRIVATE: 'true',
  MAP_STYLE_URL: 'none',
}
const service = spawn(process.execPath, ['bin/parvis.js'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
try {
  const url = await untilReady()
  const command = ['bin/parvis-cli.js', 'sign-in', '--email', 'admin@example.org', '--role', 'admin']
  const link = execFileSync(process.execPath, command, { env, encoding: 'utf8' })
  const [, token = ''] = /#token=([\w-]+)/.exec(link) ?? []
  const found = await findChromium()
  if ('missing' in found) throw new Error(found.missing)
  const launched = { ...process.env, ...found.env } as Record<string, string>
  const browser = await chromium.launch({ executablePath: found.executablePath, args: flags, env: launched })
  const state = await signIn(browser, url, token)
  for (const place of [folder, 'docs/screens']) mkdirSync(place, { recursive: true })
  for (const width of [1280, 360])
    for (const theme of ['light', 'dark'] as const) await takeAll(browser, { url, state, width, theme })
  await browser.close()
} finally {
  feedServer.close()
  service.kill('SIGTERM')
  await once(service, 'close')
  await removeCluster(dataDir, clusterNames)
}

async function signIn(browser: Browser, url: string, token: string) {
  const context = await browser.newContext({ locale: 'fr-FR' })
  const page = await context.newPage()
  await page.goto(`${url}/backoffice/sign-in#token=${token}`)
  await page.getByRole('button', { name: 'Se connecter' }).click()
  await page.getByText('Publications à modérer').waitFor()
  // Else it would stand above every screen.
  await page.getByLabel('Votre nom').fill('Camille Renaud')
  await page.keyboard.press('Enter')
  await page.getByText('Bonjour Camille Renaud.').waitFor()
  const state = await context.storageState()
  await context.close()
  return state
}

type State = Awaited<ReturnType<typeof signIn>>
type Look = { url: string; state: State; width: number; theme: 'light' | 'dark' }

async function takeAll(browser: Browser, { url, state, width, theme }: Look): Promise<void> {
  for (const [name, { path, ready, signedOut = false }] of Object.entries(shots)) {
    if (named.length > 0 && !named.includes(name)) continue
    const context = await browser.newContext({
      viewport: { width, height: width > 1_000 ? 720 : 700 },
      colorScheme: theme,
      reducedMotion: 'reduce',
      locale: 'fr-FR',
      timezoneId: 'Europe/Paris',
      // Touch devices show no keyboard shortcuts and have larger buttons.
      ...(width < 1_000 && { hasTouch: true }),
      ...(!signedOut && { storageState: state }),
    })
    await context.route('https://photos.example/**', (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body: photo }),
    )
    const page = await context.newPage()
    const untilQuiet = watchRequests(page)
    await page.goto(path.startsWith('/') ? `${url}${path}` : `${url}/backoffice/${path}`)
    await ready(page)
    await untilQuiet()
    // On a small screen a dialog is painted late.
    if ((await page.locator('[data-modal]').count()) > 0) await page.waitForTimeout(1_000)
    await takeOne(page, `${name}-${width}-${theme}`)
    await context.close()
  }
}

/** Writes the page as WebP, a fifth of the size of a PNG. Playwright itself knows only PNG and JPEG. */
async function takeOne(page: Page, name: string): Promise<void> {
  const devTools = await page.context().newCDPSession(page)
  const { data } = await devTools.send('Page.captureScreenshot', { format: 'webp', quality: 80 })
  writeFileSync(`${inDocuments.includes(name) ? 'docs/screens' : folder}/${name}.webp`, data, 'base64')
}

/** Beside the list, the first publication opens by itself; on a phone the list is alone. */
async function untilOpen(page: Page): Promise<void> {
  await page.getByRole('row').first().waitFor()
  if ((page.viewportSize()?.width ?? 0) > 1_000) await page.getByRole('article').waitFor()
}

async function openFirst(page: Page): Promise<void> {
  await untilOpen(page)
  await page.getByRole('row').first().press('Enter')
  await page.getByRole('article').waitFor()
}

async function openFirstDevice(page: Page): Promise<void> {
  await page.getByRole('row').nth(1).getByRole('link').click()
  await page.getByRole('form', { name: 'Niveau national' }).waitFor()
}

async function openFirstActeur(page: Page): Promise<void> {
  await page.getByRole('grid', { name: 'Acteurs' }).getByRole('link').first().click()
  await page.getByRole('heading', { name: 'Depuis un an' }).waitFor()
}

async function openFirstSubscription(page: Page): Promise<void> {
  await page.getByRole('grid', { name: 'Abonnements' }).getByRole('link').first().click()
  await page.getByRole('list', { name: 'Ce qui s’est passé' }).getByRole('listitem').first().waitFor()
}

async function openUser(page: Page): Promise<void> {
  await page.getByRole('list', { name: 'Comptes' }).getByRole('link').first().click()
  await page.getByRole('heading', { name: 'Accès' }).waitFor()
}

async function openCommune(page: Page): Promise<void> {
  await page.getByRole('row').nth(1).getByRole('link').click()
  await page.getByRole('tablist').waitFor()
}

async function openPart(page: Page, title: string): Promise<void> {
  await openCommune(page)
  await page.getByRole('tab', { name: title }).click()
  await page.getByRole('tabpanel', { name: title }).waitFor()
}

/** Opens a collecte whose calendar is drawn. */
async function openCollecte(page: Page): Promise<void> {
  await openPart(page, 'Collectes')
  await page
    .getByRole('button', { name: /^Modifier / })
    .first()
    .click()
  await page
    .getByRole('button', { name: /, collecte$/ })
    .first()
    .waitFor()
}

async function openImport(page: Page): Promise<void> {
  await page.getByRole('list', { name: 'Sources' }).getByRole('link').first().click()
  await page.getByRole('heading', { name: 'Exécutions' }).waitFor()
}

async function inspectFeed(page: Page): Promise<void> {
  const { port } = feedServer.address() as AddressInfo
  await page.getByRole('textbox', { name: 'Adresse' }).fill(`http://127.0.0.1:${port}/agenda.csv`)
  await page.keyboard.press('Enter')
  await page.getByText('Reconnu : Tableau CSV').waitFor()
}

async function openRejection(page: Page): Promise<void> {
  await openFirst(page)
  await page.getByRole('button', { name: 'Rejeter' }).click()
  await page.getByRole('dialog').waitFor()
}

async function openCorrection(page: Page): Promise<void> {
  await openFirst(page)
  await page.getByRole('button', { name: 'Corriger' }).click()
  await page.getByRole('dialog').getByLabel('Motif de la correction').waitFor()
}

/** Opens the history of a publication that was just corrected. */
async function openHistory(page: Page): Promise<void> {
  await openCorrection(page)
  await page
    .getByRole('textbox', { name: 'Titre' })
    .fill(`Atelier : façonne ton pain (${Date.now() % 1_000})`)
  await page.keyboard.press('Control+Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Historique' }).click()
  await page.getByText('Version actuelle').waitFor()
}

async function fillPublication(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Acteur' }).fill('Librairie du Bas')
  await page.getByRole('option').first().click()
  await page.getByRole('textbox', { name: 'Titre' }).fill('Rencontre avec une autrice')
  await page.getByRole('textbox', { name: 'Texte' }).click()
  await page.keyboard.type('Lecture et signature, le samedi après-midi. Entrée libre.')
  await page.getByRole('group', { name: 'Premier jour' }).getByRole('spinbutton').first().focus()
  await page.keyboard.type('12122026')
}

async function openFirstClaim(page: Page): Promise<void> {
  await page.getByRole('grid').getByRole('link').first().click()
  await page.getByRole('heading', { name: 'Qui revendique' }).waitFor()
}

async function openFirstThread(page: Page): Promise<void> {
  await page.getByRole('row').first().waitFor()
  await page.getByRole('row').first().press('Enter')
  await page
    .getByRole('textbox', { name: 'Votre réponse' })
    .fill('Bonjour, merci de votre message. Nous nous en occupons.')
  await page.getByText('Brouillon enregistré').waitFor()
}

/** Finds a person with an account and a claim. */
async function findPerson(page: Page): Promise<void> {
  await page
    .getByRole('textbox', { name: 'Adresse e-mail ou numéro de compte' })
    .fill('kevin.pruvost@example.org')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Exporter tout' }).waitFor()
}

/** Opens a new application that shows one commune. */
async function openSource(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Ajouter une application' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Code').fill('site-chambery')
  await dialog.getByLabel('Libellé').fill('Site de Chambéry')
  await dialog.getByText('Certaines communes').click()
  await dialog.getByRole('combobox').fill('chambéry')
  await page.getByRole('option', { name: 'Chambéry' }).click()
  await dialog.getByRole('button', { name: 'Retirer Chambéry' }).waitFor()
}

async function openPalette(page: Page): Promise<void> {
  await page.getByText('Publications à modérer').waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('menuitem').first().waitFor()
}

/** Waits until the service responds and its application is built. */
async function untilReady(): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let output = ''
  service.once('close', () => reject(new Error(output)))
  // The greeting is on standard error, the log on standard output.
  for (const stream of [service.stdout, service.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const [, address] = /Parvis answers at +(\S+)/.exec(output) ?? []
      if (address !== undefined && output.includes('the back-office application is built')) resolve(address)
    })
  return promise
}

async function openAudit(page: Page) {
  await page.getByRole('list', { name: 'Entrées du journal' }).waitFor()
  await page.locator('li details summary').first().click()
}
