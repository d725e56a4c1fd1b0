import { expect } from 'vitest'
import { countActivity } from '../../src/modules/communes/activity/counting.ts'
import { insertPublication } from '../../src/modules/publications/publications.test-kit.ts'
import { uuidv7 } from '../../src/platform/formats/uuid.ts'
import { openSession } from '../support/sessions.ts'
import { openWorld } from '../support/world.ts'
import { barriersInEveryLook, builtWebApp, openPage, overflowsSideways, story } from './browser.ts'

const webApp = await builtWebApp()
const world = await openWorld({ webApp })
const { url, db } = world
const { id: adminId } = await world.user({ roles: ['admin'], nom: 'Ada Byron' })
const lively = await world.commune({ nom: 'Amont-les-Bains', departement: '73' })
await world.commune({ nom: 'Aval-sur-Rive', departement: '73' })
await world.commune({ nom: 'Zonza', departement: '2A' })
const publie_le = new Date(Date.now() - 3 * 86_400_000)
await insertPublication(world, { id: uuidv7(), publie_le, commune_ids: [lively.id] })

async function open(path: string, width = 1280) {
  const session = await openSession(db, adminId, { hasShownFactor: true })
  const page = await openPage({ url, session, width, height: 800 })
  await page.goto(`/backoffice${path}`)
  return page
}

story('an administrator finds the communes of a département that never published anything', async () => {
  const page = await open('/communes')
  await page.getByRole('link', { name: 'Activité des communes' }).click()
  await page.getByText('Rien n’est encore compté').waitFor()
  await countActivity(db, new AbortController().signal)
  await page.reload()
  const table = page.getByRole('grid', { name: 'Activité des communes' })
  await table.getByRole('row').filter({ hasText: 'Amont-les-Bains' }).getByText('il y a 3 jours').waitFor()
  expect(await barriersInEveryLook(page)).toEqual([])
  await page.getByLabel('Département').fill('73')
  await table.getByText('Zonza').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /Messages$/ }).click()
  await page.getByRole('option', { name: 'Jamais aucun' }).click()
  await table.getByText('Amont-les-Bains').waitFor({ state: 'detached' })
  await table.getByRole('link', { name: 'Aval-sur-Rive' }).click()
  await page.getByRole('heading', { name: 'Aval-sur-Rive' }).waitFor()
  await page.goBack()
  await table.getByText('Aval-sur-Rive').waitFor()
  expect(page.url()).toContain('messages=never')
})

story('on a phone, the figures of each commune stand below its name', async () => {
  await countActivity(db, new AbortController().signal)
  const page = await open('/communes/activity', 360)
  await page.getByText('Aucune collecte · aucun abonné').first().waitFor()
  expect(await overflowsSideways(page)).toEqual([])
  expect(await barriersInEveryLook(page)).toEqual([])
})
