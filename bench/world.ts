import { digestOfValue, newCookieValue } from '../src/platform/access/cookies.ts'
import { signToken } from '../src/platform/access/tokens.ts'
import { uuidv7 } from '../src/platform/formats/uuid.ts'
import { run } from './connections.ts'
import type { Landmarks } from './data.ts'
import type { Filled } from './databases.ts'
import { admin } from './other-data.ts'
import { secret } from './service.ts'

/** Records of a filled database that requests can use. */
export type World = Landmarks & {
  token: string
  /** The value of the cookie of a session of the same administrator. */
  session: string
  /** Number of publications. */
  count: number
  communeSlug: string
  /** Small communes, and acteurs with few publications. */
  communes: { id: string; slug: string }[]
  acteurs: string[]
  typeId: string
  /** A day in the middle of all dates. */
  day: string
  /** Public publications, and some to moderate. */
  publications: string[]
  moderated: string[]
  /** Acteurs that publish without moderation, and some without a claim. */
  publishing: string[]
  unclaimed: string[]
  /** Returns a new number each time. */
  next(): number
}

export async function lookAround({ database, landmarks, count }: Filled): Promise<World> {
  const ids = async (statement: string) => (await run(database.superuser, statement)).map(({ id }) => id)
  const [commune] = await run(database.superuser, 'select slug from communes where id = $1', [
    landmarks.bigCommune,
  ])
  const communes = await run(
    database.superuser,
    `select id, slug from communes order by population desc nulls last, code_insee offset 9000 limit 20000`,
  )
  const [type] = await ids('select id from publication_types order by position limit 1')
  const [middle] = await run(
    database.superuser,
    'select percentile_disc(0.5) within group (order by date_debut)::text as day from publications where date_debut is not null',
  )
  const shown = await ids(`select p.id from publications p join acteurs a on a.id = p.acteur_id
    where p.valide and p.moderation_status = 'published' and p.deleted_at is null and p.publie_le < now()
      and a.active and a.deleted_at is null order by md5(p.id::text) limit 40000`)
  let numbers = 0
  return {
    ...landmarks,
    count,
    session: await openSession(database),
    token: await signToken(secret, admin.email, admin.email, 86_400, new Date()),
    communeSlug: commune.slug,
    communes,
    acteurs: await ids(
      `select id from acteurs where id >= '${landmarks.smallActeur}' and active and deleted_at is null order by id limit 5000`,
    ),
    typeId: type,
    day: middle.day,
    publications: shown.filter((_, at) => at % 2 === 0),
    moderated: shown.filter((_, at) => at % 2 === 1),
    publishing: await ids(
      `select id from acteurs where can_publish and active and valide and deleted_at is null and commune_id is not null
       order by md5(id::text) limit 5000`,
    ),
    unclaimed: await ids(`select id from acteurs a where active and deleted_at is null
      and not exists (select from claims c where c.acteur_id = a.id and c.status = 'pending') order by md5(id::text)`),
    next: () => ++numbers,
  }
}

/** Opens an administrator's session, as sign-in does. */
async function openSession({ superuser }: Filled['database']): Promise<string> {
  const value = newCookieValue()
  await run(
    superuser,
    `insert into sessions (id, user_id, token_hash, method, expires_at)
     select $1, id, $2, 'email', now() + interval '7 days' from users where issuer = 'parvis' and subject = $3`,
    [uuidv7(), digestOfValue(value), admin.email],
  )
  return value
}
