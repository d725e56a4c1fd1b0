import pg from 'pg'
import type { Connection } from '../src/platform/database/connection.ts'

export const admin = { id: '99999999-0000-7000-8000-000000000000', email: 'admin@example.org' }

/**
 * Creates data to match that many publications: an audit log of the same length, a claim per ten, a thread per twenty,
 * an administrator. Generated in the database from numbers, the same for the same count. Skips tables that a checkout
 * does not have.
 */
export async function makeOthers(superuser: Connection, count: number): Promise<void> {
  const client = new pg.Client(superuser)
  await client.connect()
  try {
    await client.query('set session_replication_role = replica')
    await client.query(administrator, [admin.id, admin.email])
    await client.query(contacts)
    const isNumbered = await isThere(client, 'audit_log_seq')
    // Otherwise a trigger assigns the numbers.
    if (isNumbered) await client.query(numbered("nextval('audit_log_seq')"))
    await client.query(audit, [count, admin.id])
    if (isNumbered) await client.query(numbered('0'))
    await client.query(claims, [Math.floor(count / 10)])
    if (await isThere(client, 'support_threads')) {
      await client.query(threads, [Math.floor(count / 20)])
      await client.query(messages)
    }
    await client.query('vacuum (analyze)')
  } finally {
    await client.end()
  }
}

async function isThere(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query('select to_regclass($1) is not null as is', [name])
  return rows[0].is
}

const administrator = `
  with made as (
    insert into users (id, issuer, subject, email) values ($1, 'parvis', $2, $2) returning id)
  insert into user_roles (user_id, role) select id, 'admin' from made`

// Every commune has contacts.
const contacts = `
  insert into commune_infos (id, commune_id, cle, libelle, valeur, position)
  select md5(id::text || cle)::uuid, id, cle, initcap(cle), valeur, position from communes
  cross join (values ('adresse', '1 place de la Mairie', 0), ('telephone', '01 99 00 12 34', 1),
    ('horaires', 'du lundi au vendredi de 9 h à 12 h', 2)) contact (cle, valeur, position)
  on conflict do nothing`

const numbered = (by: string) => `alter table audit_log alter column seq set default ${by}`
// Oldest first.
const audit = `
  insert into audit_log (id, at, user_id, action, entity, entity_id, before, after, app_source, request_id)
  select md5('audit' || n)::uuid, now() - n * interval '90 seconds', case when n % 3 = 0 then $2::uuid end,
    'publication.' || (array['create', 'update', 'moderate', 'delete'])[1 + n % 4], 'publication',
    md5('record' || n / 4)::uuid, '{"moderation_status": "pending"}', '{"moderation_status": "published"}',
    (array['public', 'mairie', 'backoffice'])[1 + n % 3], md5('request' || n)::uuid
  from generate_series($1::int, 1, -1) n`

// At most one pending claim per acteur.
const claims = `
  insert into claims (id, acteur_id, nom, email, message, status, ended_at, pseudonymised_at, created_at, updated_at)
  select md5('claim' || n)::uuid, a.id, 'Nom ' || n, 'claim' || n || '@example.org', 'Je préside l’association depuis ' || n,
    status, case when status <> 'pending' then made + interval '3 days' end, null, made, made
  from generate_series(1, $1::int) n
  join (select id, row_number() over (order by id) as place, count(*) over () as of from acteurs) a on a.place = 1 + n % a.of
  cross join lateral (select now() - n * interval '10 minutes' as made,
    case when n < 1000 then 'pending' when n % 3 = 0 then 'rejected' else 'expired' end as status) of_claim`

const threads = `
  insert into support_threads (id, subject, email, nom, status, closed_at, unread, flag, messages_count, said,
    last_message_at, created_at, updated_at)
  select md5('thread' || n)::uuid, 'Demande ' || n, 'thread' || n || '@example.org', 'Nom ' || n,
    case when n % 3 = 0 then 'open' else 'closed' end, case when n % 3 <> 0 then made end, n % 50 = 0,
    case when n % 20 = 0 then 'red' end, 2, to_tsvector('simple', 'demande de renseignements ' || n), made, made, made
  from generate_series(1, $1::int) n cross join lateral (select now() - n * interval '20 minutes' as made) of_thread`

const messages = `
  insert into support_messages (id, thread_id, direction, body, message_id, email_status, email_status_at, created_at)
  select md5(id::text || direction)::uuid, id, direction, 'Un message à propos de la demande.', md5(id::text || direction) || '@localhost',
    email_status, case when email_status is not null then created_at end, created_at
  from support_threads cross join (values ('inbound', null), ('outbound', 'sent')) kinds (direction, email_status)`
