import { expect } from 'vitest'
import type { Site } from '../../src/web-app/site.ts'
import { openWorld } from '../support/world.ts'
import { barriers, builtWebApp, openPage, story } from './browser.ts'

const { site } = await builtWebApp()
const webApp: { site: Site | null; state: 'building' | 'ready' } = { site: null, state: 'building' }
const { url } = await openWorld({ webApp })

story('a link opened during the build of the application signs in once the build is done', async () => {
  const page = await openPage({ url, expects: /status of (503|401)/ })
  await page.goto('/backoffice/sign-in#token=from-the-terminal')
  await page.getByRole('heading', { name: 'Le back-office se prépare' }).waitFor()
  expect(await barriers(page)).toEqual([])
  Object.assign(webApp, { site, state: 'ready' })
  await page.getByText('Le lien est prêt à vous connecter').waitFor()
  expect(page.url()).toBe(`${url}/backoffice/sign-in`)
})
