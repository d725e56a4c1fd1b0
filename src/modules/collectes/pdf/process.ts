import { extractSheets } from './extract.ts'
import { readSheets } from './read-pdf.ts'

/**
 * The process that reads a PDF of strangers. It has no secret and no database, reads one file, and ends itself when that takes
 * too much memory, which is outside the heap of JavaScript.
 */

const maxMemoryBytes = 500 * 2 ** 20

setInterval(() => {
  if (process.memoryUsage.rss() > maxMemoryBytes) process.kill(process.pid, 'SIGKILL')
}, 20).unref()

process.on('disconnect', () => process.exit())
process.once('message', async ({ bytes, today }: { bytes: Uint8Array; today: string }) => {
  const extracted = await extractSheets(bytes)
  process.send?.('unreadable' in extracted ? extracted : readSheets(extracted.sheets, today))
})
process.send?.('ready')
