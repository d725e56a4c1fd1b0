import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { untilWaiting } from '../../../test/support/locks.ts'
import { statementsAbout } from '../../../test/support/statements.ts'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { maxTerms } from './search-terms.ts'

const world = await openWorld({ keeps: true })
const { db, url } = world
await world.commune({ nom: 'Ville', slug: 'ville' })
const admin = await world.as('admin')
const path = '/admin/search-terms'
const add = (term: string, topic = 'collectes') => admin.post(path, { term, topic })
const stale = { headers: { 'if-match': '"7"' } }

const find = async (q: string) =>
  (await fetch(`${url}/communes/ville/recherche?q=${encodeURIComponent(q)}`)).text()
const leadsTo = async (q: string, page: string) =>
  (await find(q)).includes(`<h3><a href="/communes/ville/${page}">`)

test('the search of the site follows a term that is created, changed and deleted', async () => {
  expect(await leadsTo('silo enterré', 'collectes')).toBe(false)
  const made = await add('Silos  enterrés')
  expect(made.status).toBe(201)
  const { id } = made.body.data
  expect(made.body.data).toMatchObject({ term: 'Silos enterrés', topic: 'collectes', version: 1 })
  for (const q of ['silo enterré', 'SILOS ENTERRES', 'où est le silo enterre ?', 'silo enterrée'])
    expect(await leadsTo(q, 'collectes'), q).toBe(true)
  expect(await leadsTo('silo', 'collectes')).toBe(false)
  const changed = await admin.patch(`${path}/${id}`, { term: 'Marelle', topic: 'agenda' })
  expect(changed.body.data).toMatchObject({ term: 'Marelle', topic: 'agenda', version: 2 })
  expect(await leadsTo('silo enterré', 'collectes')).toBe(false)
  expect(await leadsTo('marelles', 'agenda')).toBe(true)
  expect((await admin.get(`${path}/${id}`)).body).toEqual(changed.body)
  expect((await admin.get(path)).body.data).toContainEqual(changed.body.data)
  expect((await admin.delete(`${path}/${id}`)).body.data).toMatchObject({ id, can: [] })
  expect(await leadsTo('marelles', 'agenda')).toBe(false)
  expect(await admin.get(`${path}/${id}`)).toBeError(404, 'not_found')
  expect((await add('marelle')).status).toBe(201)
})

test('a search reads no terms while none has changed', async () => {
  await add('Broyat')
  expect(await leadsTo('broyat', 'collectes')).toBe(true)
  const searches = async () => {
    for (const q of ['broyats', 'du broyat']) expect(await leadsTo(q, 'collectes')).toBe(true)
  }
  expect(await statementsAbout(/search_terms/, searches)).toEqual([])
})

test('returns 409 for a term that the search or the list has, however it is written', async () => {
  await add('Bac de collecte')
  const other = (await add('Caisse')).body.data
  for (const term of [
    'poubelle',
    'POUBELLES',
    'dechets',
    'la mairie',
    'civil, état',
    'bacs de collectes',
    'Caisses',
  ]) {
    expect(await add(term, 'mairie'), term).toBeError(409, 'conflict')
    if (term !== 'Caisses')
      expect(await admin.patch(`${path}/${other.id}`, { term }), term).toBeError(409, 'conflict')
  }
  const french = { headers: { 'accept-language': 'fr' } }
  const message = async (term: string) =>
    (await admin.post(path, { term, topic: 'mairie' }, french)).body.message
  expect(await message('poubelle')).toBe('La recherche connaît déjà ce terme.')
  expect(await message('caisse')).toBe('Ce terme figure déjà dans la liste.')
  expect((await admin.patch(`${path}/${other.id}`, { term: 'caisses' })).body.data.term).toBe('caisses')
})

test('of concurrent requests for a term one creates it', async () => {
  const statuses = (
    await Promise.all(['Ludothèque', 'ludotheques', 'LUDOTHÈQUE'].map((term) => add(term)))
  ).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([201, 409, 409])
})

test('routes of search terms return 404, 412 and 422', async () => {
  for (const body of [
    { term: '', topic: 'mairie' },
    { term: 'les', topic: 'mairie' },
    { term: '?!', topic: 'mairie' },
    { term: 'x'.repeat(61), topic: 'mairie' },
    { term: 'gymnase', topic: 'piscine' },
    { term: 'gymnase' },
    { term: 'gymnase', topic: 'mairie', key: 'x' },
  ])
    expect(await admin.post(path, body)).toBeError(422, 'validation_failed')
  const { id } = (await add('Gymnase', 'mairie')).body.data
  for (const body of [{}, { term: 'des' }, { topic: 'x' }])
    expect(await admin.patch(`${path}/${id}`, body)).toBeError(422, 'validation_failed')
  for (const call of [
    admin.patch(`${path}/${id}`, { topic: 'elus' }, stale),
    admin.delete(`${path}/${id}`, stale),
  ])
    expect(await call).toBeError(412, 'precondition_failed')
  const unknown = `${path}/${uuidv7()}`
  for (const call of [admin.get(unknown), admin.patch(unknown, { topic: 'elus' }), admin.delete(unknown)])
    expect(await call).toBeError(404, 'not_found')
  for (const query of [path, `${path}/${id}`])
    expect(await admin.get(`${query}?sort=x`)).toBeError(422, 'validation_failed')
})

test(`the list holds at most ${maxTerms} terms, also when the last are created at once`, async () => {
  const [{ count } = { count: 0 }] = await db
    .selectFrom('search_terms')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('deleted_at', 'is', null)
    .execute()
  const more = Array.from({ length: maxTerms - 1 - Number(count) }, (_, at) => `mot ${at}`)
  await db
    .insertInto('search_terms')
    .values(more.map((term) => ({ id: uuidv7(), term, key: term, topic: 'mairie' })))
    .execute()
  // Reads go on, so that without a lock each request counts before one of them has inserted.
  const adding = await db.transaction().execute(async (tx) => {
    await sql`lock table search_terms in exclusive mode`.execute(tx)
    const requests = Promise.all(['Alpha', 'Bravo', 'Charlie'].map((term) => add(term)))
    await untilWaiting(db, 3)
    return { requests }
  })
  const calls = await adding.requests
  expect(calls.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
  const refused = calls.find(({ status }) => status === 409)
  expect(refused?.body.message).toContain(`${maxTerms} terms`)
})
