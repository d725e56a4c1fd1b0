import { expect } from 'vitest'
import { insertPublished } from '../../src/modules/acts/acts.test-kit.ts'
import { insertPublication } from '../../src/modules/publications/publications.test-kit.ts'
import { openWorld } from '../support/world.ts'
import { barriersInBothThemes, openPage, story } from './browser.ts'

const world = await openWorld()
const { url } = world
const hall = await world.acteur({ nom: 'Mairie', slug: 'mairie', type: 'mairie', valide: true })
const named = { nom: 'Chambéry', slug: 'chambery', codes_postaux: ['73000'] }
const commune = await world.commune({ ...named, mairie_actor_id: hall.id })
const acteur = await world.acteur({ nom: 'Club', slug: 'club', commune_id: commune.id, valide: true })
await insertPublication(world, {
  ...{ slug: 'longue', title: 'A'.repeat(200), body: '<p>Texte</p>', date_debut: '2099-10-04' },
  ...{ commune_id: commune.id, acteur_id: acteur.id },
})
const act = await insertPublished(world.db, {
  ...{ acteur_id: hall.id, title: 'Convention '.repeat(20).trim(), number: '2026-042', subject: '1.4' },
  author_quality: 'Adjointe au maire déléguée aux finances',
})
await insertPublished(world.db, { acteur_id: hall.id, title: 'A'.repeat(200), supersedes: act.id })

const paths = [
  ...['/', '/communes?q=nulle', '/recherche?q=texte', '/publications/longue', '/acteurs/club'],
  ...['/contact', '/publications/longue/signaler', '/mentions-legales', '/rien-de-tel'],
  ...['/communes/chambery/actes', `/actes/${act.id}`],
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
