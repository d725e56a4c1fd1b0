import { expect } from 'vitest'
import { insertPublication } from '../../src/modules/publications/publications.test-kit.ts'
import { openWorld } from '../support/world.ts'
import { barriersInBothThemes, openPage, story } from './browser.ts'

const world = await openWorld()
const { url } = world
const commune = await world.commune({ nom: 'Chambéry', slug: 'chambery', codes_postaux: ['73000'] })
const acteur = await world.acteur({ nom: 'Club', slug: 'club', commune_id: commune.id, valide: true })
await insertPublication(world, {
  ...{ slug: 'longue', title: 'A'.repeat(200), body: '<p>Texte</p>', date_debut: '2099-10-04' },
  ...{ commune_id: commune.id, acteur_id: acteur.id },
})

const paths = [
  ...['/', '/communes?q=nulle', '/recherche?q=texte', '/publications/longue', '/acteurs/club'],
  ...['/contact', '/publications/longue/signaler', '/mentions-legales', '/rien-de-tel'],
  ...['', '/publications', '/agenda', '/collectes', '/alertes', '/elus', '/acteurs', '/defibrillateurs'].map(
    (sub) => `/communes/chambery${sub}`,
  ),
]

story('every page of the public site has no barrier, and fits a screen of 320 pixels', async () => {
  const page = await openPage({ url, width: 320, expects: /404/ })
  for (const path of paths) {
    await page.goto(`${url}${path}`)
    expect({ path, barriers: await barriersInBothThemes(page) }).toEqual({ path, barriers: [] })
    const width = await page.evaluate('document.documentElement.scrollWidth')
    expect({ path, width }).toEqual({ path, width: 320 })
  }
})
