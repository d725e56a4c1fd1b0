import type { Connection } from '../src/platform/database/connection.ts'

/** One database, by each of its roles: with a PostgreSQL of your own they are the same. */
export type BenchDatabase = { superuser: Connection; owner: Connection; service: Connection }

export function urlOf({ host = '', port, user, password, database }: Connection): string {
  const name = `${encodeURIComponent(user ?? '')}:${encodeURIComponent(`${password ?? ''}`)}`
  return `postgres://${name}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`
}
