import { createSocket } from 'node:dgram'
import { once } from 'node:events'

type Text = string | (() => Promise<string>)
const texts = new Map<string, Text>()
let server: Promise<string> | null = null

/** Makes the name server of this process answer with a text for a name; a function is called when it is asked. */
export const publishText = (name: string, text: Text): unknown => texts.set(name, text)

/** Returns the address of a name server that knows only what was published: no test leaves this machine. */
export function nameServer(): Promise<string> {
  server ??= start()
  return server
}

async function start(): Promise<string> {
  const socket = createSocket('udp4')
  socket.on('message', async (query, from) => {
    const end = query.indexOf(0, 12)
    const isText = query.readUInt16BE(end + 1) === textType
    const text = isText ? texts.get(nameIn(query.subarray(12, end))) : undefined
    const answer = typeof text === 'function' ? await text() : text
    socket.send(answerTo(query.subarray(0, end + 5), answer), from.port)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  socket.unref()
  return `127.0.0.1:${socket.address().port}`
}

const textType = 16

/** Reads labels, each preceded by its length. */
function nameIn(labels: Buffer): string {
  const names: string[] = []
  for (let at = 0; at < labels.length; at += 1 + (labels[at] ?? 0))
    names.push(labels.toString('latin1', at + 1, at + 1 + (labels[at] ?? 0)))
  return names.join('.')
}

function answerTo(question: Buffer, text: string | undefined): Buffer {
  const header = Buffer.from(question)
  header.writeUInt16BE(text === undefined ? 0x8183 : 0x8180, 2)
  header.writeUInt16BE(text === undefined ? 0 : 1, 6)
  header.writeUInt32BE(0, 8)
  if (text === undefined) return header
  // A pointer to the name in the question, TXT, IN, a TTL, and the text behind its lengths.
  const start = [0xc0, 12, 0, textType, 0, 1, 0, 0, 0, 60, 0, text.length + 1, text.length]
  return Buffer.concat([header, Buffer.from(start), Buffer.from(text, 'latin1')])
}
