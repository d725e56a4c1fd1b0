import { modules } from '../app.ts'
import { applyRetention, tryRetention } from '../modules/retention/rules.ts'
import { readConfig } from '../platform/config/config.ts'
import { command, flag, type Io, longLimits, withDatabase } from './command.ts'

/** `retention [--dry-run]`: runs the daily retention job now. */
export const run = command(
  {
    name: 'retention',
    usage: `Usage: npm run retention -- [--dry-run]
  does what the service does each night: what has been kept for as many months as RETENTION_* say is deleted, or loses
  what is personal. --dry-run says how many rows that would be, and changes nothing
`,
    options: { 'dry-run': flag },
  },
  ({ values }, io) => retain(values['dry-run'], io),
)

async function retain(dryRun: boolean, io: Io): Promise<void> {
  const config = readConfig(modules, io.env, { needsTokens: false })
  const { signal } = new AbortController()
  const apply = dryRun ? tryRetention : applyRetention
  const counts = await withDatabase(
    io,
    config,
    ({ db }) => apply(db, modules, config.retentionMonths, signal),
    { limits: longLimits },
  )
  for (const [name, rows] of Object.entries(counts)) {
    const setting = `RETENTION_${name.toUpperCase()}, ${config.retentionMonths[name]} months`
    io.stdout.write(`${name}: ${rows} (${setting})\n`)
  }
  if (dryRun) io.stdout.write('Nothing was changed: this was a dry run.\n')
}
