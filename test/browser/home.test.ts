import { expect } from 'vitest'
import { openWorld } from '../support/world.ts'
import { barriersInBothThemes, openPage, story } from './browser.ts'

/** The home of the public site, with and without its script. */

const world = await openWorld()
const { url } = world
await world.commune({
  nom: 'Chambéry',
  slug: 'chambery',
  departement: '73',
  latitude: 45.5646,
  longitude: 5.9178,
})
await world.commune({ nom: 'Lyon', slug: 'lyon', departement: '69', latitude: 45.7578, longitude: 4.832 })

story('"Autour de moi" finds the nearest commune, and sends no more than a hundred metres', async () => {
  const page = await openPage({ url, width: 360, height: 800 })
  await page.context().grantPermissions(['geolocation'])
  await page.context().setGeolocation({ latitude: 45.56789, longitude: 5.91234 })
  await page.goto('/')
  await page.getByRole('button', { name: 'Autour de moi' }).click()
  await page.waitForURL('**/autour?lat=45.568&lon=5.912')
  await page.getByRole('link', { name: 'Chambéry' }).click()
  await page.waitForURL('**/communes/chambery')
})

story('a refused position leaves the list', async () => {
  const page = await openPage({ url })
  await page.context().clearPermissions()
  await page.goto('/')
  await page.getByRole('button', { name: 'Autour de moi' }).click()
  await page.getByText('Votre appareil ne donne pas sa position').waitFor()
})

story('the map is used by keyboard, and can be passed', async () => {
  const page = await openPage({ url })
  await page.goto('/')
  await page.getByRole('link', { name: 'Savoie (73)', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/communes?departement=73')
  await page.goBack()
  await page.getByRole('link', { name: 'Passer la carte' }).focus()
  await page.keyboard.press('Enter')
  expect(await page.evaluate('document.activeElement.id')).toBe('liste')
  expect(await barriersInBothThemes(page)).toEqual([])
})

story('without script there is no button, and a list of départements', async () => {
  const page = await openPage({ url, javaScriptEnabled: false })
  await page.goto('/')
  expect(await page.getByRole('button', { name: 'Autour de moi' }).isVisible()).toBe(false)
  await page.getByRole('listitem').getByRole('link', { name: 'Savoie', exact: true }).click()
  await page.waitForURL('**/communes?departement=73')
})
