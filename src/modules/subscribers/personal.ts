import { sql } from 'kysely'
import type { Config } from '../../platform/config/config.ts'
import type { Database } from '../../platform/database/connect.ts'
import { afterId, inPages, type Person, type Personal } from '../../platform/personal.ts'
import { addressesOf } from './addresses.ts'

/** The subscriptions of a person to mails about communes and groups. Their addresses are found by digests, so the keys are needed. */
export function subscribersOfPerson({ sessionKeys }: Pick<Config, 'sessionKeys'>): Personal {
  const addresses = addressesOf(sessionKeys)
  const isTheirs = ({ emails }: Person) => {
    const digests = emails.flatMap((email) => addresses.digests('email', email))
    return sql<boolean>`(s.channel = 'email' and s.address_digest = any(${digests}::bytea[]))`
  }
  return {
    name: 'resident_subscribers',
    title: {
      en: 'Messages about communes and groups',
      fr: 'Abonnements aux messages des communes et des groupements',
    },
    erasure: {
      en: 'Deleted, and what has not left is not sent.',
      fr: 'Supprimés ; ce qui n’est pas encore parti n’est pas envoyé.',
    },
    kind: null,
    find: (person) => sql`
      select s.id::text as id, null::uuid as record_id, null::text as label
      from resident_subscribers s where ${isTheirs(person)}`,
    read: (db, person) =>
      inPages<{ id: string; address: Buffer }>(async (last, limit) => {
        const { rows } = await sql<{ id: string; address: Buffer }>`
          select s.id, s.channel, s.address, s.created_at, s.last_success_at, (
            select json_agg(json_build_object('commune_id', commune_id, 'group_id', group_id, 'alertes', alertes, 'collectes_hour', collectes_hour,
              'collectes_secteur', collectes_secteur, 'actualites', actualites, 'asked_at', asked_at,
              'confirmed_at', confirmed_at) order by place_id)
            from followed_places where subscriber_id = s.id) as choices
          from resident_subscribers s where ${isTheirs(person)} and s.id > ${afterId(last)}
          order by s.id limit ${limit}`.execute(db)
        return rows.map((row) => ({
          ...row,
          address: addresses.open(row.id, row.address)?.address,
        })) as never
      }),
    async erase(tx: Database, person: Person) {
      const { rows } = await sql<{ id: string }>`
        select s.id from resident_subscribers s where ${isTheirs(person)} order by s.id for update`.execute(
        tx,
      )
      const ids = rows.map(({ id }) => id)
      await sql`delete from resident_subscribers where id = any(${ids}::uuid[])`.execute(tx)
      return ids
    },
  }
}
