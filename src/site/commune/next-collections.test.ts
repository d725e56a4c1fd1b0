import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'

const world = await openWorld()
const { url, as } = world
world.setClock('2026-11-26T10:00:00.000Z')
const { id } = await world.commune({ slug: 'triee', departement: '73' })
const admin = await as('admin')
const collecte = (libelle: string, values: object) => ({
  ...{ type_dechet: 'verre', libelle, mode: 'porte_a_porte', dates: [] },
  ...values,
})
const set = async (...collectes: object[]) =>
  expect((await admin.patch(`/admin/communes/${id}`, { collectes })).status).toBe(200)
const read = async (search = '') => {
  const text = await (await fetch(`${url}/communes/triee${search}`)).text()
  const [, card = ''] = /<section class="box tonight"[^>]*>(.*?)<\/section>/s.exec(text) ?? []
  return card
}
const wordsOf = (card: string) =>
  card
    .replaceAll(/<details>.*?<\/details>/gs, '')
    .replaceAll(/<br>|<\/?li>|<\/?p[^>]*>/g, ' ')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

test('says the next two days with their bins in words', async () => {
  await set(collecte('Bac gris', { jours: ['vendredi'] }), collecte('Bac brun', { jours: ['vendredi'] }))
  expect(wordsOf(await read())).toBe(
    'Ce soir, sortez Bac gris Bac brun Passage demain vendredi 27 Puis vendredi 4 décembre : bac gris, bac brun',
  )
  expect(await read()).not.toContain('<form')
})

test('says today, the year of another one, and a public holiday', async () => {
  await set(collecte('DASRI', { jours: [], dates: ['2026-11-26', '2027-01-01'] }))
  expect(wordsOf(await read())).toBe(
    'Aujourd’hui jeudi 26 DASRI Puis vendredi 1er janvier 2027 : DASRI (jour férié : à confirmer auprès de la mairie)',
  )
})

test('a secteur is chosen once, kept by links, and found by its former name', async () => {
  await set(
    collecte('Bac gris', { jours: ['vendredi'], secteur: 'Nord' }),
    collecte('Bac jaune', { jours: ['lundi'], secteur: 'Sud' }),
    collecte('Verre', { jours: ['vendredi'] }),
  )
  const all = await read()
  expect(wordsOf(all)).toBe('Ce soir, sortez Bac gris Secteur Nord Verre Passage demain vendredi 27')
  expect([...all.matchAll(/<option>(.*?)</g)].map(([, name]) => name)).toEqual(['Nord', 'Sud'])
  const south = await read('?secteur=Sud')
  expect(wordsOf(south)).toBe(
    'Ce soir, sortez Verre Passage demain vendredi 27 · Secteur Sud · Une autre adresse ? Puis lundi 30 novembre : bac jaune',
  )
  expect(south).toContain('href="/communes/triee#collectes"')
  await set(
    collecte('Bac gris', { jours: ['vendredi'], secteur: 'Nord' }),
    collecte('Bac jaune', { jours: ['lundi'], secteur: 'Midi' }),
    collecte('Verre', { jours: ['vendredi'] }),
  )
  expect(wordsOf(await read('?secteur=Sud'))).toContain('Secteur Midi')
  // An unknown one is as none.
  expect(await read('?secteur=Est')).toContain('<form')
})
