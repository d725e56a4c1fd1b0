import { once } from 'node:events'
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { cloneDatabase } from '../../../test/harness/world.ts'
import { connect } from './connect.ts'

const database = await cloneDatabase()
afterAll(() => database.drop())

test('a connection that PostgreSQL has ended is not lent again while its socket still closes', async () => {
  const { host = '', port } = database.service
  const target = host.startsWith('/')
    ? { path: join(host, `.s.PGSQL.${port}`) }
    : { host, port: port ?? 5432 }
  const slowToClose = createServer(async (near: Socket) => {
    const far = dial(target)
    near.pipe(far)
    far.pipe(near, { end: false })
    near.on('error', () => far.destroy())
    far.on('error', () => near.destroy())
    await once(far, 'end')
    await sleep(200)
    near.end()
  })
  await once(slowToClose.listen(0, '127.0.0.1'), 'listening')
  const through = {
    ...database.service,
    host: '127.0.0.1',
    port: (slowToClose.address() as AddressInfo).port,
  }
  const { db, close } = connect(through, { warn: () => {} })

  await expect(sql`select pg_terminate_backend(pg_backend_pid())`.execute(db)).rejects.toMatchObject({
    code: 'unavailable',
  })
  expect((await sql`select 1 as n`.execute(db)).rows).toEqual([{ n: 1 }])

  await close()
  slowToClose.close()
})
