import { expect, test } from 'vitest'
import { openWorld } from '../../test/support/world.ts'

const world = await openWorld()
const { url, db } = world
await world.commune({ slug: 'chambery', nom: 'Chambéry' })
const path = '/communes/chambery/inscrire'
const typed = {
  ...{ 'acteur.nom': 'Pétanque & Cie', 'acteur.type': 'association', message: 'Je préside ce club.' },
  ...{ nom: 'Zoé', email: 'zoe@example.org' },
}

const open = async (at: string) => (await fetch(`${url}${at}`, { redirect: 'manual' })).text()

/** Shows the form, and sends it a minute later. */
async function fill(values: Record<string, string>) {
  world.setClock('2026-11-20T10:00:00Z')
  const moment = /name="moment" value="([^"]+)"/.exec(await open(path))?.[1] ?? ''
  world.setClock('2026-11-20T10:01:00Z')
  const body = new URLSearchParams({ ...values, moment })
  const answer = await fetch(`${url}${path}`, { method: 'POST', body, redirect: 'manual' })
  return { status: answer.status, location: answer.headers.get('location'), text: await answer.text() }
}

test('the directory leads to the form, as does /inscrire by the search for a commune', async () => {
  expect(await open('/communes/chambery/acteurs')).toContain(`href="${path}"`)
  const led = await fetch(`${url}/inscrire`, { redirect: 'manual' })
  expect([led.status, led.headers.get('location')]).toEqual([302, '/communes?pour=inscrire'])
  const found = await fetch(`${url}/communes?pour=inscrire&q=chambery`, { redirect: 'manual' })
  expect(found.headers.get('location')).toBe(path)
})

test('an association is added, and its claimant gets the reference', async () => {
  const { status, location } = await fill(typed)
  expect(status).toBe(303)
  const { reference } = await db.selectFrom('claims').select('reference').executeTakeFirstOrThrow()
  expect(await open(location ?? '')).toContain(`<strong>${reference}</strong>`)
  expect(await db.selectFrom('acteurs').select(['nom', 'valide']).execute()).toEqual([
    { nom: 'Pétanque & Cie', valide: false },
  ])
  expect(await open('/communes/chambery/acteurs')).not.toContain('Pétanque &amp; Cie')
})

test('a form that is refused keeps what was typed and leads to the field', async () => {
  const { status, text } = await fill({ ...typed, 'acteur.nom': '', 'acteur.type': 'commerce' })
  expect(status).toBe(422)
  expect(text).toContain('href="#acteur.nom"')
  expect(text).toContain('<option value="commerce" selected>')
})

test('a name that the directory has already is refused with what to do', async () => {
  const { id: commune_id } = await db.selectFrom('communes').select('id').executeTakeFirstOrThrow()
  await world.acteur({ nom: 'Chorale', valide: true, commune_id })
  const { status, text } = await fill({ ...typed, 'acteur.nom': 'CHORALE' })
  expect(status).toBe(409)
  expect(text).toContain('ouvrez sa page et revendiquez-la')
})

test('what a program fills is dropped', async () => {
  const before = (await db.selectFrom('acteurs').select('id').execute()).length
  expect((await fill({ ...typed, adresse_du_site: 'https://spam.example' })).status).toBe(303)
  expect((await db.selectFrom('acteurs').select('id').execute()).length).toBe(before)
})

test('where claims need an account, the form says where to sign in', async () => {
  const strict = await openWorld({ env: { CLAIMS_REQUIRE_BEARER: 'true' } })
  await strict.commune({ slug: 'chambery' })
  const text = await (await fetch(`${strict.url}${path}`)).text()
  expect(text).toContain('demandes de personnes connectées')
  expect(text).not.toContain('<form method="post"')
  expect(await (await fetch(`${strict.url}/communes/chambery/acteurs`)).text()).not.toContain('/inscrire')
})
