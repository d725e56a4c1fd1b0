import { type RawBuilder, sql } from 'kysely'
import { isSameSecret, lockDigests, newSecret, readToken } from '../../platform/access/sealed-addresses.ts'
import type { Database } from '../../platform/database/connect.ts'
import { unprepared } from '../../platform/database/pools/prepared.ts'
import { notFound } from '../../platform/errors.ts'
import { isUuid, uuidv7 } from '../../platform/formats/uuid.ts'
import type { Deps } from '../../platform/module.ts'
import { listSecteursOf, presentName } from '../communes/secteurs/names.ts'
import type { Addresses, Channel, Contents } from './addresses.ts'
import { type Choice, type FollowedPlace, namedPlaces } from './choices.ts'
import { confirmation } from './confirming.ts'

/**
 * A resident asks, confirms, changes and leaves:
 *
 *   asked ── confirmed ──► sent to ──► left, erased, or the address refuses mail for good
 *     └── after 48 hours without confirmation: deleted
 *
 * A browser is confirmed at once: the permission that it asked for is the consent, and nobody else knows its endpoint. It counts once
 * its push service has accepted a first message (`proving.ts`).
 *
 * Whoever fills the form proves nothing, so what it asks for changes nothing that is confirmed, and its answer is the same
 * for every address. One mail an hour at most goes to an address; its link shows what was asked for, also by a later form, and
 * each commune or group has a button there that confirms it alone. Of what is not confirmed, an address has the newest ten. A row of
 * `resident_subscribers` is an address; a row of `resident_choices` is what it gets about one commune, a row of
 * `resident_group_choices` what it gets of a group itself, and `followed_places` reads both. An address without choices is deleted.
 *
 * Locks: an address is taken by advisory locks on its digests, then by its row. Who deletes a row locks it `for update`
 * first, which waits for a broadcast that refers to it (its foreign key takes `for key share`), and then deletes what is
 * queued.
 */
type Tools = Pick<Deps, 'db'> & { jobs: Pick<Deps['jobs'], 'enqueue'>; addresses: Addresses }

/** So that a stranger cannot fill the page of somebody else. */
const maxPending = 10

/** Stores what was asked for, and queues a mail to confirm it unless one was asked for within the hour. */
export function askToSubscribe(
  { db, jobs, addresses }: Tools,
  address: string,
  place: FollowedPlace,
  choice: Choice,
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const id = await findOrInsert(tx, addresses, { channel: 'email', address })
    await storeChoice(tx, id, place, choice, { isConfirmed: false })
    await deleteChoices(
      tx,
      id,
      sql`place_id in (
        select place_id from followed_places where subscriber_id = ${id} and confirmed_at is null
        order by asked_at desc, place_id desc offset ${maxPending})`,
    )
    const { rows } = await sql`
      update resident_subscribers set email_status = 'queued', email_status_at = now(),
        email_settled_at = null, email_asked_at = now()
      where id = ${id} and coalesce(email_asked_at, '-infinity') <= now() - interval '1 hour' returning id`.execute(
      tx,
    )
    if (rows.length > 0) await jobs.enqueue(tx, confirmation, { subscriberId: id })
  })
}

/** Locks the address, and returns its row; inserts one if there is none. */
export async function findOrInsert(
  tx: Database,
  addresses: Addresses,
  contents: Omit<Contents, 'secret'>,
): Promise<string> {
  const { channel, address } = contents
  const digests = addresses.digests(channel, address)
  await lockDigests(tx, digests)
  const { rows } = await sql<{ id: string }>`
    select id from resident_subscribers where channel = ${channel} and address_digest = any(${digests}::bytea[])
    for no key update`.execute(tx)
  const [known] = rows
  if (known !== undefined) return known.id
  const id = uuidv7()
  const sealed = addresses.seal(id, { ...contents, secret: newSecret() })
  await sql`
    insert into resident_subscribers (id, channel, address, address_digest, key_id, is_proven)
    values (${id}, ${channel}, ${sealed.address}, ${sealed.address_digest}, ${sealed.key_id}, ${channel === 'email'})`.execute(
    tx,
  )
  return id
}

/**
 * Stores what a resident asks for about a place. What the owner of the address has not confirmed changes nothing that is; what a
 * browser asks for is confirmed.
 */
export async function storeChoice(
  tx: Database,
  id: string,
  place: FollowedPlace,
  { alertes, collectes_hour, collectes_secteur, actualites }: Choice,
  { isConfirmed }: { isConfirmed: boolean },
): Promise<void> {
  const confirmedAt = isConfirmed ? sql`now()` : sql`null`
  if (place.isGroup)
    await sql`
      insert into resident_group_choices as ch (subscriber_id, group_id, alertes, actualites, confirmed_at)
      values (${id}, ${place.id}, ${alertes}, ${actualites}, ${confirmedAt})
      on conflict (subscriber_id, group_id) do update set alertes = excluded.alertes, actualites = excluded.actualites,
        asked_at = now(), confirmed_at = coalesce(ch.confirmed_at, excluded.confirmed_at)
      where ch.confirmed_at is null or ${isConfirmed}`.execute(tx)
  else
    await sql`
      insert into resident_choices as ch (
        subscriber_id, commune_id, alertes, collectes_hour, collectes_secteur, actualites, confirmed_at)
      values (${id}, ${place.id}, ${alertes}, ${collectes_hour}, ${collectes_secteur}, ${actualites}, ${confirmedAt})
      on conflict (subscriber_id, commune_id) do update set alertes = excluded.alertes,
        collectes_hour = excluded.collectes_hour, collectes_secteur = excluded.collectes_secteur,
        actualites = excluded.actualites, asked_at = now(), confirmed_at = coalesce(ch.confirmed_at, excluded.confirmed_at)
      where ch.confirmed_at is null or ${isConfirmed}`.execute(tx)
}

/** Deletes the choices of a subscriber, or of several, that a condition on `place_id`, `confirmed_at` and `asked_at` matches. */
async function deleteChoices(
  tx: Database,
  ids: string | string[],
  which: RawBuilder<unknown>,
): Promise<void> {
  const found = sql`
    select subscriber_id, place_id from followed_places where subscriber_id = any(${[ids].flat()}::uuid[]) and ${which}`
  await sql`
    with found as materialized (${found}),
    of_communes as (
      delete from resident_choices ch using found where (ch.subscriber_id, ch.commune_id) = (found.subscriber_id, found.place_id))
    delete from resident_group_choices ch using found
    where (ch.subscriber_id, ch.group_id) = (found.subscriber_id, found.place_id)`.execute(tx)
}

/** The choices of a subscriber, requested or confirmed: communes, then groups, by name. */
export type Subscriber = { id: string; token: string; channel: Channel; choices: ChosenPlace[] }
export type ChosenPlace = Choice & {
  place_id: string
  isGroup: boolean
  slug: string
  nom: string
  isConfirmed: boolean
}

/**
 * The secteurs of communes that residents choose from, by commune: those of collections, and others to which an address can
 * lead. None for a commune without collections, [] where they are the same everywhere.
 */
export async function listSecteurNames(db: Database, communeIds: string[]): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ id: string; secteurs: string[] }>`
    select commune_id as id, array_remove(array_agg(distinct secteur order by secteur), null) as secteurs
    from (
      select commune_id, secteur from collectes where commune_id = any(${communeIds}::uuid[])
      union all
      select s.commune_id, s.nom from secteurs s
      where s.commune_id = any(${communeIds}::uuid[]) and (s.rues <> '[]' or s.zone is not null)
        and exists (select from collectes c where c.commune_id = s.commune_id)) named
    group by commune_id`.execute(db)
  return new Map(rows.map(({ id, secteurs }) => [id, secteurs]))
}

/** Choices that may still be confirmed. */
const isAlive = sql<boolean>`(confirmed_at is not null or asked_at > now() - interval '48 hours')`

/** Finds the subscriber of a link; null if there is none any more. 404 if it is no such link. */
export async function findSubscriber(
  db: Database,
  addresses: Addresses,
  token: string,
): Promise<Subscriber | null> {
  if (readToken(token) === null) throw notFound()
  const found = await findByToken(db, addresses, token)
  if (found === null) return null
  const { id, channel } = found
  const { rows } = await sql<ChosenPlace>`
    select ch.place_id, place.is_group as "isGroup", place.slug, place.nom, ch.alertes, ch.collectes_hour,
      ch.collectes_secteur, ch.actualites, ch.confirmed_at is not null as "isConfirmed"
    from followed_places ch join ${namedPlaces} place on place.id = ch.place_id
    where ch.subscriber_id = ${id} and ${isAlive} order by place.is_group, place.sort_name, place.id`.execute(
    db,
  )
  return rows.length === 0 ? null : { id, token, channel, choices: await withPresentSecteurs(db, rows) }
}

/** Names secteurs that were renamed since they were chosen as they are named now. */
async function withPresentSecteurs(db: Database, choices: ChosenPlace[]): Promise<ChosenPlace[]> {
  const ids = choices.flatMap((choice) => (choice.collectes_secteur === null ? [] : [choice.place_id]))
  if (ids.length === 0) return choices
  const inUse = await listSecteurNames(db, ids)
  const secteurs = Map.groupBy(await listSecteursOf(db, ids), ({ commune_id }) => commune_id)
  return choices.map((choice) => {
    const { place_id: commune_id, collectes_secteur: chosen } = choice
    if (chosen === null) return choice
    const collectes = (inUse.get(commune_id) ?? []).map((secteur) => ({ secteur }))
    const present = presentName(chosen, collectes, secteurs.get(commune_id) ?? [])
    return { ...choice, collectes_secteur: present ?? chosen }
  })
}

async function findByToken(
  db: Database,
  addresses: Addresses,
  token: string,
): Promise<{ id: string; channel: Channel } | null> {
  const given = readToken(token)
  if (given === null) return null
  const { rows } = await sql<{ address: Buffer }>`
    select address from resident_subscribers where id = ${given.id}`.execute(db)
  const contents = rows[0] && addresses.open(given.id, rows[0].address)
  return contents && isSameSecret(contents.secret, given.secret)
    ? { id: given.id, channel: contents.channel }
    : null
}

/** Confirms what was asked for about a commune or a group. Returns false if nothing was, or no longer. Again, it changes nothing. */
export function confirmChoice(
  db: Database,
  addresses: Addresses,
  token: string,
  placeId: string,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const found = await findByToken(tx, addresses, token)
    if (found === null || !isUuid(placeId)) return false
    const { id } = found
    await sql`select from resident_subscribers where id = ${id} for no key update`.execute(tx)
    const { rows } = await sql`
      with of_commune as (
        update resident_choices set confirmed_at = coalesce(confirmed_at, now())
        where subscriber_id = ${id} and commune_id = ${placeId} and ${isAlive} returning commune_id),
      of_group as (
        update resident_group_choices set confirmed_at = coalesce(confirmed_at, now())
        where subscriber_id = ${id} and group_id = ${placeId} and ${isAlive} returning group_id)
      select from of_commune union all select from of_group`.execute(tx)
    return rows.length === 1
  })
}

/** Stores confirmed choices of a subscriber. A place that is no longer asked for, or not confirmed, stays so. */
export function saveChoices(
  db: Database,
  id: string,
  choices: readonly (Choice & { place_id: string })[],
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await sql`select from resident_subscribers where id = ${id} for no key update`.execute(tx)
    const { rows } = await sql`
      with n as (
        select * from jsonb_to_recordset(${JSON.stringify(choices)}::jsonb) as n (
          place_id uuid, alertes text, collectes_hour smallint, collectes_secteur text, actualites boolean)),
      of_communes as (
        update resident_choices ch set alertes = n.alertes, collectes_hour = n.collectes_hour,
          collectes_secteur = n.collectes_secteur, actualites = n.actualites
        from n where ch.subscriber_id = ${id} and ch.commune_id = n.place_id and ch.confirmed_at is not null
        returning ch.commune_id),
      of_groups as (
        update resident_group_choices ch set alertes = n.alertes, actualites = n.actualites
        from n where ch.subscriber_id = ${id} and ch.group_id = n.place_id and ch.confirmed_at is not null
        returning ch.group_id)
      select from of_communes union all select from of_groups`.execute(tx)
    // It left since the page was shown.
    if (rows.length === 0) throw notFound()
  })
}

/**
 * Ends what a link is about: all, or what concerns some communes or groups. Nothing happens if it has ended already, so that a
 * client may repeat it. Returns the places that were named, and those about which messages go on; 404 if none of the named exists.
 */
export function leave(
  db: Database,
  addresses: Addresses,
  token: string,
  placeIds: string[] | null,
): Promise<{ left: string[]; remaining: string[] }> {
  return db.transaction().execute(async (tx) => {
    const { rows: named } = await sql<{ nom: string }>`
      select nom from ${namedPlaces} place where id = any(${placeIds ?? []}::uuid[])
      order by is_group, sort_name, id`.execute(tx)
    if (placeIds !== null && named.length === 0) throw notFound()
    const left = named.map(({ nom }) => nom)
    const found = await findByToken(tx, addresses, token)
    if (found === null) return { left, remaining: [] }
    await sql`select from resident_subscribers where id = ${found.id} for update`.execute(tx)
    const isNamed = sql`(${placeIds}::uuid[] is null or place_id = any(${placeIds}::uuid[]))`
    await deleteChoices(tx, found.id, isNamed)
    const { rows: others } = await sql<{ nom: string }>`
      select place.nom from followed_places ch join ${namedPlaces} place on place.id = ch.place_id
      where ch.subscriber_id = ${found.id} and ch.confirmed_at is not null
      order by place.is_group, place.sort_name, place.id`.execute(tx)
    await deleteWithoutChoices(tx, [found.id])
    return { left, remaining: others.map(({ nom }) => nom) }
  })
}

/** Deletes those of these subscribers, locked by the caller, that have no choice left. Returns how many. */
export async function deleteWithoutChoices(tx: Database, ids: string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from resident_subscribers s where id = any(${ids}::uuid[])
      and not exists (select from followed_places where subscriber_id = s.id)`.execute(tx)
  return Number(numAffectedRows)
}

/** Deletes a batch of choices that nobody confirmed within 48 hours, and of addresses without a choice. */
export function deleteUnconfirmed(db: Database, batch: number): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string }>`
      select id from resident_subscribers s where id in (
        select subscriber_id from followed_places where confirmed_at is null and asked_at <= now() - interval '48 hours'
        order by asked_at limit ${batch})
      order by id for update skip locked`.execute(unprepared(tx))
    const ids = rows.map(({ id }) => id)
    await deleteChoices(tx, ids, sql`not ${isAlive}`)
    await deleteWithoutChoices(tx, ids)
    return ids.length
  })
}
