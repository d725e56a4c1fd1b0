import { existsSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { enter, homeOf, postgresPids } from './postgres.ts'
import { type Service, until } from './service.ts'

/** A request that PostgreSQL holds back until it is released. */
export async function holdRequest(service: Service) {
  const url = await service.ready
  const onlooker = await enter(service.dataDir, 'superuser')
  const held = await enter(service.dataDir)
  await held.query('begin; lock table communes in access exclusive mode')
  const answer = fetch(`${url}/api/v1/communes`, { headers: { 'x-app-source': 'public' } })
  answer.catch(() => {})
  await until(async () => (await onlooker.query('select from pg_locks where not granted')).rowCount, service)
  await onlooker.end()
  return { answer, release: () => held.end() }
}

/** Waits until the files of a new cluster are being made. */
export const untilInitdb = (service: Service) =>
  until(() => postgresPids(service.dataDir).length > 0, service)

/** Waits until the communes are being loaded. False when it was over before that was seen. */
export async function untilFirstLoad(service: Service): Promise<boolean> {
  const socket = () => join(homeOf(service.dataDir), 'socket/.s.PGSQL.5432')
  const tryToEnter = () => existsSync(socket()) && enter(service.dataDir, 'superuser').catch(() => false)
  const client = await until(tryToEnter, service)
  if (!(client instanceof pg.Client)) return false
  const isLoading = async () => (await client.query(loading)).rowCount === 1
  const isReady = () => service.state.readyMs !== null
  await until(async () => isReady() || (await isLoading().catch(() => true)), service)
  await client.end().catch(() => {})
  return !isReady() && service.state.ending === null
}

const loading = `
  select from pg_stat_activity
  where application_name = 'parvis-migrate' and query ~* 'insert into communes '`
