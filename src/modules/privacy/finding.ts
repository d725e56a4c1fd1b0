import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { unprepared } from '../../platform/database/pools/prepared.ts'
import type { Text } from '../../platform/errors.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { languageOf } from '../../platform/http/language.ts'
import { record } from '../../platform/http/validation/schemas.ts'
import { type Deps, personalOf } from '../../platform/module.ts'
import type { Person, Personal } from '../../platform/personal.ts'
import { askedOf, findPerson, listUnsureRecords, type PersonQuery } from './person.ts'
import { AskedBody, FoundPerson, type Unsure } from './schema.ts'

export function findingRoutes(scope: SignedInScope, { reads, modules, config }: Deps): void {
  scope.post(
    '/admin/people/find',
    {
      schema: {
        operationId: 'findPerson',
        summary: 'Find a person everywhere, by account or address',
        description:
          'A POST, so that no address stands in a URL or a log. An address stands for the accounts that have verified it, an account for its verified address; records that another account made with the address are listed apart, in `unsure`, because that account may have typed anybody’s address.',
        body: AskedBody,
        response: { 200: record(FoundPerson) },
      },
    },
    async ({ body, headers }) => {
      const language = languageOf(headers['accept-language'])
      return { data: await findEverywhere({ reads, modules, config, language }, askedOf(body)) }
    },
  )
}

type Tools = Pick<Deps, 'reads' | 'modules' | 'config'> & { language: keyof Text }

/** Finds a person everywhere: by kind of data, apart from what only bears their address. */
async function findEverywhere(tools: Tools, asked: PersonQuery): Promise<FoundPerson> {
  const { reads, modules, config, language } = tools
  const { person, unsure } = await findPerson(reads, asked)
  const all = personalOf(modules, config)
  const found = await findRows(reads, all, person)
  const places = all.flatMap(({ name, title, erasure, kind }) => {
    const { rows = 0, records = [] } = found.find((one) => one.name === name) ?? {}
    if (rows === 0) return []
    const total = Math.min(rows, maxCounted - 1)
    const shown = kind === null ? [] : records
    return {
      name,
      title: title[language],
      erasure: erasure[language],
      kind,
      total,
      is_more: rows > total,
      records: shown,
    }
  })
  const { userIds: user_ids, emails } = person
  return { user_ids, emails, places, unsure: await describeUnsure(tools, person, unsure) }
}

const maxShown = 100

/** Names the accounts and records that bear the address of a person and may be somebody else's. */
export async function describeUnsure(
  { reads, modules, config, language }: Tools,
  person: Person,
  accounts: string[],
): Promise<Unsure> {
  const ids = await listUnsureRecords(reads, { modules, config }, person)
  const all = personalOf(modules, config).flatMap((personal) => {
    const its = ids[personal.name]?.slice(0, maxShown)
    return its === undefined ? [] : { personal, ids: its }
  })
  const [users, named] = await Promise.all([
    nameAccounts(reads, accounts.slice(0, maxShown)),
    nameRecords(reads, all, person),
  ])
  const records = all.map(({ personal: { name, title, kind } }) => {
    const { records = [] } = named.find((one) => one.name === name) ?? {}
    return { name, title: title[language], kind, records }
  })
  return { users, records }
}

type NamedRecord = { id: string; label: string | null }
type FoundRows = { name: string; rows: number; records: NamedRecord[] }

/** Rows counted for each kind of data: one more than the total that is shown. */
const maxCounted = 10_001
const maxNamed = 5

/** Counts the person's rows of each kind and names the newest records, in one statement. */
export async function findRows(db: Database, all: readonly Personal[], person: Person): Promise<FoundRows[]> {
  const parts = all.map(({ name, find }) => found(name, find(person), maxCounted, maxNamed))
  const { rows } = await sql<FoundRows>`${sql.join(parts, sql` union all `)}`.execute(unprepared(db))
  return rows
}

/** Names these records, which bear an address of the person. */
async function nameRecords(
  db: Database,
  all: readonly { personal: Personal; ids: string[] }[],
  { emails }: Person,
): Promise<FoundRows[]> {
  if (all.length === 0) return []
  const parts = all.map(({ personal: { name, find }, ids }) => {
    const rows = sql`
      select * from (${find({ userIds: [], emails, also: ids })}) r where r.record_id = any(${ids}::uuid[])`
    return found(name, rows, ids.length, ids.length)
  })
  const { rows } = await sql<FoundRows>`${sql.join(parts, sql` union all `)}`.execute(unprepared(db))
  return rows
}

/** Materialised, so that the limits do not make PostgreSQL walk a whole table by its key. */
const found = (name: string, rows: RawBuilder<unknown>, counted: number, named: number) => sql`
  (with rows as materialized (select * from (${rows}) r limit ${counted}::int)
  select ${name}::text as name, (select count(*) from rows)::int as rows, (
    select coalesce(json_agg(json_build_object('id', n.record_id, 'label', n.label) order by n.newest desc), '[]') from (
      select record_id, min(label) as label, max(id) as newest from rows where record_id is not null
      group by record_id order by max(id) desc limit ${named}::int) n) as records)`

async function nameAccounts(db: Database, ids: string[]): Promise<NamedRecord[]> {
  const { rows } = await sql<NamedRecord>`
    select id, coalesce(nom, email) as label from users where id = any(${ids}::uuid[]) order by id`.execute(
    db,
  )
  return rows
}
