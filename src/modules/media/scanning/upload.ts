import { type Config, settingsOf } from '../../../platform/config/config.ts'
import type { Deps } from '../../../platform/module.ts'
import { refusedFile } from '../decoding/refusals.ts'
import { mediaSettings } from '../settings.ts'
import { ScanFailed, scan } from './clamd.ts'

/** So many uploads are scanned at a time, with their bytes in memory, each for so long at most; the others wait for the job. */
const maxScans = 4
const timeoutMs = 8_000
/** After a failure uploads leave it to the job for a while. */
const pauseMs = 15_000

/**
 * Returns a function that has an upload scanned: it refuses an infected one with a sentence, and returns true if the antivirus
 * did not answer, so that the file waits.
 */
export function uploadScanner({ config, log }: { config: Config } & Pick<Deps, 'log'>) {
  const { clamd } = settingsOf(config, mediaSettings)
  let scans = 0
  let pausedUntil = 0
  return async (content: Uint8Array): Promise<boolean> => {
    if (clamd === null) return false
    if (scans >= maxScans || performance.now() < pausedUntil) return true
    scans++
    try {
      const found = await scan(clamd, content, timeoutMs)
      if (found === null) return false
      log.warn({ found }, 'the antivirus refused an upload')
    } catch (error) {
      if (!(error instanceof ScanFailed)) throw error
      pausedUntil = performance.now() + pauseMs
      log.warn({ reason: error.message }, 'an upload waits for the antivirus')
      return true
    } finally {
      scans--
    }
    throw refusedFile('infected')
  }
}
