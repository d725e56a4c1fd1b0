import { modules } from '../app.ts'
import { listSources, type Source } from '../modules/users/sources/queries.ts'
import { setSource } from '../modules/users/sources/rules.ts'
import { readConfig } from '../platform/config/config.ts'
import { StartError } from '../platform/config/start-error.ts'
import { attempt, type Io, ioOfProcess, readOptions, withDatabase } from './command.ts'

/** `sources list`, `sources set --code c --label l [--communes 01103,…] [--inactive]`. */
export function run(args: string[], io: Io = ioOfProcess()): Promise<number> {
  return attempt(io, async () => {
    const request = readArgs(args, io)
    if (request === null) {
      io.stdout.write(usage)
      return
    }
    const config = readConfig(modules, io.env, { needsTokens: false })
    const rows = await withDatabase(io, config, async ({ db }) => {
      if (request.set !== null) await setSource(db, request.set)
      const all = await listSources(db)
      return request.set === null ? all : all.filter(({ code }) => code === request.set?.code)
    })
    io.stdout.write(rows.map(line).join(''))
  })
}

const usage = `Usage: npm run sources -- list
  the applications that may call, what they show, and whether they are active
npm run sources -- set --code <code> --label <label> [--communes 01103,73065] [--inactive]
  makes or changes one; it is then what this line says: without --communes it shows everything public,
  without --inactive it is active
`

/** `set` is null for `list`. */
type Request = { set: Source | null }

function readArgs(args: string[], io: Io): Request | null {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean', default: false } as const
  const options = { code: text, label: text, communes: text, inactive: flag, help: flag }
  const { values, positionals } = readOptions({ args, options, allowPositionals: true }, 'sources', io)
  if (values.help) return null
  const [name, ...more] = positionals
  if (more.length > 0 || (name !== 'list' && name !== 'set'))
    throw new StartError('Name what to do: list or set.')
  if (name === 'list') return { set: null }
  const [code, label] = [values.code?.trim().toLowerCase(), values.label?.trim()]
  if (!code || !label) throw new StartError('Name the source: --code <code> --label <label>.')
  const communes = values.communes === undefined ? null : readCodes(values.communes)
  return { set: { code, label, communes, active: !values.inactive } }
}

function readCodes(text: string): string[] {
  const codes = text.split(',').map((code) => code.trim().toUpperCase())
  if (codes.some((code) => !/^[0-9][0-9AB][0-9]{3}$/.test(code)))
    throw new StartError('--communes is a list of INSEE codes, such as 01103,73065.')
  return codes
}

function line({ code, label, communes, active }: Source): string {
  const shown = communes === null ? 'everything public' : communes.join(', ')
  return `${[code, label, shown, active ? 'active' : 'inactive'].join('\t')}\n`
}
