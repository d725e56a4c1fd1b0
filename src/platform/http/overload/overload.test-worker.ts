import { Agent, get } from 'node:http'

// Sends requests to a URL at a constant rate, regardless of the responses, as many clients do; prints the
// results.

export type Sample = { sentMs: number; status: number; ms: number }

const [url = '', rate = '1', seconds = '1'] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
const startedAt = performance.now()
const total = Math.floor(Number(rate) * Number(seconds))
const asked: Sample[] = []
let sent = 0

function send() {
  const sentAt = performance.now()
  const note = (status: number) => {
    asked.push({ sentMs: sentAt - startedAt, status, ms: performance.now() - sentAt })
    if (asked.length === total) finish()
  }
  get(url, { agent, headers: { 'x-app-source': 'public' } }, (response) => {
    response.resume().once('end', () => note(response.statusCode ?? 0))
  }).once('error', () => note(0))
}

function finish() {
  process.stdout.write(JSON.stringify(asked), () => process.exit())
}

const timer = setInterval(() => {
  const due = Math.min(total, ((performance.now() - startedAt) / 1_000) * Number(rate))
  for (; sent < due; sent++) send()
  if (sent >= total) clearInterval(timer)
}, 5)
