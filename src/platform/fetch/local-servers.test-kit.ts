import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server as NetServer,
  type Socket,
} from 'node:net'
import { onTestFinished } from 'vitest'

/** Starts loopback servers for the tests of this folder and stops them with the test. `hits` counts requests. */
export async function serve(listener: RequestListener, secure = false) {
  let hits = 0
  const counted: RequestListener = (request, response) => {
    hits++
    listener(request, response)
  }
  const server: Server = secure ? createHttpsServer({ key, cert }, counted) : createHttpServer(counted)
  let connections = 0
  server.on('connection', () => connections++)
  const port = await listen(server)
  onTestFinished(() => server.closeAllConnections())
  return {
    url: `${secure ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    server,
    hits: () => hits,
    connections: () => connections,
  }
}

/** Starts a server that sends anything, HTTP or not. `open` counts connections that are not closed. */
export async function serveRaw(talk: (socket: Socket, request: string) => void) {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    socket.once('data', (data) => talk(socket, data.toString('latin1')))
  })
  const port = await listen(server)
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  return { url: `http://127.0.0.1:${port}`, port, open: () => sockets.size }
}

export function listen(server: NetServer, port = 0, host = '127.0.0.1'): Promise<number> {
  onTestFinished(() => void server.close())
  return new Promise((resolve, reject) => {
    server.on('error', reject)
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
}

// Test certificate for feed.test and 127.0.0.1, valid from 2020 to 2120. Its key protects nothing.
export const cert = `-----BEGIN CERTIFICATE-----
MIIBejCCASCgAwIBAgIUQpRdfp+OkbkrpveD9KaFuwGM8mowCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJZmVlZC50ZXN0MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAx
MDAwMDAwWjAUMRIwEAYDVQQDDAlmZWVkLnRlc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATo48aeTsjKbCACWW1GYV7/2Evw4FwL6wBhD6Gko+GYsizas/p3gpKM
pEIV4NPI4TrOmF+gogQg9bvW3M7gdNcno04wTDAdBgNVHQ4EFgQUw7J5vJG+OyQl
6l1r2MtutSMjEr8wDwYDVR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglmZWVkLnRl
c3SHBH8AAAEwCgYIKoZIzj0EAwIDSAAwRQIhAMJO+Csci4fjIVZo4GoSKjI+zaC0
C7YtbfaXH38Y01QaAiAqm/4DPsyRPYYNfyofzKMsdEIuEZ1ZCCU1aKibhrztPA==
-----END CERTIFICATE-----
`
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgacxg5cRYJEEnp3k0
H24o3AZBhNB2ACYn/rgW7ogZRDChRANCAATo48aeTsjKbCACWW1GYV7/2Evw4FwL
6wBhD6Gko+GYsizas/p3gpKMpEIV4NPI4TrOmF+gogQg9bvW3M7gdNcn
-----END PRIVATE KEY-----
`
