import { modules } from '../app.ts'
import { listSources, type Source, setSource } from '../modules/reference/set-source.ts'
import { readConfig } from '../platform/config/config.ts'
import { StartError } from '../platform/config/start-error.ts'
import { type Arguments, command, flag, text, withDatabase } from './command.ts'

const options = { code: text, label: text, communes: text, group: text, inactive: flag }

/** `sources list`, `sources set --code c --label l [--communes 01103,…] [--group slug] [--inactive]`. */
export const run = command(
  {
    name: 'sources',
    usage: `Usage: npm run sources -- list
  the applications that may call, what they show, and whether they are active
npm run sources -- set --code <code> --label <label> [--communes 01103,73065 | --group ca-du-grand-chambery] [--inactive]
  makes or changes one; it is then what this line says: without --communes or --group, whose present
  members it then shows, it shows everything public; without --inactive it is active
`,
    options,
    allowPositionals: true,
  },
  async ({ values, positionals: [what, ...more] }, io) => {
    if (more.length > 0 || (what !== 'list' && what !== 'set'))
      throw new StartError('Name what to do: list or set.')
    const changed = what === 'set' ? readSource(values) : null
    const config = readConfig(modules, io.env, { needsTokens: false })
    const rows = await withDatabase(io, config, async ({ db }) => {
      if (changed !== null) await setSource(db, changed)
      const all = await listSources(db)
      return changed === null ? all : all.filter(({ code }) => code === changed.code)
    })
    io.stdout.write(rows.map(line).join(''))
  },
)

function readSource(values: Arguments<typeof options>['values']): Source {
  const [code, label] = [values.code?.trim().toLowerCase(), values.label?.trim()]
  if (!code || !label) throw new StartError('Name the source: --code <code> --label <label>.')
  const communes = values.communes === undefined ? null : readCodes(values.communes)
  const group = values.group?.trim() || null
  if (communes !== null && group !== null) throw new StartError('Name --communes or --group, not both.')
  return { code, label, communes, group, active: !values.inactive }
}

function readCodes(text: string): string[] {
  const codes = text.split(',').map((code) => code.trim().toUpperCase())
  if (codes.some((code) => !/^[0-9][0-9AB][0-9]{3}$/.test(code)))
    throw new StartError('--communes is a list of INSEE codes, such as 01103,73065.')
  return codes
}

function line({ code, label, communes, group, active }: Source): string {
  const shown = group ?? (communes === null ? 'everything public' : communes.join(', '))
  return `${[code, label, shown, active ? 'active' : 'inactive'].join('\t')}\n`
}
