import { expect } from 'vitest'
import { insertVerification } from '../../src/modules/audit/seals/reading-queries.ts'
import { createSealer } from '../../src/modules/audit/seals/rules.ts'
import { sealKey } from '../../src/modules/audit/seals/seal.ts'
import { claimsKit } from '../../src/modules/claims/claims.test-kit.ts'
import { insertPublication } from '../../src/modules/publications/publications.test-kit.ts'
import { openSession } from '../support/sessions.ts'
import { openWorld } from '../support/world.ts'
import {
  barriers,
  barriersInBothThemes,
  builtWebApp,
  openPage,
  overflowsSideways,
  story,
  typeDate,
} from './browser.ts'

const secret = 'the key of the tests: long enough to be one'
const webApp = await builtWebApp()
const world = await openWorld({ webApp, env: { AUDIT_KEY: secret } })
const { url, db, client, user } = world
const admin = await user({ roles: ['admin'], nom: 'Ada Byron' })
const zoe = await user({ roles: ['admin'], nom: 'Zoé Lambert' })
const session = await openSession(db, admin.id, { hasShownFactor: true })

/** Zoé publishes a publication and disables an account. */
async function change() {
  const hers = client({ source: 'backoffice', token: zoe.token })
  const { id } = await insertPublication(world, {
    title: 'Fête de la pomme',
    moderation_status: 'pending',
    valide: false,
    publie_le: null,
  })
  const camille = await user({ nom: 'Camille Petit' })
  const moderated = await hers.patch(`/admin/publications/${id}/moderate`, { moderation_status: 'published' })
  expect(moderated.status, moderated.text).toBe(200)
  expect((await hers.patch(`/admin/users/${camille.id}`, { actif: false })).status).toBe(200)
  return { id, camille }
}
const published = 'Zoé Lambert a publié la publication «\u00a0Fête de la pomme\u00a0»'
const disabled = 'Zoé Lambert a désactivé le compte de Camille Petit'

story(
  'by keyboard alone: an entry is found by name, unfolded, followed to its person and its record',
  async () => {
    const { id } = await change()
    const page = await openPage({ url, session })
    await page.goto('/backoffice/')
    await page.getByRole('link', { name: 'Journal d’audit' }).focus()
    await page.keyboard.press('Enter')
    const list = page.getByRole('list', { name: 'Entrées du journal' })
    await list.waitFor()
    await page.getByRole('searchbox', { name: 'Rechercher une action' }).focus()
    await page.keyboard.type('zoé lamb')
    await expect.poll(() => page.url()).toMatch(/q=zo/)
    await list.getByText(published).first().waitFor()
    await list.getByText(disabled).first().waitFor()
    const entry = list.getByRole('listitem').filter({ hasText: 'a publié la publication' }).first()
    await entry.locator('summary').focus()
    await page.keyboard.press('Enter')
    await entry.getByText('État', { exact: true }).waitFor()
    await entry.locator('del', { hasText: 'En attente' }).waitFor()
    await entry.locator('ins', { hasText: 'Publiée' }).waitFor()
    expect(await barriersInBothThemes(page)).toEqual([])
    await entry.getByRole('button', { name: 'Tout sur cet enregistrement' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Sur Fête de la pomme' }).waitFor()
    await expect.poll(() => list.getByText(disabled).count()).toBe(0)
    await page.reload()
    await list.getByText(published).first().waitFor()
    expect(page.url()).toContain(`record=${id}`)
    await page.getByRole('button', { name: 'Sur Fête de la pomme' }).focus()
    await page.keyboard.press('Enter')
    await list.getByText(disabled).first().waitFor()
    await list.getByRole('listitem').filter({ hasText: 'a publié' }).first().locator('summary').focus()
    await page.keyboard.press('Enter')
    await list.getByRole('link', { name: 'Ouvrir' }).first().focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toContain(`/publications/${id}`)
  },
)

story(
  'filters by person, kind, request and days are in the address; an empty result offers to clear them',
  async () => {
    const { camille } = await change()
    const page = await openPage({ url, session })
    await page.goto(`/backoffice/audit?record=${camille.id}`)
    const list = page.getByRole('list', { name: 'Entrées du journal' })
    const entry = list.getByRole('listitem').filter({ hasText: disabled }).first()
    await entry.locator('summary').click()
    await entry.getByRole('button', { name: 'Tout de cette personne' }).click()
    await page.getByRole('button', { name: 'Par Zoé Lambert' }).waitFor()
    await entry.getByRole('button', { name: 'Toute la requête' }).click()
    await page.getByRole('button', { name: /^Requête / }).waitFor()
    expect(page.url()).toMatch(/record=.*person=.*request=|request=.*person=/)
    await page.goto('/backoffice/audit?entity=user')
    await list.getByText(disabled).first().waitFor()
    await expect.poll(() => list.getByText(published).count()).toBe(0)
    await typeDate(page.getByRole('group', { name: 'Au', exact: true }), '01012020')
    await page.getByText('Rien ne correspond').waitFor()
    // No filter by the year 2, 20 or 202 before.
    expect(page.url()).toContain('until=2020-01-01')
    await page.getByRole('button', { name: 'Effacer les filtres' }).click()
    await list.getByText(published).first().waitFor()
    // The day of the entries, most often today, is included on both ends.
    const { at } = await db
      .selectFrom('audit_log')
      .select('at')
      .where('entity_id', '=', camille.id)
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Paris' }).format(new Date(at))
    await page.goto(`/backoffice/audit?since=${day}&until=${day}`)
    await list.getByText(disabled).first().waitFor()
  },
)

story('the state of the seals is said in words', async () => {
  await change()
  const page = await openPage({ url, session })
  await page.goto('/backoffice/audit')
  await page.getByText('Le journal n’a pas encore de scellé').waitFor()
  await createSealer(db, [sealKey(secret)])(new AbortController().signal, 120_000)
  await insertVerification(db, { seals: 1, rows: 3, faults: 0 })
  await page.reload()
  await page.getByText('Le journal est scellé. Dernière entrée').waitFor()
  // A log in order takes one line.
  const { height = 99 } = (await page.getByText('Le journal est scellé').boundingBox()) ?? {}
  expect(height).toBeLessThan(40)
  await page.getByText('Scellés et vérifications').click()
  await page.getByText('tout est intact').waitFor()
  await page.getByText(sealKey(secret).id).waitFor()
  await db.insertInto('audit_seal_faults').values({ number: 1, reason: 'altered' }).execute()
  await page.reload()
  await page.getByRole('alert').getByText('Le journal ou ses scellés ont été modifiés').waitFor()
  expect(await barriersInBothThemes(page)).toEqual([])
})

story('the sentences are in the language that is chosen on the screen', async () => {
  await change()
  const page = await openPage({ url, session })
  await page.goto('/backoffice/audit')
  await page.getByText(disabled).first().waitFor()
  await page.getByRole('button', { name: /^Compte/ }).click()
  await page.getByRole('menuitem', { name: 'English' }).click()
  await page.getByText('Zoé Lambert disabled the account of Camille Petit').first().waitFor()
  expect(await page.getByText(disabled).count()).toBe(0)
})

story('the audit log in English, on a phone, dark, passes the accessibility check', async () => {
  await change()
  const page = await openPage({ url, session, width: 360, dark: true })
  await page.addInitScript(`localStorage.setItem('parvis.settings', '{"language":"en"}')`)
  await page.goto('/backoffice/audit?q=lambert')
  const list = page.getByRole('list', { name: 'Entries of the log' })
  await list.getByText('Zoé Lambert published the publication “Fête de la pomme”').first().waitFor()
  await list.locator('summary').first().click()
  await list.getByRole('button', { name: 'All by this person' }).waitFor()
  expect(await barriers(page)).toEqual([])
  expect(await overflowsSideways(page)).toEqual([])
})

story('the audit log is not in the menu of a moderator, and its address says why', async () => {
  const moderator = await user({ roles: ['moderator'] })
  const page = await openPage({ url, session: await openSession(db, moderator.id) })
  await page.goto('/backoffice/audit')
  await page.getByText('Cet écran ne vous est pas ouvert').first().waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'Journal d’audit' }).count()).toBe(0)
})

story('each record shows its history on its own page, to those who open the audit log', async () => {
  const hers = client({ source: 'backoffice', token: zoe.token })
  const { id, camille } = await change()
  const town = await world.commune({ nom: 'Quincampoix' })
  const club = await world.acteur({ nom: 'Amicale des Boulistes', commune_id: town.id })
  for (let n = 0; n < 11; n++)
    expect((await hers.patch(`/admin/acteurs/${club.id}/badge`, { badge: `Or ${n}` })).status).toBe(200)
  expect((await hers.patch(`/admin/communes/${town.id}`, { nom: 'Quincampoix-sur-Mer' })).status).toBe(200)
  const claimed = await claimsKit(world).claim({ acteur: club })
  expect((await hers.patch(`/admin/claims/${claimed}`, { status: 'rejected' })).status).toBe(200)
  const page = await openPage({ url, session })
  const history = page.getByRole('list', { name: 'Historique' })
  for (const [path, sentence, changed] of [
    [`publications/${id}`, published, /État\s: En attente → Publiée/],
    [`users/${camille.id}`, disabled, /Actif\s: oui → non/i],
    [`communes/${town.id}?tab=notes`, /a modifié la commune/, /Quincampoix → Quincampoix-sur-Mer/],
    [`claims/${claimed}`, /a refusé une revendication/, /État\s: À décider → Refusée/],
    [`acteurs/${club.id}`, /a changé le badge.*Or 10/, /Badge\s: Or 9 → Or 10/],
  ] as const) {
    await page.goto(`/backoffice/${path}`)
    await history.getByText(sentence).first().waitFor()
    await history.getByText(changed).first().waitFor()
  }
  expect(await barriersInBothThemes(page)).toEqual([])
  expect(await overflowsSideways(page)).toEqual([])
  // Its latest ten; the log has them all.
  await expect.poll(() => history.getByRole('listitem').count()).toBe(10)
  await page.getByRole('link', { name: 'Voir les 11 entrées' }).click()
  await page.waitForURL(`**/audit?record=${club.id}`)
  const list = page.getByRole('list', { name: 'Entrées du journal' })

  // The filter by acteur also finds its claims.
  await page.goto(`/backoffice/acteurs/${club.id}`)
  await page.getByRole('link', { name: 'Tout ce qui concerne cet acteur' }).click()
  const refused = list.getByRole('listitem').filter({ hasText: /a refusé une revendication/ })
  await refused.waitFor()
  await page.getByRole('button', { name: 'Concerne Amicale des Boulistes' }).click()
  await page.waitForURL('**/backoffice/audit')
  await refused.first().locator('summary').click()
  await refused.first().getByRole('button', { name: 'Tout ce qui concerne Amicale des Boulistes' }).click()
  await page.waitForURL(`**/audit?acteur=${club.id}`)

  // The name that a sentence shows finds it.
  await page.goto('/backoffice/audit')
  await page.getByRole('searchbox', { name: 'Rechercher une action' }).fill('boulistes')
  await expect.poll(() => list.getByText(/Amicale des Boulistes/).count()).toBeGreaterThan(10)

  const moderator = await openSession(db, (await user({ roles: ['moderator'] })).id)
  const theirs = await openPage({ url, session: moderator })
  await theirs.goto(`/backoffice/publications/${id}`)
  await theirs.getByRole('heading', { name: 'Fête de la pomme' }).first().waitFor()
  await expect.poll(() => theirs.getByRole('list', { name: 'Historique' }).count()).toBe(0)
})
