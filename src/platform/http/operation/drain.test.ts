import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { HttpServer } from '../http-server.ts'
import { drainable } from './drain.ts'

test('a connection whose request was answered before its body had arrived does not delay the end', async () => {
  const keepAliveTimeout = 10 * 60_000
  const server: HttpServer = fastify({
    forceCloseConnections: 'idle',
    keepAliveTimeout,
  }).withTypeProvider<TypeBoxTypeProvider>()
  const drain = drainable(server)
  server.post('/', { onRequest: async (_request, reply) => reply.code(429).send() }, async () => 'never')
  await server.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8')
  onTestFinished(() => void socket.destroy())
  socket.write(
    'POST / HTTP/1.1\r\nHost: parvis\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{',
  )
  expect(await once(socket, 'data')).toEqual([expect.stringContaining('429')])

  await drain.finish(60_000)
  const closing = server.close()
  await vi.waitFor(() => expect(server.server.listening).toBe(false), { timeout: 60_000 })
  socket.write('}')
  await Promise.all([closing, once(socket, 'close')])
})
