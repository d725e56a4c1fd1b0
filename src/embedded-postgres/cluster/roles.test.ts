import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { ClusterError } from '../cluster-error.ts'
import { prepareRoles } from './roles.ts'

/** A SCRAM password request. */
const passwordRequest = Buffer.from('520000001a0000000a534352414d2d5348412d3235360000', 'hex')

test.each<[string, (socket: Socket) => void]>([
  ['at once', (socket) => void socket.end()],
  ['with a reset', (socket) => void socket.resetAndDestroy()],
  ['while it asks for the password', (socket) => void socket.once('data', () => socket.end(passwordRequest))],
])('a server that goes away %s before its roles are made is told in one sentence', async (_when, end) => {
  const server = createServer(end)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const anyone = { host: '127.0.0.1', port, user: 'x', password: 'y', database: 'z' }
  const preparing = prepareRoles({ superuser: anyone, owner: anyone, service: anyone })
  await expect(preparing).rejects.toBeInstanceOf(ClusterError)
  await expect(preparing).rejects.toThrow(
    /^The database became unavailable during the start \([^\n]+\): start again\.$/,
  )
})
