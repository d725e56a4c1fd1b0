import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { insertDefibrillateur } from '../../src/modules/defibrillateurs/defibrillateurs.test-kit.ts'
import { openWorld } from '../support/world.ts'
import { barriersInBothThemes, intercept, openPage, overflowsSideways, story } from './browser.ts'

/** The map of defibrillators on the public site, which is loaded when somebody opens it. */

const world = await openWorld()
const { url, db } = world
world.setClock('2027-03-10T10:00:00Z')
await world.commune({
  ...{ nom: 'Chambéry', slug: 'chambery', departement: '73', code_insee: '73065', codes_postaux: ['73000'] },
  ...{ latitude: 45.5646, longitude: 5.9178 },
})
for (const [nom, latitude, longitude] of [
  ['Barberaz', 45.56, 5.941],
  ['Bassens', 45.578, 5.94],
  ['Jacob-Bellecombette', 45.551, 5.915],
  ['Cognin', 45.559, 5.896],
  ['La Ravoire', 45.562, 5.968],
] as const)
  await world.commune({ nom, departement: '73', latitude, longitude })
const here = { code_insee: '73065', commune_nom: 'Chambéry', code_postal: '73000' }
for (const [nom, disponibilite, latitude, longitude] of [
  ['Gare', '24/7', 45.571, 5.919],
  ['Gymnase Jean-Jaurès', 'Mo-Fr 20:00-22:00', 45.569, 5.925],
  ['Mairie', null, 45.5655, 5.9205],
  ['Piscine', 'Mo-Su 08:00-18:00', 45.561, 5.93],
  ['Médiathèque', 'Tu-Sa 09:00-19:00', 45.563, 5.912],
  ['Musée', 'Sa-Su 09:00-19:00', 45.5661, 5.926],
] as const)
  await insertDefibrillateur(db, {
    ...{ ...here, nom, disponibilite, latitude, longitude, adresse: '1 rue de la République' },
  })
// In the next commune, which no list of Chambéry has.
await insertDefibrillateur(db, {
  ...{ nom: 'Mairie de Bassens', disponibilite: '24/7', adresse: '12 route du Nivolet' },
  ...{ code_insee: '73031', commune_nom: 'Bassens', latitude: 45.5779, longitude: 5.9391 },
})

// Alone in its place.
const refuge = { nom: 'Refuge <des> Écrins', latitude: 44.9, longitude: 6.4, adresse: '1 chemin du Glacier' }
await insertDefibrillateur(db, {
  ...refuge,
  disponibilite: 'Mo-Su 20:00-22:00',
  commune_nom: 'Pelvoux',
  code_insee: '05101',
})

// Among closed ones, which begin and end beyond it.
const square = { latitude: 46.2, longitude: 6.1, commune_nom: 'Annemasse', code_insee: '74012' }
for (const [nom, disponibilite, north] of [
  ['Pharmacie', '24/7', 0.0001],
  ...[-0.01, -0.0003, -0.0002, 0.0002, 0.0003, 0.01].map(
    (north) => [`Salle ${north}`, 'Mo-Su 20:00-22:00', north] as const,
  ),
] as const)
  await insertDefibrillateur(db, { ...square, nom, disponibilite, latitude: square.latitude + north })

/** The browser draws with its processor, and says so. */
const slowGraphics = /GPU stall|WebGL|swiftshader/i
const open = (options: Partial<Parameters<typeof openPage>[0]> = {}) =>
  openPage({ url, expects: slowGraphics, ...options })
const said = (page: Page, text: string) =>
  page.locator('.carte').getByRole('status').getByText(text).waitFor()
/** Opens the map, and waits until it is drawn. */
async function openMap(page: Page, path: string, text = 'Défibrillateurs sur la carte') {
  await page.goto(path)
  await page.getByRole('button', { name: 'Voir la carte' }).click()
  await said(page, text)
  await page.locator('.carte .ground[data-drawn]').waitFor()
}
const picture = async (page: Page, name: string) => {
  const folder = process.env.PARVIS_PICTURES
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` })
}
async function tapMiddle(page: Page) {
  const ground = page.locator('.carte .ground')
  await ground.scrollIntoViewIfNeeded()
  const { x = 0, y = 0, width = 0, height = 0 } = (await ground.boundingBox()) ?? {}
  await page.mouse.click(x + width / 2, y + height / 2)
}

for (const [width, height] of [
  [360, 740],
  [1280, 800],
] as const)
  story(`at ${width} pixels the map has what is open, closed and unknown, and no barrier`, async () => {
    const page = await open({ width, height })
    await openMap(
      page,
      '/communes/chambery/defibrillateurs',
      'sur la carte\u00a0: 6, ouverts maintenant\u00a0: 3',
    )
    await page.getByRole('button', { name: 'Réduire' }).focus()
    expect(await barriersInBothThemes(page)).toEqual([])
    expect(await overflowsSideways(page)).toEqual([])
    await page.locator('.carte .ground[data-drawn]').waitFor()
    await picture(page, `map-${width}`)
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.locator('.carte .ground[data-drawn]').waitFor()
    await picture(page, `map-${width}-dark`)
  })

story('a device that is tapped tells its name, address, hours and way, and is left by Escape', async () => {
  const page = await open({ width: 360, height: 740 })
  await openMap(page, `/defibrillateurs?lat=${refuge.latitude}&lon=${refuge.longitude}`)
  await tapMiddle(page)
  const chosen = page.locator('.carte .chosen')
  await chosen.getByRole('heading', { name: refuge.nom }).waitFor()
  await chosen.getByText('1 chemin du Glacier').waitFor()
  await chosen.getByText('Fermé', { exact: true }).waitFor()
  expect(await chosen.getByRole('link', { name: 'Ouvrir dans une carte' }).getAttribute('href')).toBe(
    'geo:44.9,6.4',
  )
  expect(await barriersInBothThemes(page)).toEqual([])
  await page.locator('.carte .ground[data-drawn]').waitFor()
  await picture(page, 'chosen-360')
  await chosen.getByRole('button', { name: 'Fermer' }).focus()
  await page.keyboard.press('Escape')
  expect(await chosen.isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Fermer la carte' }).click()
  await page.getByRole('button', { name: 'Voir la carte' }).waitFor()
  expect(await page.locator('.carte').count()).toBe(0)
})

story('what is open near the reader stands alone, above a group of closed ones', async () => {
  const page = await open({ width: 360, height: 740 })
  await openMap(page, `/defibrillateurs?lat=${square.latitude}&lon=${square.longitude}`)
  await picture(page, 'nearest-360')
  await tapMiddle(page)
  await page.locator('.carte .chosen').getByRole('heading', { name: 'Pharmacie' }).waitFor()
})

story('the map asks for what is around the list as it is moved, and for nothing from far away', async () => {
  const page = await open()
  await openMap(page, '/communes/chambery/defibrillateurs')
  await page.getByRole('region', { name: 'Carte des défibrillateurs' }).focus()
  await page.keyboard.press('Minus')
  await said(page, 'sur la carte\u00a0: 7, ouverts maintenant\u00a0: 4')
  await openMap(page, '/defibrillateurs', 'Agrandissez la carte')
  await picture(page, 'france-1280')
})

story('the map is loaded when it is opened, from the site alone', async () => {
  const page = await open()
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(request.url()))
  await page.goto('/defibrillateurs?lat=45.566&lon=5.92', { waitUntil: 'networkidle' })
  const before = loaded.length
  await page.getByRole('button', { name: 'Voir la carte' }).click()
  await said(page, 'Défibrillateurs sur la carte')
  // The map, its library and worker, its styles, the outlines, and the area.
  const onDemand = loaded.slice(before).map((one) => one.slice(url.length).replace(/^(\/site\/)[\w-]+/, '$1'))
  expect(onDemand.map((one) => one.replace(/\?.*/, '')).toSorted()).toEqual([
    ...['/defibrillateurs/carte.json', '/site/.css', '/site/.js', '/site/.js', '/site/.js', '/site/.json'],
  ])
  expect(loaded.filter((one) => !one.startsWith(url))).toEqual([])
  await page.locator('.carte .ground[data-drawn]').waitFor()
  await picture(page, 'around-1280')
})

story('where the map or its devices cannot be loaded, a sentence says so, and the list stays', async () => {
  const page = await open({ expects: /GPU stall|WebGL|swiftshader|Failed to|ERR_|503/i })
  const path = '/communes/chambery/defibrillateurs'
  await intercept(page, '**/defibrillateurs/carte.json*', (route) => route.fulfill({ status: 503 }))
  await openMap(page, path, 'n’ont pas pu être chargés')
  await said(page, 'sur la carte\u00a0: 6')
  await page.goto(path)
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Voir la carte' }).click()
  await said(page, 'La carte n’a pas pu s’ouvrir')
  await page.getByRole('heading', { name: 'Gare' }).waitFor()
  expect(await barriersInBothThemes(page)).toEqual([])
  await page.context().setOffline(false)
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Voir la carte' }).click()
  await said(page, 'Défibrillateurs sur la carte')
})

story('without script the page is its list', async () => {
  const page = await open({ javaScriptEnabled: false })
  for (const path of ['/communes/chambery/defibrillateurs', '/defibrillateurs?lat=45.566&lon=5.92']) {
    await page.goto(path)
    expect(await page.getByRole('button', { name: 'Voir la carte' }).isVisible()).toBe(false)
    await page.getByRole('heading', { name: 'Gare' }).waitFor()
  }
})
