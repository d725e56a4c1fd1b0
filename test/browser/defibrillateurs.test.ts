import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, expect, onTestFinished } from 'vitest'
import { insertDefibrillateur } from '../../src/modules/defibrillateurs/defibrillateurs.test-kit.ts'
import { csv, device, openRegistry } from '../../src/modules/defibrillateurs/sync/registry.test-kit.ts'
import { openSession } from '../support/sessions.ts'
import { openWorld } from '../support/world.ts'
import {
  barriers,
  barriersInBothThemes,
  builtWebApp,
  intercept,
  meanwhile,
  openPage,
  overflowsSideways,
  story,
  toggle,
} from './browser.ts'

const webApp = await builtWebApp()
const registry = await openRegistry()
afterAll(registry.close)
const world = await openWorld({
  webApp,
  env: { GEODAE_CSV_URL: registry.csvUrl, GEODAE_API_URL: registry.apiUrl, SECOND_FACTOR: 'none' },
})
const { url, db, user, commune } = world
await world.runJobs()
const admin = await user({ roles: ['admin'], nom: 'Ada Byron' })
const session = await openSession(db, admin.id, { hasShownFactor: true })

/** The browser draws with its processor, and says so. */
const slowGraphics = /GPU stall|WebGL|swiftshader/i
const open = (options: Partial<Parameters<typeof openPage>[0]> = {}) =>
  openPage({ url, session, expects: slowGraphics, ...options })
const stored = (id: string) =>
  db.selectFrom('defibrillateurs').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const untilMap = (page: Page) => page.locator('[data-ready="true"] canvas').waitFor()
/** Presses Tab until the element with this accessible name has the focus. */
async function tabTo(page: Page, name: string | RegExp) {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(
      `(document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '')`,
    )
    if (typeof name === 'string' ? focused === name : name.test(String(focused))) return
  }
  throw new Error(`No element is called ${name}.`)
}

const aval = await commune({ nom: 'Aval' })
const here = { code_insee: aval.code_insee, commune_nom: 'Aval', adresse: '1 place de la Mairie' }
const hall = await insertDefibrillateur(db, {
  ...here,
  nom: 'Mairie d’Aval',
  latitude: 46.6003,
  longitude: 2.4004,
  note_commune: 'Dans le hall',
})
for (let n = 0; n < 30; n++)
  await insertDefibrillateur(db, {
    nom: `Gymnase ${100 + n}`,
    latitude: 43 + n / 5,
    longitude: n / 6,
    statut_admin_france: n === 0 ? 'masque' : 'actif',
  })

story(
  'by the list and the keyboard alone: a device is found, hidden with a note, and its history tells of it',
  async () => {
    const page = await open()
    await page.goto('/backoffice/defibrillateurs')
    await page.getByRole('grid', { name: 'Défibrillateurs' }).or(page.getByRole('table')).first().waitFor()
    await page.getByRole('searchbox', { name: 'Nom, adresse' }).focus()
    await page.keyboard.type('mairie aval')
    await page.getByRole('link', { name: 'Mairie d’Aval' }).waitFor()
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    expect(await barriers(page)).toEqual([])
    await page.getByRole('row', { name: 'Mairie d’Aval' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Visible par le public').waitFor()
    await page.getByText('Dans le hall').waitFor()
    expect(await barriersInBothThemes(page)).toEqual([])
    const level = page.getByRole('form', { name: 'Niveau national' })
    await level.getByRole('radio', { name: 'Actif' }).focus()
    await page.keyboard.press('ArrowRight')
    await level.getByRole('textbox', { name: 'Note' }).focus()
    await page.keyboard.type('Volé en mai')
    await page.reload()
    await level.getByRole('textbox', { name: 'Note' }).waitFor()
    await expect.poll(() => level.getByRole('textbox', { name: 'Note' }).inputValue()).toBe('Volé en mai')
    await level.getByRole('radio', { name: 'Actif' }).focus()
    await page.keyboard.press('ArrowRight')
    await level.getByRole('button', { name: 'Enregistrer' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Le statut est enregistré').waitFor()
    await page.getByText('Le statut national n’est pas actif.').waitFor()
    const history = page.getByRole('list', { name: 'Historique' })
    await history.getByText(/a changé le statut du défibrillateur «\u00a0Mairie d’Aval\u00a0»/).waitFor()
    await history.getByText(/Statut national\s: Actif → Masqué/).waitFor()
    await page.getByRole('textbox', { name: 'Nouvelle note' }).focus()
    await page.keyboard.type('La police est prévenue.')
    await page.getByRole('button', { name: 'Ajouter la note' }).click()
    await page.getByRole('listitem').getByText('La police est prévenue.').waitFor()
    expect(await stored(hall.id)).toMatchObject({
      statut_admin_france: 'masque',
      note_france: 'Volé en mai',
      note_commune: 'Dans le hall',
    })
  },
)

story('a note of a colleague is shown beside the own one, and status and note survive a reload', async () => {
  const { id } = await insertDefibrillateur(db, { ...here, nom: 'Piscine', note_france: 'Avant' })
  const colleague = await world.as('admin')
  const page = await open({ expects: /status of 412/ })
  // Lasts for thirty seconds.
  await colleague.put('/admin/presence', { kind: 'defibrillateur', id })
  await page.goto(`/backoffice/defibrillateurs/${id}`)
  await page.getByText('Aussi sur cette fiche').waitFor()
  const level = page.getByRole('form', { name: 'Niveau national' })
  const note = level.getByRole('textbox', { name: 'Note' })
  await note.fill('La mienne')
  await toggle(level.getByRole('radio', { name: 'Masqué' }))
  await page.reload()
  await note.waitFor()
  await expect.poll(() => level.getByRole('radio', { name: 'Masqué' }).isChecked()).toBe(true)
  const put = (values: object) => db.updateTable('defibrillateurs').set(values).where('id', '=', id).execute()
  // The other level: no conflict.
  await put({ note_commune: 'De la commune' })
  await level.getByRole('button', { name: 'Enregistrer' }).click()
  await page.getByText('Le statut est enregistré').waitFor()
  await expect.poll(() => level.getByRole('button', { name: 'Enregistrer' }).count()).toBe(0)
  expect(await stored(id)).toMatchObject({ note_france: 'La mienne', statut_admin_france: 'masque' })

  await note.fill('Encore la mienne')
  await put({ note_france: 'Celle d’un collègue' })
  await level.getByRole('button', { name: 'Enregistrer' }).click()
  await level.getByText('Quelqu’un d’autre a changé cette fiche').waitFor()
  await level.getByText('Note : Celle d’un collègue').waitFor()
  expect(await barriers(page)).toEqual([])
  expect(await stored(id)).toMatchObject({ note_france: 'Celle d’un collègue' })
  await level.getByRole('button', { name: 'Prendre la sienne' }).click()
  await expect.poll(() => note.inputValue()).toBe('Celle d’un collègue')
  await db.deleteFrom('defibrillateurs').where('id', '=', id).execute()
})

story('by the map alone: from all of France to one device, with keys, and back', async () => {
  const page = await open()
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).origin))
  await page.goto('/backoffice/defibrillateurs?tab=map')
  await untilMap(page)
  await page.getByText(/31 défibrillateurs en \d+ groupes/).waitFor()
  expect(await barriersInBothThemes(page)).toEqual([])
  // The arrow keys move the map, and the address follows.
  await tabTo(page, 'Carte des défibrillateurs')
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => new URL(page.url()).searchParams.get('at')).toMatch(/^[\d.]+,[3-9]/)
  await page.getByLabel('Aller à').click()
  await page.getByRole('option', { name: 'La Réunion' }).click()
  await page.getByText('0 défibrillateur').or(page.getByText('Aucun défibrillateur ici.')).first().waitFor()
  await page.goto('/backoffice/defibrillateurs?tab=map&at=46.6,2.4,15')
  await untilMap(page)
  await page.getByText('Un défibrillateur sur la carte.').waitFor()
  const canvas = page.locator('canvas')
  const box = await canvas.boundingBox()
  // The device is east of the centre by 0.0004° and north by 0.0003°.
  const perDegree = (512 * 2 ** 15) / 360
  const x = (box?.x ?? 0) + (box?.width ?? 0) / 2 + 0.0004 * perDegree
  const y = (box?.y ?? 0) + (box?.height ?? 0) / 2 - (0.0003 * perDegree) / Math.cos((46.6 * Math.PI) / 180)
  await expect
    .poll(async () => {
      await page.mouse.move(x + 40, y)
      await page.mouse.move(x, y)
      return page.evaluate(`document.querySelector('.maplibregl-canvas').style.cursor`)
    })
    .toBe('pointer')
  await page.mouse.click(x, y)
  await page.getByRole('heading', { name: 'Mairie d’Aval' }).waitFor()
  await page.goBack()
  await page.getByText('Un défibrillateur sur la carte.').waitFor()
  expect(new Set(asked)).toEqual(new Set([url]))
})

story('the outline of France is shown where the background of the operator cannot be loaded', async () => {
  const env = { MAP_STYLE_URL: 'https://tiles.example.org/style.json' }
  const { url } = await openWorld({ webApp, database: world.database, env })
  const page = await openPage({
    url,
    session,
    expects: /WebGL|GPU stall|swiftshader|Failed to fetch|ERR_|AJAXError/i,
  })
  await intercept(page, 'https://tiles.example.org/**', (route) => route.abort())
  await page.goto('/backoffice/defibrillateurs?tab=map')
  await untilMap(page)
  await page.getByText(/31 défibrillateurs en \d+ groupes/).waitFor()
})

story(
  'without a setting the map is the plan of the IGN, or the outline when it does not answer',
  async () => {
    const asked: string[] = []
    let isSilent = false
    const ign = createServer((request, response) => {
      if (isSilent) return
      asked.push(request.url ?? '')
      response.setHeader('access-control-allow-origin', '*')
      response.end(request.url?.endsWith('.json') ? JSON.stringify(plan) : '')
    })
    ign.listen(0, '127.0.0.1')
    await once(ign, 'listening')
    onTestFinished(() => {
      ign.closeAllConnections()
      ign.close()
    })
    const { port } = ign.address() as AddressInfo
    const { url } = await openWorld({ webApp, database: world.database, env: { MAP_STYLE_URL: '' } })
    const openMap = async () => {
      const page = await openPage({
        url,
        session,
        expects: /WebGL|GPU stall|swiftshader|ERR_|AJAXError|glyph/i,
      })
      await intercept(page, 'https://data.geopf.fr/**', async (route) => {
        const { pathname } = new URL(route.request().url())
        const response = await route.fetch({ url: `http://127.0.0.1:${port}${pathname}` }).catch(() => null)
        if (response) await route.fulfill({ response })
      })
      return page
    }
    const page = await openMap()
    await page.addInitScript(neverAfterThreeSeconds)
    await page.goto('/backoffice/defibrillateurs?tab=map')
    await page.getByText('Fond de carte : Plan IGN').waitFor()
    await page.getByText(/31 défibrillateurs en \d+ groupes/).waitFor()
    await expect.poll(() => asked.some((path) => path.startsWith('/tms/1.0.0/PLAN.IGN/'))).toBe(true)
    expect(asked[0]).toBe('/annexes/ressources/vectorTiles/styles/PLAN.IGN/standard.json')
    // The numbers of the groups are in a font of the plan.
    await expect
      .poll(() => asked.find((path) => path.includes('/fonts/')) ?? '')
      .toContain('Source%20Sans%20Pro')
    isSilent = true
    const later = await openMap()
    await later.goto('/backoffice/defibrillateurs?tab=map')
    await later.getByText('Contours des départements').waitFor()
    await later.getByText(/31 défibrillateurs en \d+ groupes/).waitFor()
  },
)

/** Keeps the outline from taking the place of a plan that arrives late: a loaded machine is slow, not silent. */
const neverAfterThreeSeconds = `{
  const wait = window.setTimeout
  window.setTimeout = (task, ms, ...rest) => wait(task, ms === 3000 ? 600000 : ms, ...rest)
}`

/** A style with the addresses of that of the IGN. */
const plan = {
  version: 8,
  glyphs: 'https://data.geopf.fr/annexes/ressources/vectorTiles/fonts/{fontstack}/{range}.pbf',
  sources: {
    plan: { type: 'vector', tiles: ['https://data.geopf.fr/tms/1.0.0/PLAN.IGN/{z}/{x}/{y}.pbf'] },
  },
  layers: [
    { id: 'ground', type: 'background', paint: { 'background-color': '#eef3e8' } },
    {
      ...{ id: 'names', type: 'symbol', source: 'plan', 'source-layer': 'toponyme' },
      layout: { 'text-field': '{texte}', 'text-font': ['Source Sans Pro Regular'] },
    },
  ],
}

story('what the map shows is reached by its text alternative, and the filters count', async () => {
  const page = await open()
  await page.goto('/backoffice/defibrillateurs?tab=map&statut=masque&q=gymnase')
  await untilMap(page)
  await page.getByText('1 défibrillateur en 1 groupe.').waitFor()
  await tabTo(page, /1 défibrillateur vers 43.00, 0.00/)
  await page.keyboard.press('Enter')
  const link = page.getByRole('link', { name: 'Gymnase 100' })
  await link.waitFor()
  await link.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Gymnase 100' }).waitFor()
})

story('a browser without WebGL says so and leads to the list', async () => {
  const page = await open({ locale: 'en-GB' })
  await page.addInitScript(`HTMLCanvasElement.prototype.getContext = () => null`)
  await page.addInitScript(`localStorage.setItem('parvis.settings', '{"language":"en"}')`)
  await page.goto('/backoffice/defibrillateurs?tab=map&q=gymnase')
  await page.getByText('This browser cannot show the map').waitFor()
  expect(await barriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Open the list' }).click()
  await page.getByRole('link', { name: 'Gymnase 100' }).waitFor()
})

story('several devices get a status and a note at once; one that a colleague changed stays', async () => {
  const page = await open()
  await page.goto('/backoffice/defibrillateurs?q=gymnase 10')
  await page.getByRole('link', { name: 'Gymnase 101' }).waitFor()
  for (const name of ['Gymnase 101', 'Gymnase 102', 'Gymnase 103']) {
    await toggle(page.getByRole('row').filter({ hasText: name }).getByRole('checkbox'))
  }
  await page.getByRole('button', { name: 'Changer le statut' }).click()
  const dialog = page.getByRole('dialog', { name: 'Changer le statut de 3 défibrillateurs' })
  await dialog.waitFor()
  expect(await barriersInBothThemes(page)).toEqual([])
  await meanwhile(page, '**/defibrillateurs-france/bulk', () =>
    db.updateTable('defibrillateurs').set({ acces: 'Extérieur' }).where('nom', '=', 'Gymnase 103').execute(),
  )
  await dialog.getByRole('textbox', { name: 'Note' }).fill('Vu en juin')
  await dialog.getByRole('button', { name: 'Enregistrer' }).click()
  await page.getByText('2 statuts sont changés').waitFor()
  await page.getByText('Un défibrillateur a changé entre-temps').waitFor()
  const { rows } = await world.pool.query(
    `select nom, note_france from defibrillateurs where statut_admin_france = 'a_verifier' order by nom`,
  )
  expect(rows).toEqual([
    { nom: 'Gymnase 101', note_france: 'Vu en juin' },
    { nom: 'Gymnase 102', note_france: 'Vu en juin' },
  ])
})

story('defibrillators pass the accessibility check on a phone, dark, in English', async () => {
  const page = await open({ width: 360, dark: true })
  await page.addInitScript(`localStorage.setItem('parvis.settings', '{"language":"en"}')`)
  for (const [path, ready] of [
    ['', 'Gymnase 100'],
    ['?tab=map', /31 defibrillators in/],
    ['?tab=syncs', 'Synchronise France'],
    [`/${hall.id}`, 'What the registry says'],
    ['?q=personne', 'No defibrillator matches'],
  ] as const) {
    await page.goto(`/backoffice/defibrillateurs${path}`)
    await page.getByText(ready).first().waitFor()
    expect(await barriers(page), path).toEqual([])
    expect(await overflowsSideways(page), path).toEqual([])
  }
})

story(
  'a sync shows its progress live; a fall says what it would remove, and is accepted after a confirmation',
  async () => {
    const page = await open()
    const { promise: isShown, resolve: go } = Promise.withResolvers<void>()
    const rows = Array.from({ length: 6_000 }, (_, n) => device(n + 1))
    const text = csv(rows)
    registry.says(async (response) => {
      response.setHeader('content-type', 'text/csv').write(text.slice(0, text.length / 2))
      await isShown
      response.end(text.slice(text.length / 2))
    })
    await page.goto('/backoffice/defibrillateurs?tab=syncs')
    await page.getByText('Aucune synchronisation').waitFor()
    await page.getByRole('button', { name: 'Synchroniser la France' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('progressbar', { name: 'Avancement' }).waitFor()
    await page.getByText(/[\d\s ]{5,} lignes lues/).waitFor()
    expect(await barriers(page)).toEqual([])
    go()
    await page.getByText('Réussie', { exact: true }).waitFor()
    await page.getByText(/5\s969 nouveaux, 31 modifiés/).waitFor()

    registry.has(rows.slice(0, 50))
    await page.getByRole('button', { name: 'Synchroniser la France' }).click()
    await page
      .getByText(/Le registre n’a plus ou ne retient plus que 50 défibrillateurs sur 6\s000/)
      .waitFor()
    await page.getByText(/5\s950 défibrillateurs seraient marqués disparus/).waitFor()
    await page.getByText(/et 5\s940 autres/).waitFor()
    expect(await barriersInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Accepter la baisse' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByRole('button', { name: 'Accepter et synchroniser' }).click()
    await page.getByText(/5\s950 disparus/).waitFor()
    const { rows: gone } = await world.pool.query(
      'select count(*)::int as n from defibrillateurs where absent_depuis is not null',
    )
    expect(gone).toEqual([{ n: 5_950 }])
  },
)

story('a commune shows its defibrillators, and is synchronised alone', async () => {
  const amont = await commune({ nom: 'Amont' })
  const of = { c_com_insee: amont.code_insee, c_com_nom: 'Amont' }
  const page = await open()
  await page.goto(`/backoffice/communes/${amont.id}`)
  await page.getByRole('tab', { name: 'Défibrillateurs' }).click()
  await page.getByText('Aucun défibrillateur', { exact: true }).waitFor()
  await page.getByText('Aucune synchronisation', { exact: true }).waitFor()
  registry.answersPages([
    device(90_001, { ...of, c_nom: 'Gymnase' }),
    device(90_002, { ...of, c_nom: 'École' }),
  ])
  await page.getByRole('button', { name: 'Synchroniser cette commune' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Réussie', { exact: true }).waitFor()
  await page.getByText(/2 nouveaux, 0 modifiés/).waitFor()
  await page.getByText('À jour du registre national').waitFor()
  await page.getByRole('heading', { name: '2 défibrillateurs' }).waitFor()
  const table = page.getByRole('grid', { name: 'Défibrillateurs de la commune' })
  await expect.poll(() => table.getByRole('row').count()).toBe(3)
  expect(await barriersInBothThemes(page)).toEqual([])
  const { rows } = await world.pool.query(
    'select status, commune_id from defibrillateur_syncs order by id desc limit 1',
  )
  expect(rows).toEqual([{ status: 'succeeded', commune_id: amont.id }])
  // A failed sync changes nothing.
  registry.says((response) => response.writeHead(503).end())
  await page.getByRole('button', { name: 'Synchroniser cette commune' }).click()
  await page.getByText('Le registre n’a pas répondu comme il faut').waitFor()
  await expect.poll(() => table.getByRole('row').count()).toBe(3)
  await table.getByRole('link', { name: 'Gymnase' }).click()
  await page.getByRole('heading', { name: 'Gymnase', level: 1 }).waitFor()
})

story('the map is loaded on demand only', async () => {
  const page = await open()
  const scripts: string[] = []
  page.on('response', (response) => scripts.push(response.url()))
  await page.goto('/backoffice/defibrillateurs')
  await page
    .getByRole('link', { name: /Gymnase|Mairie/ })
    .first()
    .waitFor()
  expect(scripts.filter((script) => /map-|worker|departements/.test(script))).toEqual([])
})
