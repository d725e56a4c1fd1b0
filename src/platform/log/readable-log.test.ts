import { expect, test } from 'vitest'
import { createLog, readable } from './log.ts'

const at = String.raw`^\d\d:\d\d:\d\d`

/** Collects the lines as a person sees them. */
function openLog() {
  let text = ''
  const log = createLog('info', readable({ write: (part: string) => (text += part) }))
  return { log, lines: () => text.trimEnd().split('\n') }
}

test('writes one readable line per event on a terminal', () => {
  const { log, lines } = openLog()
  log.info('The communes of France are loaded')
  log.info({ method: 'GET', route: '/api/v1/communes', status: 200, ms: 3.2, app_source: 'public' })
  log.warn({ method: 'GET', status: 503, ms: 1, error: 'unavailable', reason: 'too many wait' })
  log.error({ token: 'hush', deep: { a: 1 }, odd: '\u001b[2J' }, 'said')
  expect(lines()).toEqual([
    expect.stringMatching(`${at} info  The communes of France are loaded$`),
    expect.stringMatching(`${at} info  GET /api/v1/communes 200 3.2 ms app_source=public$`),
    expect.stringMatching(
      String.raw`${at} warn  GET \(no route\) 503 1 ms error=unavailable reason="too many wait"$`,
    ),
    expect.stringMatching(String.raw`${at} error said token=\[redacted\] deep=\{"a":1\} odd="\\u001b\[2J"$`),
  ])
})

test('shows the stack of an error', () => {
  const { log, lines } = openLog()
  log.error({ err: new Error('broken') }, 'internal_error')
  expect(lines().slice(0, 2)).toEqual([expect.stringMatching(`${at} error internal_error$`), 'Error: broken'])
  expect(lines()[2]).toContain('readable-log.test.ts')
})
