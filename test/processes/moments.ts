import { existsSync } from 'node:fs'
import { connect as dial } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { enter, homeOf, postgresPids } from './postgres.ts'
import { fetchServed, type Service, until } from './service.ts'

/**
 * A request whose last byte is held back until released, so that the service waits for it. Another request before it on
 * the same connection is answered: with that response the service has received this one too.
 */
export async function holdBody(service: Service, path = '/api/v1/claims') {
  const url = await service.ready
  const { hostname, port } = new URL(url)
  const headers = { 'x-app-source': 'public', 'content-type': 'application/json' }
  // On a busy machine the first requests after the start may get 503: the one that is held must not.
  await fetchServed(`${url}${path}`, { method: 'POST', headers, body: '{}' })
  const socket = dial({ host: hostname, port: Number(port) }).setEncoding('utf8')
  const first = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<{ status: number; type: string | undefined }>()
  // An interrupted caller need not look.
  answer.promise.catch(() => {})
  let text = ''
  socket.on('data', (data: string) => {
    text += data
    if (text.includes('"alive"')) first.resolve()
    const [, status, head = ''] = /"alive"}HTTP\/1\.1 (\d{3})[^\n]*\n(.*?)\r\n\r\n/s.exec(text) ?? []
    if (status !== undefined)
      answer.resolve({ status: Number(status), type: /^content-type: (.*)$/im.exec(head)?.[1]?.trim() })
  })
  socket.on('error', () => {})
  socket.on('close', () => answer.reject(new Error('the connection was closed')))
  const head = 'Host: parvis\r\nX-App-Source: public\r\n'
  // In one write, so that both are read together.
  socket.write(
    `GET /healthz HTTP/1.1\r\n${head}\r\nPOST ${path} HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{`,
  )
  await first.promise
  return { answer: answer.promise, release: () => socket.write('}') }
}

/** A request that PostgreSQL blocks until it is released. */
export async function holdRequest(service: Service) {
  const url = await service.ready
  const onlooker = await enter(service.dataDir, 'superuser')
  const held = await enter(service.dataDir)
  await held.query('begin; lock table communes in access exclusive mode')
  const call = () => {
    const request = { answer: callCommunes(url), isOver: false }
    const end = () => {
      request.isOver = true
    }
    request.answer.then(end, end)
    return request
  }
  let request = call()
  await until(async () => {
    // Under pressure the service refuses at once, and the request is retried.
    if (request.isOver) request = call()
    return (await onlooker.query('select from pg_locks where not granted')).rowCount
  }, service)
  await onlooker.end()
  return { answer: request.answer, release: () => held.end() }
}

export const callCommunes = (url: string) =>
  fetch(`${url}/api/v1/communes?q=saint`, { headers: { 'x-app-source': 'public' } })

/** Waits until none is left; one that nobody stopped would stay. */
export const untilPostgresEnds = (dataDir: string) => until(() => postgresPids(dataDir).length === 0)

/** Waits until the files of a new cluster are being created. */
export const untilInitdb = (service: Service) =>
  until(() => postgresPids(service.dataDir).length > 0, service)

/** Waits until the communes are being loaded. False when it was over before. */
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
