import { expect, test } from 'vitest'
import { dereferenced } from '../support/openapi.ts'
import { cloneDatabase, openWorld, run } from '../support/world.ts'

const database = await cloneDatabase()
// Index scans would provide an order by themselves; without them only ORDER BY does.
for (const way of ['indexscan', 'indexonlyscan', 'bitmapscan'])
  await run(database.superuser, `alter database ${database.name} set enable_${way} = off`)
const { client, user, app, commune, acteur } = await openWorld({ database })
const document = dereferenced(app)

/** In no meaningful order: without ORDER BY rows come as stored. */
const numbers = [4, 1, 6, 3, 7, 2, 5]
const ids = numbers.map((number) => `01890000-0000-7000-8000-00000000000${number}`)
const sorted = ids.toSorted()

const at = `'2026-05-04T10:00:00Z'`
const { id: here } = await commune({ code_insee: '13055' })
const { id: mairie } = await acteur({ type: 'mairie' })
const { id: userId, token } = await user({
  roles: ['admin'],
  memberships: [{ acteur: { id: mairie }, role: 'owner' }],
})
const admin = client({ source: 'backoffice', token })
await run(database.owner, `update communes set mairie_actor_id = '${mairie}' where id = '${here}'`)
const source = '01890000-0000-7000-8000-000000000010'
const sourceColumns = 'import_sources (id, nom, type, url)'
await run(
  database.owner,
  `insert into ${sourceColumns} values ('${source}', 'Agenda', 'rss', 'https://a.example');
   insert into subscriptions (id, provider_subscription_id, status, status_at, status_rank, status_by)
   values ('${source}', 'sub-tie', 'active', ${at}, 1, 'x')`,
)

/** Seven rows equal in every sort key, except unique ones such as a code or slug. */
const alike: Record<string, (n: number) => string> = {
  'communes (id, slug, nom, code_insee, codes_postaux, departement, region, population)': (n) =>
    `'tie-${n}', 'Même', '9800${n}', '{}', '98', '98', 7`,
  'commune_activity (id, nom, sort_name, code_insee, departement, last_message_at, collectes, subscribers)':
    () => `'Même', 'meme', '98001', '98', ${at}, 3, 7`,
  'domains (id, host, commune_id, token, created_at)': (n) =>
    `'tie-${n}.test', '${here}', '${'a'.repeat(43)}', ${at}`,
  'groups (id, slug, nom, kind, created_at)': (n) => `'tie-${n}', 'Même', 'autre', ${at}`,
  'acteurs (id, slug, nom, type, commune_id, valide)': (n) => `'tie-${n}', 'Même', 'ecole', '${here}', true`,
  'users (id, issuer, subject, email, nom, last_seen_at)': (n) =>
    `'a', 'tie-${n}', 'meme@example.org', 'Même', ${at}`,
  'claims (id, acteur_id, user_id, message, status, created_at, ended_at)': () =>
    `'${mairie}', '${userId}', 'Bonjour', 'rejected', ${at}, ${at}`,
  'defibrillateurs (id, gid, nom, commune_nom, code_insee, latitude, longitude, mis_a_jour_le, retenu)': (
    n,
  ) => `'tie-${n}', 'Même', 'Marseille', '13055', 43.3, 5.4, ${at}, true`,
  [sourceColumns]: () => `'Même', 'rss', 'https://a.example'`,
  'import_runs (id, source_id, dry_run, status, started_at, finished_at)': () =>
    `'${source}', true, 'failed', ${at}, ${at}`,
  'subscriptions (id, provider_subscription_id, price, status, status_at, status_rank, status_by, current_period_end)':
    (n) => `'tie-${n}', 'p', 'active', ${at}, 1, 'x', ${at}`,
  'payment_events (id, type, status, ended_at, received_at, fields)': () =>
    `'invoice.paid', 'processed', ${at}, ${at}, '{"subscription": "sub-tie"}'`,
  'support_threads (id, subject, email, said, last_message_at, created_at)': () =>
    `'Même', 'a@example.org', '', ${at}, ${at}`,
  'support_messages (id, thread_id, direction, body, message_id, created_at)': (n) =>
    `'${ids[0]}', 'inbound', 'Même', '<tie-${n}@example.org>', ${at}`,
  'audit_log (id, seq, at, action, entity, entity_id)': (n) =>
    `${1_000 + n}, ${at}, 'tie.make', 'tie', 'tie-${n}'`,
  'publications (id, slug, title, body, acteur_id, commune_id, date_debut, moderation_status, valide, publie_le, duplicate_key, created_at, updated_at)':
    (n) =>
      `'tie-${n}', 'Même', 'Même', '${mairie}', '${here}', '2099-05-04', 'published', true, ${at}, 's:${String(n).padStart(32, '0')}', ${at}, ${at}`,
  'publication_communes (publication_id, commune_id)': () => `'${here}'`,
  'publication_hidings (publication_id, commune_id)': () => `'${ids[0]}'`,
  'publication_reports (id, publication_id, category, caller_key, day, created_at)': (n) =>
    `'${ids[0]}', 'spam', 'k${n}', '2026-05-04', ${at}`,
  'report_cases (id, publication_id, ended_at, outcome, ended_by)': () =>
    `'${ids[0]}', ${at}, 'kept', 'team'`,
  'complaints (id, case_id, record_id, title, text, created_at)': () =>
    `'${ids[0]}', '${ids[0]}', 'Même', 'Je ne suis pas d’accord.', ${at}`,
  'publication_mails (id, publication_id, kind, email_status, email_status_at)': (n) =>
    `'${ids[0]}', 'rejected', '${n % 2 === 0 ? 'sent' : 'failed'}', ${at}`,
  'alertes (id, commune_id, titre, message, niveau, created_at)': () =>
    `'${here}', 'Même', 'Même', 'info', ${at}`,
  'alerte_hidings (alerte_id, commune_id)': () => `'${ids[0]}'`,
  'acts (id, acteur_id, kind, title, date, sha256, bytes, pages, has_text)': () =>
    `'${mairie}', 'arrete', 'Même', '2026-05-04', repeat('0', 64), 1, 1, true`,
  'deleted_records (id, kind, commune_id, label, content)': () => `'info', '${here}', 'Même', '{}'`,
}
for (const [columns, values] of Object.entries(alike)) {
  const rows = numbers.map((number, index) => `('${ids[index]}', ${values(number)})`)
  const insert = `insert into ${columns} values ${rows.join(', ')}`
  // The audit log takes its times and numbers only from a copy of rows.
  if (columns.startsWith('audit_log'))
    await run(database.superuser, `set session_replication_role = replica; ${insert}`)
  else await run(database.owner, insert)
}
// The id of a deleted record is its key, so those of alertes have ids of their own, in the same order.
await run(
  database.owner,
  `insert into deleted_records (id, kind, commune_id, label, content)
   select replace(id::text, '-8000-', '-8001-')::uuid, 'alerte', commune_id, label, content from deleted_records`,
)
const withKnownId = ({ id }: { id: string }) => id.replace('-8001-', '-8000-')

const parameters: Record<string, string> = { acteurId: mairie, communeId: here, id: source }

type Parameter = { name: string; schema?: { enum?: string[] } }
const lists = Object.entries(document.paths).flatMap(([path, methods]) => {
  const given = (methods.get?.parameters ?? []) as unknown as Parameter[]
  const sorts = given.find(({ name }) => name === 'sort')?.schema?.enum
  return (sorts ?? []).map((sort) => ({ path: path.replace('/api/v1', ''), sort }))
})

test('the document names the sortable lists', () => {
  expect(lists.length).toBeGreaterThan(60)
})

/** The order of lists without `sort`, or by default. */
const inOneOrder: [path: string, newestFirst: boolean][] = [
  ['/communes?departement=98', false],
  ['/communes?q=Même', false],
  [`/communes/${here}/acteurs`, false],
  [`/communes/${here}/alertes`, true],
  [`/mairie/communes/${here}/alertes`, true],
  [`/mairie/communes/${ids[0]}/group-publications`, true],
  ['/publications', true],
  ['/publications?q=Même', true],
  ['/publications?q=Même&sort=date_debut_asc', false],
  [`/communes/${here}/publications`, true],
  [`/acteurs/${mairie}/publications`, true],
  ['/defibrillateurs?code_insee=13055', false],
  ['/defibrillateurs?lat=43.3&lon=5.4', false],
  ['/me/claims', true],
  [`/admin/publications/${ids[0]}/reports`, true],
  [`/admin/messages/threads/${ids[0]}/messages`, false],
]

test.each(inOneOrder)('GET %s orders ties by id', async (path, newestFirst) => {
  expect(await idsOf(path)).toEqual(newestFirst ? sorted.toReversed() : sorted)
})

test.each(lists)('GET $path?sort=$sort orders ties by id', async ({ path, sort }) => {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    path.startsWith('/admin/communes/') ? here : (parameters[name] ?? name),
  )
  const expected = sort.endsWith('_desc') ? sorted.toReversed() : sorted
  // One of them is reported.
  const [first = ''] = sort === 'oldest_report_asc' ? ids : expected
  const found = await idsOf(`${filled}?sort=${sort}&per_page=100`)
  expect(found).toEqual([first, ...expected.filter((id) => id !== first)])
})

test('the alerts of groups for a commune order ties by id', async () => {
  await run(database.owner, `update alertes set commune_id = null, acteur_id = '${mairie}'`)
  const path = `/mairie/communes/${ids[0]}/group-alertes`
  expect(await idsOf(path)).toEqual(sorted.toReversed())
})

async function idsOf(path: string): Promise<string[]> {
  const { status, text, body } = await admin.get(path)
  if (status !== 200) throw new Error(text)
  return (body.data as { id: string }[]).map(withKnownId).filter((id) => ids.includes(id))
}
