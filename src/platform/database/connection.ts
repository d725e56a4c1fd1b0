import type pg from 'pg'

/** The address of a PostgreSQL server and the role to connect as. */
export type Connection = Pick<
  pg.ClientConfig,
  'host' | 'port' | 'user' | 'password' | 'database' | 'connectionString'
>
