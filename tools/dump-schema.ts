import pg from 'pg'
import type { Connection } from '../src/platform/database/connection.ts'

/**
 * Dumps the schema as text, the same on every version of PostgreSQL: to compare two databases. (The embedded PostgreSQL
 * has no pg_dump.)
 */
export async function dumpSchema(connection: Connection): Promise<string> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const lines: string[] = []
    for (const query of [tables, views, functions]) {
      const { rows } = await client.query<{ text: string }>(query)
      lines.push(...rows.map(({ text }) => `${text}\n`))
    }
    return lines.join('\n')
  } finally {
    await client.end()
  }
}

// A table with its columns, then constraints, indexes and triggers by name. Constraints of kind "n" (not null) exist
// only since PostgreSQL 18.
const tables = `
  select concat_ws(E'\\n',
    'table ' || c.relname,
    (select string_agg('  ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
        || case when a.attnotnull then ' not null' else '' end
        || coalesce(case a.attgenerated when 's' then ' generated as ' else ' default ' end
          || pg_get_expr(d.adbin, d.adrelid, true), ''), E'\\n' order by a.attnum)
      from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped),
    (select string_agg('  constraint ' || conname || ' ' || pg_get_constraintdef(oid, true), E'\\n' order by conname)
      from pg_constraint where conrelid = c.oid and contype <> 'n'),
    (select string_agg('  ' || indexdef, E'\\n' order by indexname)
      from pg_indexes where schemaname = 'public' and tablename = c.relname),
    (select string_agg('  ' || pg_get_triggerdef(oid, true), E'\\n' order by tgname)
      from pg_trigger where tgrelid = c.oid and not tgisinternal)) as text
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
  order by c.relname`

const views = `
  select 'view ' || c.relname || E'\\n' || pg_get_viewdef(c.oid, true) as text
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'v'
  order by c.relname`

const functions = `
  select pg_get_functiondef(p.oid) as text
  from pg_proc p
  where p.pronamespace = 'public'::regnamespace
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  order by p.proname`
