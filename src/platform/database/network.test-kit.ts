import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Connection } from './connection.ts'

/** Starts a TCP proxy in front of PostgreSQL, or of another server for each connection. */
export async function openNetwork(
  database: Connection,
  join: (near: Socket, far: Socket) => void,
  target: () => Connection = () => database,
): Promise<Connection> {
  const network = createServer((near) => {
    const far = dial(addressOf(target()))
    near.on('error', () => {}).on('close', () => far.destroy())
    far.on('error', () => near.destroy())
    join(near, far)
  })
  await new Promise<void>((listening) => network.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void network.close())
  return { ...database, host: '127.0.0.1', port: (network.address() as AddressInfo).port }
}

/** Starts a proxy that can become unresponsive: it accepts connections and bytes but forwards nothing. */
export async function openSilenceableNetwork(database: Connection) {
  let silent = false
  let connections = 0
  const connection = await openNetwork(database, (near, far) => {
    connections++
    near.on('data', (bytes) => silent || far.write(bytes))
    far.on('data', (bytes) => silent || near.write(bytes))
  })
  return {
    connection,
    fallSilent: () => {
      silent = true
    },
    speak: () => {
      silent = false
    },
    connections: () => connections,
  }
}

const addressOf = ({ host = '', port = 5432 }: Connection) =>
  host.startsWith('/') ? { path: join(host, `.s.PGSQL.${port}`) } : { host, port }
