import { expect, test } from 'vitest'
import { openWorld } from '../support/world.ts'
import { HttpError, parvisDataProvider } from './data-provider.ts'

/** The requests that the lists, references and forms of a generic back-office, such as react-admin, send. */
const world = await openWorld()
const { acteur, commune, user } = world
const { provider, calls } = parvisDataProvider(world.url, (await user({ roles: ['admin'] })).token)

/** Returns the requests it sent. */
async function counted<T>(work: () => Promise<T>) {
  calls.length = 0
  const answer = await work()
  return { answer, asked: calls.map(({ method, path }) => `${method} ${path.split('?')[0]}`) }
}

const towns = [
  await commune({ nom: 'Abondance' }),
  await commune({ nom: 'Bozel' }),
  await commune({ nom: 'Cluses' }),
]
const clubs = await Promise.all(
  towns.map(({ id }, index) => acteur({ nom: `Club ${'ABC'[index]}`, commune_id: id, valide: true })),
)
const members = await Promise.all(
  clubs.map((club, index) =>
    user({ nom: `Membre ${'ABC'[index]}`, memberships: [{ acteur: club, role: 'owner' }] }),
  ),
)
const publicationIds: string[] = []
const claimIds: string[] = []
for (const [index, club] of clubs.entries()) {
  const client = world.client({ source: 'public', token: members[index]?.token ?? '' })
  const body = { acteur_id: club.id, title: `Titre ${'ABC'[index]}`, body: 'Corps' }
  publicationIds.push((await client.post('/publications', body)).body.data.id)
  const contact = { nom: `Nom ${'ABC'[index]}`, email: `demande${index}@example.org` }
  const claim = { acteur_id: club.id, message: 'Je le préside.', ...contact }
  claimIds.push((await world.post('/claims', claim)).body.data.id)
}

type Resource = {
  ids: string[]
  /** A filter that all of these records match. */
  filter: object
  sort: string
  /** The fields a form changes. */
  edit: object
  getOne: string
  update: string
}

const ids = (rows: { id: string }[]) => rows.map(({ id }) => id)
const resources: Record<string, Resource> = {
  publications: {
    ids: publicationIds,
    filter: { moderation_status: ['pending', 'rejected'], q: 'corps' },
    sort: 'titre',
    edit: { titre: 'Autre titre' },
    getOne: 'GET /admin/publications/{id}',
    update: 'PATCH /publications/{id}',
  },
  acteurs: {
    ids: ids(clubs),
    filter: { type: ['association', 'ecole'], valide: true, q: 'club' },
    sort: 'nom',
    edit: { telephone: '04 79 00 00 00' },
    getOne: 'GET /admin/acteurs/{id}',
    update: 'PATCH /admin/acteurs/{id}',
  },
  users: {
    ids: ids(members),
    filter: { actif: true, q: 'membre' },
    sort: 'nom',
    edit: { nom: 'Autre nom' },
    getOne: 'GET /admin/users/{id}',
    update: 'PATCH /admin/users/{id}',
  },
  claims: {
    ids: claimIds,
    filter: { status: ['pending', 'expired'], q: 'demande' },
    sort: 'created_at',
    edit: { status: 'rejected', reason: 'Sans preuve' },
    getOne: 'GET /admin/claims/{id}',
    update: 'PATCH /admin/claims/{id}',
  },
  communes: {
    ids: ids(towns),
    filter: { mairie: false, departement: '99' },
    sort: 'nom',
    edit: { population: 812 },
    getOne: 'GET /admin/communes/{id}/full',
    update: 'PATCH /admin/communes/{id}',
  },
}

test('a page shows referenced records without a request per row', async () => {
  const sort = { field: 'created_at', order: 'ASC' as const }
  const pagination = { page: 1, perPage: 25 }
  const publications = await counted(() => provider.getList('publications', { sort, pagination }))
  expect(publications.asked).toHaveLength(1)
  expect(publications.answer.data.map(({ acteur, commune }) => [acteur.nom, commune.nom])).toEqual([
    ['Club A', 'Abondance'],
    ['Club B', 'Bozel'],
    ['Club C', 'Cluses'],
  ])
  const claims = await counted(() => provider.getList('claims', { sort, pagination }))
  expect(claims.asked).toHaveLength(1)
  expect(claims.answer.data.map(({ acteur, owners }) => [acteur.nom, owners[0].nom])).toEqual([
    ['Club A', 'Membre A'],
    ['Club B', 'Membre B'],
    ['Club C', 'Membre C'],
  ])
  const people = await counted(async () => {
    const { data } = await provider.getList('users', { sort, pagination, filter: { q: 'membre' } })
    const wanted = data.flatMap(({ acteurs }) =>
      acteurs.map(({ acteur_id }: { acteur_id: string }) => acteur_id),
    )
    return provider.getMany('acteurs', { ids: wanted })
  })
  expect(people.asked).toEqual(['GET /admin/users', 'GET /admin/acteurs'])
  expect(people.answer.data).toHaveLength(3)
})

test.each(Object.entries(resources))(
  '%s are listed, referenced and edited with one request each',
  async (name, of) => {
    const [first = '', second = '', third = ''] = of.ids
    const paged = (page: number, order: 'ASC' | 'DESC') =>
      counted(() =>
        provider.getList(name, {
          filter: of.filter,
          sort: { field: of.sort, order },
          pagination: { page, perPage: 2 },
        }),
      )
    const upwards = await paged(1, 'ASC')
    expect(upwards.asked).toEqual([`GET /admin/${name}`])
    expect(upwards.answer.total).toBe(3)
    expect(ids(upwards.answer.data)).toEqual([first, second])
    expect(ids((await paged(2, 'ASC')).answer.data)).toEqual([third])
    expect(ids((await paged(1, 'DESC')).answer.data)).toEqual([third, second])

    const many = await counted(() => provider.getMany(name, { ids: [first, third] }))
    expect(many.asked).toEqual([`GET /admin/${name}`])
    expect(ids(many.answer.data).sort()).toEqual([first, third].sort())

    const one = await counted(() => provider.getOne(name, { id: second }))
    expect(one.asked).toEqual([of.getOne.replace('{id}', second)])
    const previousData = one.answer.data
    const data = { ...previousData, ...of.edit }
    const updated = await counted(() => provider.update(name, { id: second, data, previousData }))
    expect(updated.asked).toEqual([of.update.replace('{id}', second)])
    expect(updated.answer.data).toMatchObject({ id: second, ...of.edit, version: previousData.version + 1 })

    // Another person's form still holds the earlier version.
    const stale = provider.update(name, { id: second, data: { ...previousData, ...of.edit }, previousData })
    await expect(stale).rejects.toThrow(HttpError)
    await expect(stale).rejects.toMatchObject({ status: 412, body: { error: 'precondition_failed' } })
  },
)

test('lists the records of one acteur and resolves references to it after its deletion', async () => {
  const [club = { id: '' }] = clubs
  const paging = {
    pagination: { page: 1, perPage: 10 },
    sort: { field: 'created_at', order: 'DESC' as const },
  }
  const of = { target: 'acteur_id', id: club.id, filter: {}, ...paging }
  for (const name of ['publications', 'users', 'claims']) {
    const { answer, asked } = await counted(() => provider.getManyReference(name, of))
    expect(asked).toEqual([`GET /admin/${name}`])
    expect(ids(answer.data)).toEqual([resources[name]?.ids[0]])
  }
  const { data: made } = await provider.create('acteurs', { data: { nom: 'Judo', type: 'association' } })
  await provider.delete('acteurs', { id: made.id, previousData: made })
  expect(ids((await provider.getMany('acteurs', { ids: [made.id] })).data)).toEqual([made.id])
})
