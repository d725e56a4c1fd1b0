import { expect } from 'vitest'
import { insertAddresses } from '../../src/modules/addresses/addresses.test-kit.ts'
import { openSession } from '../support/sessions.ts'
import { openWorld } from '../support/world.ts'
import { barriersInEveryLook, builtWebApp, openPage, story } from './browser.ts'

const webApp = await builtWebApp()
const world = await openWorld({
  webApp,
  env: { SECOND_FACTOR: 'none', MAP_STYLE_URL: 'https://tiles.example.org/style.json' },
})
const { url, db } = world

story('the area of a secteur is drawn on the map, erased, and pasted as text', async () => {
  const hall = await world.acteur({ type: 'mairie', valide: true })
  const town = await world.commune({ mairie_actor_id: hall.id })
  const { id, token } = await world.user({ memberships: [{ acteur: hall, role: 'owner' }] })
  const secretary = world.client({ source: 'mairie', token })
  const page = await openPage({
    url,
    session: await openSession(db, id),
    expects: /GPU stall|WebGL|swiftshader|Failed to fetch|ERR_|AJAXError/i,
  })
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(request.url()))
  const zoneOf = async () => (await secretary.get(`/mairie/communes/${town.id}/secteurs`)).body.data[0].zone
  await page.goto(`/backoffice/espace/${hall.id}/commune?tab=collectes`)
  await page.getByRole('button', { name: 'Ajouter un secteur' }).click()
  const dialog = page.getByRole('dialog')
  const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click()
  await dialog.getByLabel('Nom du secteur').fill('Centre')
  expect(loaded.filter((address) => /area-map|map-/.test(address))).toEqual([])
  await press('Dessiner la zone')
  const canvas = dialog.locator('[data-ready="true"] canvas')
  await canvas.waitFor()
  await canvas.scrollIntoViewIfNeeded()
  const click = (x: number, y: number) => canvas.click({ position: { x, y } })
  for (const [x, y] of [
    [80, 60],
    [240, 60],
    [240, 180],
    [80, 180],
    [80, 60],
  ] as const)
    await click(x, y)
  await dialog.getByText('Zone dessinée', { exact: true }).waitFor()
  await dialog.getByText('Le fichier des adresses de la commune n’est pas chargé').waitFor()
  expect(await barriersInEveryLook(page)).toEqual([])
  await press('Enregistrer')
  await dialog.waitFor({ state: 'detached' })
  const drawn = await zoneOf()
  expect(drawn.type).toBe('Polygon')
  const corners = new Set(drawn.coordinates[0].map((corner: number[]) => corner.join()))
  expect([corners.size, drawn.coordinates[0].length]).toEqual([4, 5])

  const places = ['5.94;45.51', '5.91;45.59', '5.945;45.52']
  await insertAddresses(db, ...places.map((at, n) => `${town.code_insee};Rue Haute;${n + 1};;${at}`))
  await page.getByRole('button', { name: 'Modifier le secteur Centre' }).click()
  await press('Dessiner la zone')
  await canvas.waitFor()
  const box = await canvas.boundingBox()
  await click((box?.width ?? 0) / 2, (box?.height ?? 0) / 2)
  // The area is in the middle of the map: its upper right corner is 142 pixels right of that, and 108 above.
  const typed = () => dialog.locator('textarea').last().inputValue()
  const before = await typed()
  const now = (await canvas.boundingBox()) as { x: number; y: number; width: number; height: number }
  const [x, y] = [now.x + now.width / 2, now.y + now.height / 2]
  await page.mouse.move(x + 142, y - 108)
  await page.mouse.down()
  await page.mouse.move(x + 120, y - 120, { steps: 4 })
  await page.mouse.move(x + 100, y - 140, { steps: 4 })
  await page.mouse.up()
  await expect.poll(typed).not.toBe(before)
  await press('Effacer la partie choisie')
  await dialog.getByText('Aucune zone : les rues suffisent.').waitFor()
  await dialog.getByText('Zone en texte').first().click()
  const text = dialog.getByRole('textbox', { name: 'Zone en texte' })
  await text.fill('ici')
  await dialog.getByText('Ce texte n’est pas une zone en GeoJSON.').waitFor()
  const square = [
    [5.9, 45.5],
    [5.95, 45.5],
    [5.95, 45.6],
    [5.9, 45.5],
  ]
  const geometry = { type: 'Polygon', coordinates: [square.map((corner) => [...corner, 270])] }
  await text.fill(JSON.stringify({ type: 'FeatureCollection', features: [{ type: 'Feature', geometry }] }))
  await dialog.getByText('2 adresses dans ce contour, sur 3 dans la commune.').waitFor()
  await press('Enregistrer')
  await dialog.waitFor({ state: 'detached' })
  expect(await zoneOf()).toEqual({ type: 'Polygon', coordinates: [square] })
})
