import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'

/** Whose facts are counted: those of one commune, or of the communes that an application shows; null: of all. */
type Communes = { communeId?: string; communeIds: string[] | null }
export type Scope = Communes & { year: number }

const figures = [
  'reports',
  'outcomes',
  'grounds',
  'restrictions',
  'by_report',
  'by_machine',
  'complaints',
] as const
export type FigureName = (typeof figures)[number]
/** How many facts have one value. `label`: of a ground. */
export type Figure = { figure: FigureName; value: string; label: string | null; count: number }
/** Hours from the first report to the decision of a person of the team. */
export type Delay = { count: number; median: number; p95: number }
export type CommuneFigure = Figure & { id: string; nom: string; code_insee: string }

const ofCommunes = ({ communeId, communeIds }: Communes): RawBuilder<unknown> => {
  if (communeId !== undefined) return sql`f.commune_id = ${communeId}`
  return communeIds === null ? sql`true` : sql`f.commune_id = any(${communeIds}::uuid[])`
}
const inScope = ({ year, ...communes }: Scope) => sql`f.year = ${year} and ${ofCommunes(communes)}`

/** Each fact with the figures that count it: a statement counts by ground, restriction, report and machine. */
const counted = sql`moderation_facts f cross join lateral (values
  ('reports', case f.kind when 'report' then f.detail end, null),
  ('outcomes', case f.kind when 'case' then f.detail end, null),
  ('grounds', f.ground, f.ground_label),
  ('restrictions', case f.kind when 'statement' then f.detail end, null),
  ('by_report', f.by_report::text, null),
  ('by_machine', f.by_machine::text, null),
  ('complaints', case f.kind when 'complaint' then f.detail end, null)) v (figure, value, label)`

const measured = sql`v.figure, v.value, max(v.label) as label, count(*)::int as count`

export async function readFigures(db: Database, scope: Scope): Promise<Figure[]> {
  const { rows } = await sql<Figure>`
    select ${measured} from ${counted} where ${inScope(scope)} and v.value is not null
    group by v.figure, v.value order by v.figure, count desc, v.value`.execute(db)
  return rows
}

export async function readDelay(db: Database, scope: Scope): Promise<Delay> {
  const { rows } = await sql<Delay>`
    select count(*)::int as count,
      coalesce(percentile_cont(0.5) within group (order by hours), 0)::float as median,
      coalesce(percentile_cont(0.95) within group (order by hours), 0)::float as p95
    from moderation_facts f where ${inScope(scope)} and hours is not null`.execute(db)
  return rows[0] ?? { count: 0, median: 0, p95: 0 }
}

/** Lists the figures of the communes after one, by id. Facts without a commune are not among them. */
export async function listFiguresByCommune(
  db: Database,
  scope: Scope,
  after: string,
  limit: number,
): Promise<CommuneFigure[]> {
  const { rows } = await sql<CommuneFigure>`
    with part as (
      select distinct f.commune_id as id from moderation_facts f
      where ${inScope(scope)} and f.commune_id > ${after} order by id limit ${limit})
    select c.id, c.nom, c.code_insee, ${measured}
    from part join communes c on c.id = part.id join (${counted}) on f.commune_id = c.id
    where ${inScope(scope)} and v.value is not null
    group by c.id, v.figure, v.value order by c.id, v.figure, count desc, v.value`.execute(db)
  return rows
}

/** Lists the years that have facts, the latest first. */
export async function listYears(db: Database, communes: Communes): Promise<number[]> {
  const { rows } = await sql<{ year: number }>`
    select distinct f.year from moderation_facts f where ${ofCommunes(communes)} order by f.year desc`.execute(
    db,
  )
  return rows.map(({ year }) => year)
}
