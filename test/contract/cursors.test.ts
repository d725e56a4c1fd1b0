import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { uuidv7 } from '../../src/platform/formats/uuid.ts'
import { dereferenced } from '../support/openapi.ts'
import { sampled } from '../support/sample.ts'
import { openWorld, run } from '../support/world.ts'

const world = await openWorld()
const { as, app, commune, acteur, user, database, db } = world
const admin = await as('admin')
const document = dereferenced(app)

const { id: here } = await commune({ code_insee: '13055' })
const { id: hall } = await acteur({ type: 'mairie' })
const { id: author } = await user()
const about = uuidv7()
const idOf = (n: number) => `01890000-0000-7000-8000-${String(n).padStart(12, '0')}`
const at = (n: number) => `timestamptz '2026-05-04T10:00:00.123Z' + ${n % 3} * interval '1 day'`
/** Some rows have the same sort value, and some have none. */
const some = (n: number, value: string) => (n % 4 === 0 ? 'null' : value)
const status = (n: number) => (n % 2 === 0 ? `'rejected'` : `'approved'`)

await run(
  database.owner,
  `insert into import_sources (id, nom, type, url) values ('${about}', 'Agenda', 'rss', 'https://a.example');
   insert into import_runs (id, source_id, dry_run, status, started_at, finished_at)
     values ('${about}', '${about}', true, 'failed', '2026-01-04T10:00:00Z', now());
   insert into publications (id, slug, title, body, duplicate_key) values ('${about}', 'une', 'Une', 'Texte', 's:ffffffffffffffffffffffffffffffff');
   insert into support_threads (id, subject, email, said) values ('${about}', 'Un', 'a@example.org', '');
   insert into webhooks (id, url, types, secret) values ('${about}', 'https://a.example', '{publication.published}', repeat('x', 29)::bytea);
   insert into report_cases (id, publication_id, ended_at, outcome, ended_by) values ('${about}', '${about}', now(), 'kept', 'team');
   insert into subscriptions (id, provider_subscription_id, status, status_at, status_rank, status_by)
   values ('${about}', 'sub-about', 'active', now(), 1, 'x')`,
)

type Rows = { columns: string; values: (n: number) => string }
const publications: Rows = {
  columns:
    'publications (id, slug, title, body, acteur_id, date_debut, moderation_status, valide, publie_le, duplicate_key, created_at, updated_at)',
  values: (n) =>
    `'p-${n}', 'Titre ${n % 3}', 'Texte', '${hall}', ${some(n, `date '2099-05-04' + ${n % 3}`)}, ${n % 4 === 0 ? `'pending', false` : `'published', true`},
     ${some(n, at(n))}, 's:${String(n % 5).padStart(32, '0')}', ${at(n)}, ${at(n + 1)}`,
}
const reports: Rows = {
  columns: 'publication_reports (id, publication_id, category, caller_key, day, created_at)',
  values: (n) => `'${about}', 'spam', 'k${n}', '2026-05-04', ${at(n)}`,
}
const defibrillateurs: Rows = {
  columns: 'defibrillateurs (id, gid, nom, commune_nom, code_insee, mis_a_jour_le, retenu)',
  values: (n) =>
    `'g${n}', 'Nom ${n % 3}', ${some(n, `'Ville ${n % 2}'`)}, '13055', ${some(n + 1, at(n))}, true`,
}

const deletedRecords: Rows = {
  columns: 'deleted_records (id, kind, commune_id, label, content, deleted_at)',
  // Of both lists. Recent ones only can be restored.
  values: (n) =>
    `'${n % 2 === 0 ? 'alerte' : 'info'}', '${here}', 'Titre', '{}', date_trunc('day', now()) - ${n % 3} * interval '1 day'`,
}

const importRuns: Rows = {
  columns: 'import_runs (id, source_id, dry_run, status, started_at, finished_at)',
  values: (n) => `'${about}', true, 'failed', ${at(n)}, now()`,
}

const paymentEvents: Rows = {
  columns: 'payment_events (id, type, status, ended_at, received_at, fields)',
  values: (n) => `'invoice.paid', 'processed', now(), ${at(n)}, '{"subscription": "sub-about"}'`,
}

/** The rows of each list of the back-office. */
const rowsOf: Record<string, Rows> = {
  '/admin/communes': {
    columns: 'communes (id, slug, nom, code_insee, codes_postaux, departement, region, population)',
    values: (n) =>
      `'c-${n}', 'Même ${n % 3}', '98${String(n).padStart(3, '0')}', '{}', '98', '98', ${some(n, `${n % 3}`)}`,
  },
  '/admin/communes/activity': {
    columns:
      'commune_activity (id, nom, sort_name, code_insee, departement, last_message_at, collectes, subscribers)',
    values: (n) => `'Même ${n % 3}', 'meme ${n % 3}', '98', '98', ${some(n, at(n))}, ${n % 3}, ${n % 4}`,
  },
  '/admin/groups': {
    columns: 'groups (id, slug, nom, kind, created_at)',
    values: (n) => `'g-${n}', 'Nom ${n % 3}', ${n % 2 === 0 ? `'epci'` : `'autre'`}, ${at(n)}`,
  },
  '/admin/domains': {
    columns: 'domains (id, host, commune_id, token, created_at)',
    values: (n) => `'ville-${n}.test', '${here}', '${'a'.repeat(43)}', ${at(n)}`,
  },
  '/admin/communes/{id}/defibrillateurs': defibrillateurs,
  '/admin/defibrillateurs-france': defibrillateurs,
  '/admin/defibrillateurs-france/syncs': {
    columns: 'defibrillateur_syncs (id, source, status, error, finished_at)',
    values: () => `'registre', 'failed', 'x', now()`,
  },
  '/admin/publications': publications,
  '/admin/publications/{id}/history': {
    columns: 'publication_versions (id, publication_id, title, body, written_at, how)',
    values: (n) => `'${about}', 'Titre', 'Texte', ${at(n)}, 'edited'`,
  },
  '/admin/publications/{id}/reports': reports,
  '/admin/reports': reports,
  '/admin/complaints': {
    columns:
      'complaints (id, case_id, record_id, title, text, created_at, decision, answer, decided_as, decided_by, decided_at)',
    values: (n) =>
      `'${about}', '${about}', 'Titre', 'Je ne suis pas d’accord.', ${at(n)}, ${n % 2 === 0 ? 'null, null, null, null, null' : `'upheld', 'Non.', 'colleague', '${author}', now()`}`,
  },
  '/admin/alertes': {
    columns: 'alertes (id, commune_id, titre, message, niveau, created_at)',
    values: (n) => `'${here}', 'Titre', 'Texte', 'info', ${at(n)}`,
  },
  '/admin/alertes/deleted': deletedRecords,
  '/admin/communes/{id}/deleted': deletedRecords,
  '/admin/notes': {
    columns: 'notes (id, kind, record_id, body, created_by)',
    values: () => `'publication', '${about}', 'Texte', '${author}'`,
  },
  '/admin/claims': {
    columns: 'claims (id, acteur_id, user_id, message, status, created_at, ended_at)',
    values: (n) =>
      `'${hall}', '${author}', 'Bonjour', ${n % 4 === 0 ? `'expired'` : status(n)}, ${at(n)}, ${at(n + 1)}`,
  },
  '/admin/acteurs': {
    columns: 'acteurs (id, slug, nom, type, created_at)',
    values: (n) => `'a-${n}', 'Nom ${n % 3}', ${n % 2 === 0 ? `'ecole'` : `'service'`}, ${at(n)}`,
  },
  '/admin/import-sources': {
    columns: 'import_sources (id, nom, type, url, created_at)',
    values: (n) => `'Nom ${n % 3}', 'rss', 'https://a.example', ${at(n)}`,
  },
  '/admin/import-sources/{id}/runs': importRuns,
  '/admin/import-runs': importRuns,
  '/admin/import-runs/{id}/items': {
    columns: 'import_run_items (id, run_id, position, title, action)',
    values: (n) => `'${about}', ${n}, 'Titre', 'created'`,
  },
  '/admin/users': {
    columns: 'users (id, issuer, subject, email, nom, last_seen_at, created_at)',
    values: (n) =>
      `'i', 's-${n}', ${some(n, `'z${n % 3}@example.org'`)}, ${some(n + 1, `'Nom ${n % 3}'`)}, ${some(n + 2, at(n))}, ${at(n)}`,
  },
  '/admin/subscriptions': {
    columns:
      'subscriptions (id, provider_subscription_id, price, status, status_at, status_rank, status_by, current_period_end, created_at)',
    values: (n) =>
      `'sub-${n}', 'p', ${n % 2 === 0 ? `'active'` : `'canceled'`}, now(), 1, 'x', ${some(n, at(n))}, ${at(n)}`,
  },
  '/admin/payment-events': paymentEvents,
  '/admin/subscriptions/{id}/events': paymentEvents,
  '/admin/messages/threads': {
    columns: 'support_threads (id, subject, email, said, last_message_at, created_at)',
    values: (n) => `'Sujet', 'a@example.org', '', ${at(n)}, ${at(n + 1)}`,
  },
  '/admin/messages/threads/{id}/messages': {
    columns: 'support_messages (id, thread_id, direction, body, message_id, created_at)',
    values: (n) => `'${about}', 'inbound', 'Texte', '<m${n}@example.org>', ${at(n)}`,
  },
  '/admin/acts': {
    columns: 'acts (id, acteur_id, kind, title, date, sha256, bytes, pages, has_text)',
    values: (n) => `'${hall}', 'arrete', 'Titre', '2026-05-04', repeat('0', 64), ${n}, 1, true`,
  },
  '/admin/mails': {
    columns: 'publication_mails (id, publication_id, kind, email_status, email_status_at)',
    values: (n) => `'${about}', 'rejected', '${['failed', 'uncertain', 'sent'][n % 3]}', ${at(n)}`,
  },
  '/admin/webhooks/{id}/deliveries': {
    columns: 'webhook_deliveries (id, webhook_id, event, type, record_id, path, at, next_at)',
    values: (n) => `'${about}', 'test:${n}', 'publication.published', '${about}', '/', ${at(n)}, ${at(n)}`,
  },
  '/admin/audit': {
    columns: 'audit_log (id, seq, at, action, entity, entity_id)',
    values: (n) => `${1_000_000 + n}, ${at(n)}, 'tie.make', 'tie', '${n}'`,
  },
}
const owner = new pg.Client(database.owner)
await owner.connect()
const superuser = new pg.Client(database.superuser)
await superuser.connect()
// The audit log takes its times and numbers only from a copy of rows, and lets nobody else delete entries.
await superuser.query('set session_replication_role = replica')
afterAll(() => Promise.all([owner.end(), superuser.end()]))

const tableOf = ({ columns }: Rows) => columns.split(' ', 1)[0] ?? ''
const writerOf = (rows: Rows) => (tableOf(rows) === 'audit_log' ? superuser : owner)
let made = 0
async function insert(rows: Rows, count: number): Promise<void> {
  const values = Array.from({ length: count }, () => `('${idOf(++made)}', ${rows.values(made)})`)
  await writerOf(rows).query(`insert into ${rows.columns} values ${values.join(', ')}`)
}
/** Replaces the rows of earlier tests: short lists are walked in few requests. */
async function renew(rows: Rows): Promise<void> {
  await writerOf(rows).query(`delete from ${tableOf(rows)} where starts_with(id::text, '01890000')`)
  made = 0
  await insert(rows, 12)
}
for (const rows of new Set(Object.values(rowsOf))) await renew(rows)

type Parameter = { name: string; in: string; schema?: { enum?: string[] } }
const queriesOf: Record<string, string[]> = {
  '/admin/notes': [`kind=publication&id=${about}`],
  '/admin/communes': ['departement=98', 'departement=98&q=même', 'q=98'],
  '/admin/communes/activity': ['', 'departement=98'],
  '/admin/audit': ['entity=tie', 'q=tie', 'q=tie&entity=tie'],
  '/admin/acts': ['', 'state=draft'],
  '/admin/mails': ['', 'status=failed,sent', 'kind=publication_decision'],
  '/admin/publications': ['', 'q=titre', 'duplicates=true', 'q=titre&duplicates=true'],
}
const parametersOf = (path: string) => (document.paths[path]?.get?.parameters ?? []) as unknown as Parameter[]
const lists = Object.keys(document.paths).filter(
  (path) => path.startsWith('/api/v1/admin/') && parametersOf(path).some(({ name }) => name === 'page'),
)
const cases = lists.flatMap((path) => {
  const name = path.replace('/api/v1', '')
  const sorts = parametersOf(path).find((one) => one.name === 'sort')?.schema?.enum ?? ['']
  const filled = name.replace('{id}', name.startsWith('/admin/communes/') ? here : about)
  return (queriesOf[name] ?? ['']).flatMap((query) =>
    sorts
      .filter((sort) => !(sort === 'oldest_report_asc' && query.includes('duplicates')))
      .map((sort) => ({ name, path: `${filled}?${query}${sort && `&sort=${sort}`}` })),
  )
})

test('each list of the back-office with pages can be walked by cursor', () => {
  expect(lists.map((path) => path.replace('/api/v1', '')).toSorted()).toEqual(Object.keys(rowsOf).toSorted())
  for (const path of lists)
    expect(
      parametersOf(path).map(({ name }) => name),
      path,
    ).toContain('after')
})

type Step = { ids: string[]; next: string | null }
async function step(path: string, more: string): Promise<Step> {
  const { status, body, text } = await admin.get(`${path}&${more}`)
  if (status !== 200) throw new Error(`${path}&${more}: ${text}`)
  const ids = (body.data as { id: string }[]).map(({ id }) => id)
  // Within a page of messages the oldest comes first.
  return { ids: path.includes('/messages?') ? ids.reverse() : ids, next: body.meta.next }
}
/** Walks from the beginning to the end, a few rows at a time: pages end between rows with the same sort value. */
async function walk(path: string, rows: number, between: (seen: string[]) => Promise<void> = async () => {}) {
  const seen: string[] = []
  for (let next: string | null | undefined; next !== null; ) {
    const found: Step = await step(path, `per_page=${rows}${next === undefined ? '' : `&after=${next}`}`)
    seen.push(...found.ids)
    next = found.next
    if (next !== null) await between(seen)
  }
  return seen
}

const drawn = sampled(cases, 1 / 4, ({ path }) => path)

test.each(drawn)('GET $path shows the same rows by cursor as by pages', async ({ path }) => {
  const { ids, next } = await step(path, 'per_page=100')
  expect(ids.length).toBeGreaterThan(5)
  expect(next).toBeNull()
  const byPages: string[] = []
  for (let page = 1; page <= Math.ceil(ids.length / 5); page++)
    byPages.push(...(await step(path, `per_page=5&page=${page}`)).ids)
  expect(byPages).toEqual(ids)
  expect(await walk(path, 3)).toEqual(ids)
})

test.each(drawn.filter(({ path }) => !path.includes('duplicates=true')))(
  'GET $path shows each unchanged row exactly once while others are inserted and deleted',
  async ({ name, path }) => {
    const rows = rowsOf[name] as Rows
    await renew(rows)
    const gone = new Set<string>()
    const before = (await step(path, 'per_page=100')).ids
    const isOurs = (id: string) => id.startsWith('01890000') && id !== about
    let steps = 0
    const seen = await walk(path, 2, async (shown) => {
      if (++steps > 2) return
      await insert(rows, 2)
      // Nobody deletes an audit entry.
      if (name === '/admin/audit') return
      const ahead = before.find((id) => isOurs(id) && !shown.includes(id) && !gone.has(id))
      const behind = shown.find((id) => isOurs(id) && before.includes(id) && !gone.has(id))
      const ids = [ahead, behind].filter((one) => one !== undefined)
      for (const id of ids) gone.add(id)
      await writerOf(rows).query(`delete from ${tableOf(rows)} where id = any($1)`, [ids])
    })
    expect(steps).toBeGreaterThan(1)
    expect(new Set(seen).size).toBe(seen.length)
    expect(before.filter((id) => !gone.has(id) && !seen.includes(id))).toEqual([])
  },
)

test.each(lists)('GET %s refuses a cursor that is not its own', async (path) => {
  const [{ path: asked = '' } = {}, ...others] = cases.filter(({ name }) => `/api/v1${name}` === path)
  const { next } = await step(asked, 'per_page=2')
  const after = await admin.get(`${asked}&per_page=2&after=${next}`)
  expect(after.status, `${asked} ${next} ${after.text}`).toBe(200)
  expect(Object.keys(after.body.meta)).toEqual(expect.arrayContaining(['next', 'per_page', 'total']))
  expect(after.body.meta).not.toHaveProperty('current_page')
  const [order, ...values] = JSON.parse(Buffer.from(String(next), 'base64url').toString())
  const forged = [
    '',
    'x',
    'null',
    Buffer.from('{}').toString('base64url'),
    ...[
      [],
      [order],
      [order, ...values, 1],
      ['users x', ...values],
      ...['\0', '\ud800', '2026-02-31T00:00:00Z', "'", 1e300, -0.5, true, {}, [], 'infinity'].map((value) => [
        order,
        ...values.slice(0, -1),
        value,
      ]),
      [order, ...values.slice(1), null],
      [order, null, ...values.slice(1, -1), null],
    ].map((value) => Buffer.from(JSON.stringify(value)).toString('base64url')),
  ]
  for (const cursor of forged) {
    const answer = await admin.get(`${asked}&after=${cursor}`)
    // Where the last key is text, any text is a position.
    if (answer.status !== 200) expect(answer).toBeError(422, 'validation_failed')
    else expect(asked).toMatch(/sort=code_insee|events\?/)
  }
  expect(await admin.get(`${asked}&page=1&after=${next}`)).toBeError(422, 'validation_failed')
  const [other] = others.filter(({ path: one }) => one.includes('sort='))
  if (other) expect(await admin.get(`${other.path}&after=${next}`)).toBeError(422, 'validation_failed')
  expect(await db.selectFrom('publications').select('id').where('id', '=', about).execute()).toHaveLength(1)
})

test.each(['users', 'acteurs', 'subscriptions'])(
  '%s are sorted by their time, then by their id',
  async (list) => {
    const { data } = (await admin.get(`/admin/${list}?sort=created_at_asc&per_page=100`)).body
    const keys = data.map((row: { created_at: string; id: string }) => `${row.created_at} ${row.id}`)
    expect(new Set(data.map((row: { created_at: string }) => row.created_at)).size).toBeGreaterThan(2)
    expect(keys).toEqual(keys.toSorted())
  },
)
