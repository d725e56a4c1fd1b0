import { sql } from 'kysely'
import type { Config } from '../../../platform/config/config.ts'
import { afterId, inPages, type Person, type Personal } from '../../../platform/personal.ts'
import { reporterAddresses } from './addresses.ts'

type Row = { id: string; reporter_id: string; address: Buffer; isTheirs: boolean }

/**
 * Who waits for what becomes of reports: by the address of the person, and by any address that they gave while signed in. Of the
 * second, nothing is exported or erased but that.
 */
export function reportersOfPerson({ sessionKeys }: Pick<Config, 'sessionKeys'>): Personal {
  const addresses = reporterAddresses(sessionKeys)
  const bears = ({ emails }: Person) => sql<boolean>`
    r.address_digest = any(${emails.flatMap((email) => addresses.digests(email))}::bytea[])`
  const gave = ({ userIds }: Person) => sql<boolean>`exists (
    select from publication_reports report where report.id = f.report_id
      and report.caller_key = any(${userIds.map((id) => `user ${id}`)}::text[]))`
  const waiting = sql`case_reporters f join reporters r on r.id = f.reporter_id
    join report_cases c on c.id = f.case_id join publications p on p.id = c.publication_id`
  return {
    name: 'reporters',
    title: { en: 'Addresses for what becomes of reports', fr: 'Adresses pour la suite des signalements' },
    erasure: {
      en: 'Deleted, and what has not left is not sent; the report stays with the publication.',
      fr: 'Supprimées ; ce qui n’est pas encore parti n’est pas envoyé, et le signalement reste avec la publication.',
    },
    kind: 'publication',
    find: (person) => sql`
      select f.id::text as id, p.id as record_id, p.title as label from ${waiting}
      where ${bears(person)} or ${gave(person)}`,
    read: (db, person) =>
      inPages<Row>(async (last, limit) => {
        const { rows } = await sql<Row>`
          select f.id, f.reporter_id, r.address, c.publication_id, f.created_at, c.outcome, c.ended_at, ${bears(person)} as "isTheirs"
          from ${waiting} where (${bears(person)} or ${gave(person)}) and f.id > ${afterId(last)}
          order by f.id limit ${limit}`.execute(db)
        return rows.map(({ reporter_id, isTheirs, ...row }) => {
          const contents = addresses.open(reporter_id, row.address)
          // Others may have given another name with the same address.
          return { ...row, address: contents?.address, ...(isTheirs && { name: contents?.name }) }
        }) as never
      }),
    async erase(tx, person) {
      const { rows: found } = await sql<{ id: string; reporter_id: string }>`
        select f.id, f.reporter_id from case_reporters f join reporters r on r.id = f.reporter_id
        where ${bears(person)} or ${gave(person)} order by r.id for update of r`.execute(tx)
      const ids = found.map(({ id }) => id)
      await sql`delete from case_reporters where id = any(${ids}::uuid[])`.execute(tx)
      await sql`
        delete from reporters r where ${bears(person)} or r.id = any(${found.map(({ reporter_id }) => reporter_id)}::uuid[])
          and not exists (select from case_reporters f where f.reporter_id = r.id)`.execute(tx)
      return ids
    },
  }
}
