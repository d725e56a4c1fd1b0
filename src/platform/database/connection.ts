import type pg from 'pg'

/** Where a PostgreSQL is and who enters it. */
export type Connection = Pick<
  pg.ClientConfig,
  'host' | 'port' | 'user' | 'password' | 'database' | 'connectionString'
>
