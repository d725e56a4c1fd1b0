import { limitMemory } from '../../../platform/memory-limit.ts'
import { extractSheets } from './extract.ts'
import { readSheets } from './read-pdf.ts'

/**
 * The process that reads a PDF of strangers. It has no secret and no database, reads one file, and ends itself when that takes
 * more memory than its argument says.
 */

limitMemory(Number(process.argv[2]))

process.on('disconnect', () => process.exit())
process.once('message', async ({ bytes, today }: { bytes: Uint8Array; today: string }) => {
  const extracted = await extractSheets(bytes)
  process.send?.('unreadable' in extracted ? extracted : readSheets(extracted.sheets, today))
})
process.send?.('ready')
