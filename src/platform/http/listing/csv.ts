import type { Language } from '../language.ts'

export type Column = { name: string; read: (row: unknown) => unknown }

/**
 * Returns the columns of a record from its schema, so that only documented fields are exported. A nested
 * record becomes several columns (`acteur.nom`). The caller's permissions (`can`) are omitted, and the addresses of a
 * picture (`src`).
 */
export function columnsOf(schema: object): Column[] {
  return Object.entries(propertiesOf(schema) ?? {}).flatMap(([name, part]): Column[] => {
    if (name === 'can' || name === 'src') return []
    const value = (row: unknown) => (row as Record<string, unknown> | null | undefined)?.[name]
    if (propertiesOf(part) === undefined) return [{ name, read: value }]
    return columnsOf(part).map((inner) => ({
      name: `${name}.${inner.name}`,
      read: (row) => inner.read(value(row)),
    }))
  })
}

const propertiesOf = (schema: object) => (schema as { properties?: Record<string, object> }).properties

/** The format that spreadsheets expect: in French a byte order mark, semicolons and decimal commas. */
const dialects = {
  fr: { begin: '\uFEFF', separator: ';', decimal: ',' },
  en: { begin: '', separator: ',', decimal: '.' },
} satisfies Record<Language, object>

export function csvWriter(columns: Column[], language: Language) {
  const { begin, separator, decimal } = dialects[language]
  const mustBeQuoted = new RegExp(`["\\r\\n${separator}]`)
  const end = '\r\n'
  return {
    head: begin + columns.map(({ name }) => name).join(separator) + end,
    rows: (rows: unknown[]) => {
      // Plain loops: this is most of the work of an export.
      let lines = ''
      for (const row of rows) {
        let before = ''
        for (const { read } of columns) {
          lines += before + cell(read(row))
          before = separator
        }
        lines += end
      }
      return lines
    },
  }

  function cell(value: unknown): string {
    if (value === null || value === undefined) return ''
    if (typeof value === 'boolean') return String(value)
    if (typeof value === 'number') return quoted(String(value).replace('.', decimal))
    return quoted(harmless(typeof value === 'string' ? value : textOf(value)))
  }
  function quoted(text: string): string {
    return mustBeQuoted.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/**
 * Adds an apostrophe before text that a spreadsheet would execute as a formula. A spreadsheet of the other language splits a
 * text at its own separators, so what follows one of them within a text is a cell too.
 */
const harmless = (text: string) =>
  (begin.test(text) ? `'${text}` : text).replaceAll(afterSeparator, (before) => `${before}'`)

/** `=`, `+`, `-`, `@` and their full-width forms. */
const formula = '=+\\-@\uff1d\uff0b\uff0d\uff20'
const begin = new RegExp(`^[\\p{Cc}${formula}]`, 'u')
/** A quotation mark opens the new cell or, doubled, is skipped. */
const afterSeparator = new RegExp(`[,;\\t]"*(?=[${formula}])`, 'gu')
