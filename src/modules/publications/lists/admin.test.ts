import { expect, test } from 'vitest'
import { statementsAbout } from '../../../../test/support/statements.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { insertPublication } from '../publications.test-kit.ts'
import { moderationStatuses } from '../schema.ts'
import { hiddenReasons } from '../visibility.ts'
import type { Sort } from './schema.ts'
import { sorts } from './sorts.ts'

const world = await openWorld()
const { db, as } = world
const admin = await as('admin')

const communes = await Promise.all([world.commune(), world.commune()])
const acteurs = await Promise.all([world.acteur(), world.acteur({ active: false })])
const types = ['01998000-0000-7000-8000-000000000001', '01998000-0000-7000-8000-000000000002']
const words = ['marché', 'fête', 'école']
const day = 86_400_000
const ago = (days: number) => new Date(Date.now() - Math.floor(days * day))
const keyOf = (number: number) => `${number % 2 ? 'u' : 's'}:${number.toString(16).padStart(32, '0')}`

const drafts = Array.from({ length: 240 }, (_, n) => draft(n))
const sortTitles = await insertAll()
const made = drafts.map(({ row, commune_ids, reports }) => ({
  ...row,
  sort_title: sortTitles.get(row.id) ?? '',
  commune_ids,
  featured: row.en_avant && (row.featured_until === null || row.featured_until > new Date()),
  reported: reports.includes(null),
}))
type Made = (typeof made)[number]

/** Coprime numbers mix the properties, so that nearly all combinations occur. */
function draft(n: number) {
  const status = moderationStatuses[n % 4] ?? 'pending'
  const may = status === 'approved' || status === 'published'
  const row = {
    id: uuidv7(),
    slug: `liste-${n}`,
    title: `${words[n % 3]} ${n % 50}`,
    body: `Texte ${n}`,
    acteur_id: acteurs[n % 5]?.id ?? null,
    type_id: types[n % 7] ?? null,
    moderation_status: status,
    valide: may && n % 11 !== 0,
    publie_le: status === 'published' || n % 3 === 0 ? ago((n % 13) - 2) : null,
    date_debut: n % 6 === 0 ? null : `2026-11-${String(1 + (n % 28)).padStart(2, '0')}`,
    deleted_at: n % 9 === 0 ? ago(1) : null,
    en_avant: n % 8 === 0,
    featured_until: n % 16 === 0 ? ago(n % 32 === 0 ? 1 : -1) : null,
    duplicate_key: keyOf(n % 3 === 0 ? 1_000 + Math.floor(n / 9) : n),
    created_at: ago((n * 7) % 17),
    updated_at: ago((n * 5) % 19),
  }
  return {
    row,
    commune_ids: communes.filter((_, index) => (n + index) % (3 + index) === 0).map(({ id }) => id),
    /** When each was closed; null: open. */
    reports: n % 10 === 0 ? [n % 20 === 0 ? ago(0) : null, ago(0)] : [],
  }
}

/** Inserts with one statement per table and returns the title sort keys. */
async function insertAll(): Promise<Map<string, string | null>> {
  const rows = await db
    .insertInto('publications')
    .values(drafts.map(({ row }) => row))
    .returning(['id', 'sort_title'])
    .execute()
  const links = drafts.flatMap(({ row, commune_ids }) =>
    commune_ids.map((commune_id) => ({ publication_id: row.id, commune_id })),
  )
  await db.insertInto('publication_communes').values(links).execute()
  const reports = drafts.flatMap(({ row, reports }) =>
    reports.map((closed_at) => ({
      id: uuidv7(),
      publication_id: row.id,
      caller_key: uuidv7(),
      day: '2026-11-20',
      closed_at,
    })),
  )
  await db.insertInto('publication_reports').values(reports).execute()
  return new Map(rows.map(({ id, sort_title }) => [id, sort_title]))
}

const live = made.filter(({ deleted_at }) => deleted_at === null)
const members = Map.groupBy(live, (row) => row.duplicate_key)
const countOf = (row: Made) => (row.deleted_at === null ? (members.get(row.duplicate_key)?.length ?? 0) : 0)

const isUnsettled = ({ duplicate_key, ...row }: Made) => {
  const open = members.get(duplicate_key)?.filter((one) => one.moderation_status !== 'rejected') ?? []
  return open.length > 1 && open.some(({ id }) => id === row.id)
}

const isVisible = ({ valide, publie_le, deleted_at, acteur_id }: Made) =>
  valide &&
  publie_le !== null &&
  publie_le <= new Date() &&
  deleted_at === null &&
  acteur_id !== acteurs[1]?.id
const some = made.filter((_, index) => index % 3 === 0)

const [acteur, commune, type] = [acteurs[0]?.id ?? '', communes[0]?.id ?? '', types[0] ?? '']
const filters: [string, (row: Made) => boolean][] = [
  ['', () => true],
  ['q=MARCHE', (row) => row.title.startsWith('marché')],
  ['q=ecol', (row) => row.title.startsWith('école')],
  [`commune_id=${commune}`, (row) => row.commune_ids.includes(commune)],
  [`acteur_id=${acteur}`, (row) => row.acteur_id === acteur],
  [`type_id=${type}`, (row) => row.type_id === type],
  ...moderationStatuses.map((status): [string, (row: Made) => boolean] => [
    `moderation_status=${status}`,
    (row) => row.moderation_status === status,
  ]),
  ['valide=true', (row) => row.valide],
  ['valide=false', (row) => !row.valide],
  ['deleted=true', () => true],
  ['deleted=only', (row) => row.deleted_at !== null],
  ['reported=true', (row) => row.reported],
  ['reported=false', (row) => !row.reported],
  ['en_avant=true', (row) => row.featured],
  ['en_avant=false', (row) => !row.featured],
  ['duplicates=true', (row) => countOf(row) > 1],
  ['unsettled=true', isUnsettled],
  [`duplicate_key=${keyOf(1_001)}`, (row) => row.duplicate_key === keyOf(1_001) && row.deleted_at === null],
  ['visible=true', (row) => isVisible(row)],
  ['visible=false', (row) => !isVisible(row)],
  [`type_id=${types}`, (row) => row.type_id !== null],
  ['moderation_status=pending,rejected', ({ moderation_status: status }) => /pend|rej/.test(status)],
  ['moderation_status=rejected,published,approved', (row) => row.moderation_status !== 'pending'],
  ['valide=false,true', () => true],
  [`ids=${some.map(({ id }) => id.toUpperCase())}`, (row) => some.includes(row)],
]

const columns = {
  created_at: (row: Made) => row.created_at.getTime(),
  updated_at: (row: Made) => row.updated_at.getTime(),
  publie_le: (row: Made) => row.publie_le?.getTime() ?? null,
  date_debut: (row: Made) => row.date_debut,
  titre: (row: Made) => row.sort_title,
}

function ordered(rows: Made[], sort: Sort): Made[] {
  const [, column, direction] = /^(\w+)_(asc|desc)$/.exec(sort) ?? []
  const read = columns[column as keyof typeof columns]
  const sign = direction === 'asc' ? 1 : -1
  return rows.toSorted((one, other) => {
    const [a, b] = [read(one), read(other)]
    if (a === null || b === null) {
      if (a === b) return sign * (one.id < other.id ? -1 : 1)
      return a === null ? 1 : -1
    }
    if (a === b) return sign * (one.id < other.id ? -1 : 1)
    return sign * (a < b ? -1 : 1)
  })
}

/** Groups in the order of their first member, members together. */
const grouped = (rows: Made[]) => [...Map.groupBy(rows, (row) => row.duplicate_key).values()].flat()

async function expectList(query: string, expected: Made[]) {
  const ids: string[] = []
  for (let page = 1; ; page++) {
    const { status, body } = await admin.get(`/admin/publications?${query}&per_page=70&page=${page}`)
    expect(status, query).toBe(200)
    expect(body.meta, query).toEqual({
      current_page: page,
      last_page: Math.max(1, Math.ceil(expected.length / 70)),
      per_page: 70,
      total: expected.length,
      next: page * 70 < expected.length ? expect.any(String) : null,
    })
    ids.push(...body.data.map(({ id }: { id: string }) => id))
    if (page >= body.meta.last_page) break
  }
  expect(ids, query).toEqual(expected.map(({ id }) => id))
}

const kept = (queries: string[], fits: (row: Made) => boolean) => {
  const withDeleted = queries.some((query) => query.startsWith('deleted='))
  return made.filter((row) => (withDeleted || row.deleted_at === null) && fits(row))
}

test.each(filters)('each sort, alone and with the filter %s', async (query, fits) => {
  for (const sort of sorts) {
    const rows = ordered(kept([query], fits), sort)
    await expectList(`${query}&sort=${sort}`, query === 'duplicates=true' ? grouped(rows) : rows)
  }
})

test.each(filters.slice(1))(
  'each filter combined with another: %s',
  async (query, fits) => {
    for (const [index, [other, fitsToo]] of filters.slice(1).entries()) {
      const same = other.split('=')[0] === query.split('=')[0]
      if (same || other <= query) continue
      const sort = sorts[(query.length + index) % sorts.length] ?? 'created_at_desc'
      const rows = ordered(
        kept([query, other], (row) => fits(row) && fitsToo(row)),
        sort,
      )
      const duplicates = [query, other].includes('duplicates=true')
      await expectList(`${query}&${other}&sort=${sort}`, duplicates ? grouped(rows) : rows)
    }
  },
  60_000,
)

test('all filters combined', async () => {
  const target = live.find((row) => row.acteur_id && row.type_id && row.commune_ids.length && row.valide)
  const { acteur_id, type_id, commune_ids, moderation_status } = target ?? {}
  const query = `acteur_id=${acteur_id}&type_id=${type_id}&commune_id=${commune_ids?.[0]}&valide=true&moderation_status=${moderation_status}&deleted=false&q=${target?.title.slice(0, 3)}`
  const { body } = await admin.get(`/admin/publications?${query}`)
  expect(body.data.map(({ id }: { id: string }) => id)).toContain(target?.id)
})

test('GET /admin/publications returns 200, newest first, 25 a page, with managed fields', async () => {
  const { status, body, headers } = await admin.get('/admin/publications')
  expect(status).toBe(200)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(body.meta).toEqual({
    current_page: 1,
    last_page: Math.ceil(live.length / 25),
    per_page: 25,
    total: live.length,
    next: expect.any(String),
  })
  const [first] = ordered(live, 'created_at_desc')
  expect(body.data[0]).toMatchObject({ id: first?.id, version: 1, reports_open: expect.any(Number) })
  expect(body.data[0]).not.toHaveProperty('duplicate_key')
  const beyond = await admin.get('/admin/publications?page=1000000000000')
  expect(beyond.body).toMatchObject({ data: [], meta: { total: live.length } })
})

test('duplicates show the reason and the size of the whole group, regardless of other filters', async () => {
  const { body } = await admin.get(
    '/admin/publications?duplicates=true&moderation_status=pending&per_page=100',
  )
  expect(body.data.length).toBeGreaterThan(0)
  for (const row of body.data) {
    const expected = made.find(({ id }) => id === row.id)
    if (expected === undefined) throw new Error(`${row.id} was never made`)
    const { duplicate_key } = expected
    const duplicate_reason = duplicate_key.startsWith('u:') ? 'source_url' : 'signature'
    expect(row).toMatchObject({ duplicate_key, duplicate_reason, duplicate_count: countOf(expected) })
  }
})

test('a duplicate group ends when all but one are deleted and returns when one is restored', async () => {
  const [one, other] = await Promise.all(
    [1, 2].map(() => insertPublication(world, { duplicate_key: keyOf(77_777), title: 'pareil' })),
  )
  const shown = async () => {
    const { body } = await admin.get('/admin/publications?duplicates=true&q=pareil')
    return body.data.map(({ duplicate_count }: { duplicate_count: number }) => duplicate_count)
  }
  const groupOf = async () => (await admin.get(`/admin/publications/${one?.id}`)).body.data.duplicate_group
  expect(await shown()).toEqual([2, 2])
  expect(await groupOf()).toBe(keyOf(77_777))
  await admin.delete(`/admin/publications/${one?.id}`)
  expect(await shown()).toEqual([])
  await admin.patch(`/admin/publications/${one?.id}/restore`)
  expect(await shown()).toEqual([2, 2])
  for (const row of [one, other])
    await db
      .deleteFrom('publications')
      .where('id', '=', row?.id ?? '')
      .execute()
})

test.each([
  'sort=newest',
  'sort=created_at',
  'moderation_status=gone',
  'moderation_status=',
  'ids=',
  'ids=12',
  `ids=${Array.from({ length: 101 }, () => uuidv7())}`,
  'visible=maybe',
  'valide=maybe',
  'deleted=maybe',
  'duplicates=1',
  'unsettled=1',
  'duplicate_key=x',
  'reported=x',
  'en_avant=x',
  'commune_id=12',
  'acteur_id=12',
  'type_id=12',
  'page=0',
  'per_page=abc',
])('GET /admin/publications returns 422: %s', async (query) => {
  const answer = await admin.get(`/admin/publications?${query}`)
  expect(answer).toBeError(422, 'validation_failed')
  // With several values, the index of the wrong one.
  expect(answer.body.details[0].field.replace(/\.0$/, '')).toBe(query.split('=')[0])
})

test.each(['', '&duplicates=true'])('needs as many statements for 1, 20 and 100 rows%s', async (more) => {
  const counts = []
  for (const size of [1, 20, 100]) {
    const made = await statementsAbout(/publication/, async () => {
      const { body } = await admin.get(`/admin/publications?deleted=true&per_page=${size}${more}`)
      expect(body.data.length).toBeGreaterThan(size / 2)
    })
    counts.push(made.length)
  }
  // The record of the acteurs needs one more statement, if there are acteurs.
  expect(counts.every((count) => count <= 4)).toBe(true)
})

/** All rows of the list, page by page. */
async function allRows(query: string): Promise<{ id: string; hidden_because: string[] }[]> {
  const rows = []
  for (let page = 1; ; page++) {
    const { status, body } = await admin.get(`/admin/publications?per_page=100&page=${page}&${query}`)
    expect(status).toBe(200)
    rows.push(...body.data)
    if (page >= body.meta.last_page) {
      expect(rows).toHaveLength(body.meta.total)
      return rows
    }
  }
}

test.each([
  ...hiddenReasons.map((reason) => [reason]),
  ['no_time', 'not_yet'],
  ['deleted', 'acteur_inactive'],
])(
  'GET /admin/publications returns 200 with publications hidden by %s %s, in each sort and with other filters',
  async (...reasons: string[]) => {
    const asked = `hidden_because=${reasons.join(',')}`
    const scope = reasons.includes('deleted') ? 'deleted=true' : ''
    const isHidden = (row: { hidden_because: string[] }) =>
      row.hidden_because.some((reason) => reasons.includes(reason))
    for (const others of [
      '',
      'moderation_status=approved',
      'visible=false',
      'valide=true',
      'sort=titre_asc',
    ]) {
      const expected = (await allRows(`${scope}&${others}`)).filter(isHidden).map(({ id }) => id)
      expect(
        (await allRows(`${asked}&${others}`)).map(({ id }) => id),
        others,
      ).toEqual(expected)
    }
    expect(await allRows(`${asked}&visible=true`)).toEqual([])
  },
)

test('GET /admin/publications returns 422 for an unknown reason', async () => {
  expect(await admin.get('/admin/publications?hidden_because=bad_weather')).toBeError(
    422,
    'validation_failed',
  )
})

test('what a group publishes for a commune counts once there, and a deleted publication not at all', async () => {
  const [here, other] = [await world.commune(), await world.commune()]
  const author = await world.acteur({ type: 'intercommunalite' })
  for (const nom of ['Agglomération', 'Syndicat']) {
    const group = { id: uuidv7(), slug: uuidv7(), nom, kind: 'autre', acteur_id: author.id }
    await db.insertInto('groups').values(group).execute()
    await db
      .insertInto('group_communes')
      .values([here, other].map(({ id }) => ({ group_id: group.id, commune_id: id })))
      .execute()
  }
  const ofGroup = await insertPublication(world, { acteur_id: author.id, commune_id: null })
  const own = await insertPublication(world, { commune_id: here.id })
  const elsewhere = { acteur_id: author.id, commune_id: other.id }
  const [limited, deleted] = [
    await insertPublication(world, elsewhere),
    await insertPublication(world, { commune_id: here.id }),
  ]
  expect((await admin.delete(`/admin/publications/${deleted.id}`)).status).toBe(200)
  const found = async (query: string) => {
    const { body } = await admin.get(`/admin/publications?${query}`)
    expect(body.meta.total).toBe(body.data.length)
    return body.data.map(({ id }: { id: string }) => id).toSorted()
  }
  expect(await found(`commune_id=${here.id}`)).toEqual([ofGroup.id, own.id].toSorted())
  expect(await found(`commune_id=${other.id}`)).toEqual([ofGroup.id, limited.id].toSorted())
  expect(await found(`commune_id=${here.id}&acteur_id=${author.id}`)).toEqual([ofGroup.id])
})
