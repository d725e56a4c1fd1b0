import { createServer } from 'node:http'

/** Measures the maximum of Node: `/1234` returns the same 1234 bytes each time. */
const bodies = new Map<string, Buffer>()

createServer((request, response) => {
  const size = request.url ?? ''
  let body = bodies.get(size)
  if (body === undefined) {
    body = Buffer.alloc(Number(size.slice(1)), 'x')
    bodies.set(size, body)
  }
  response.writeHead(200, [
    'content-type',
    'application/json; charset=utf-8',
    'content-length',
    `${body.length}`,
  ])
  response.end(body)
}).listen(Number(process.env.PORT), '127.0.0.1')
