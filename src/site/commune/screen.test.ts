import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { insertPublication } from '../../modules/publications/publications.test-kit.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'

const world = await openWorld()
const { url, db } = world
world.setClock('2026-11-26T10:00:00.000Z')
const commune = await world.commune({ nom: 'Ville', slug: 'ville', departement: '73' })
const empty = await world.commune({ nom: 'Vide', slug: 'vide' })
const admin = await world.as('admin')
await admin.patch(`/admin/communes/${commune.id}`, {
  collectes: ['Nord', 'Sud'].map((secteur) => ({
    ...{
      type_dechet: 'verre',
      mode: 'porte_a_porte',
      dates: [],
      libelle: `Bac ${secteur}`,
      jours: ['vendredi'],
      secteur,
    },
  })),
})
const shared = { commune_id: commune.id }
await insertPublication(world, { ...shared, title: 'Bal', date_debut: '2026-11-28' })
await insertPublication(world, { ...shared, title: 'Annulé : loto', date_debut: '2026-11-27' })
await insertPublication(world, { ...shared, title: 'Nouvelle', body: `<p>${'Des mots. '.repeat(200)}</p>` })

const open = async (path: string) => {
  const response = await fetch(`${url}${path}`, { headers: { accept: 'text/html' } })
  return { status: response.status, text: await response.text(), headers: response.headers }
}
const nextOf = (text: string) =>
  /<meta http-equiv="refresh" content="20; url=([^"]+)">/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''

/** The views of a screen, in their order, until the first one comes again. */
async function turn(start: string): Promise<string[]> {
  const views = new Map<string, string>()
  for (let path = start; !views.has(path); ) {
    const { status, text } = await open(path)
    expect(status).toBe(200)
    views.set(path, /<main.*<\/main>/s.exec(text)?.[0] ?? '')
    path = nextOf(text)
  }
  return [...views.values()]
}
const headings = (views: string[]) => views.map((view) => /<h2[^>]*>([^<]*)/.exec(view)?.[1]?.trim())

test('a screen shows what is next by turns, and begins again', async () => {
  const views = await turn('/communes/ville/ecran?vue=0')
  expect(headings(views)).toEqual(['Ce soir, sortez', 'Agenda', 'Nouvelle', 'Annulé : loto', 'La mairie'])
  expect(views[0]).toMatch(/bac Nord/i)
  expect(views[1]).toContain('Bal')
  expect(views[1]).not.toContain('loto')
  for (const view of views) {
    expect(view).not.toMatch(/<(?:form|script|select)/)
    expect(view.replaceAll(/<[^>]*>/g, '').length).toBeLessThan(900)
  }
})

test('alertes come first, and an urgent one stands above each view', async () => {
  const message = 'Restez chez vous. '.repeat(40)
  for (const niveau of ['attention', 'urgence'] as const)
    await db
      .insertInto('alertes')
      .values({ id: uuidv7(), ...shared, titre: `Crue ${niveau}`, message, niveau })
      .execute()
  const views = await turn('/communes/ville/ecran?vue=0')
  expect(headings(views)[0]).toBe('Alertes')
  expect(views[0]).toContain('Crue attention')
  for (const vue of [0, 1, 2, 3])
    expect((await open(`/communes/ville/ecran?vue=${vue}`)).text).toContain('<section class="urgences"')
})

test('a screen can be that of a secteur, and keeps it', async () => {
  const views = await turn('/communes/ville/ecran?vue=0&secteur=Sud')
  expect(views.join('')).toContain('bac Sud')
  expect(views.join('')).not.toMatch(/bac Nord/i)
})

test('a commune without content has the view of its mairie, and a view that is gone leads to another', async () => {
  expect(headings(await turn(`/communes/${empty.slug}/ecran?vue=0`))).toEqual(['La mairie'])
  expect((await open('/communes/ville/ecran?vue=57')).status).toBe(200)
  expect((await open('/communes/ville/ecran?vue=-1')).status).toBe(422)
})

test('the page of an error tries again on a screen, and on no other page', async () => {
  expect((await open('/communes/inconnue/ecran')).headers.get('refresh')).toBe('30')
  expect((await open('/communes/inconnue')).headers.get('refresh')).toBeNull()
})
