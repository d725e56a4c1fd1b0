export type PastedElu = { prenom: string; nom: string; fonction: string; line: string }

const columns = {
  nom: /^(noms?( (et|&) prenoms?)?|prenoms? (et|&) noms?|nom complet|elu(\(?e\)?)?s?)$/,
  prenom: /^prenoms?$/,
  fonction: /^(fonctions?|roles?|mandats?|qualite|delegations?)$/,
}
const roles = /\b(maire|adjointe?s?|conseill(er|ere)s?|deleguee?s?|president(e)?|vice)\b/
const titles = /^(m|mm|mr|mme|mlle|monsieur|madame)\.?\s+/i
const particles = new Set(['de', 'du', 'des', 'la', 'le', 'van', 'von', 'd’', "d'"])
/** The sign or number of an item of a list: "1.", "2)", "3 –", "•". Not that of a function: "1er adjoint". */
const bullet = /^(\d+\s*[.)–-]|[•*·–-])\s+/
/** A cell that is no part of a name: a number, or a title in a column of its own. */
const besides = /^(\d+[.)]?|m|mm|mr|mme|mlle|monsieur|madame)\.?$/i

/**
 * Reads élus as town halls have them: a table with or without a head, or a line each ("Odile Vauquelin, maire"). Names in
 * capitals are surnames; without any, `nomFirst` says which comes first. `unread`: lines without a name or a function.
 */
export function elusIn(text: string, nomFirst: boolean): { elus: PastedElu[]; unread: string[] } {
  const lines = linesOf(text)
  const headAt = lines.findIndex((line) => {
    const names = cellsOf(line).map(columnOf)
    return names.includes('nom') && names.includes('fonction')
  })
  const head = cellsOf(lines[headAt] ?? '').map(columnOf)
  const read = lines.flatMap((line, index) => {
    if (index === headAt) return []
    const isInTable = headAt !== -1 && index > headAt && cellsOf(line).length > 1
    const elu = isInTable ? byHead(head, cellsOf(line), nomFirst) : byShape(line.trim(), nomFirst)
    const isRead = elu !== null && elu.nom !== '' && elu.fonction !== ''
    return { line: line.trim(), elu: isRead ? { ...elu, line: line.trim() } : null }
  })
  return {
    elus: read.flatMap(({ elu }) => elu ?? []),
    unread: read.flatMap(({ line, elu }) => (elu === null ? [line] : [])),
  }
}

/** The lines that are not empty. A cell in quotes may be broken: it belongs to one line. */
const linesOf = (text: string) =>
  (text.match(/(?:(?<=^|[\t;|,\n])"(?:[^"]|"")*"(?=\s*(?:$|[\t;|,\r\n]))|[^\r\n])+/g) ?? [])
    .map((line) => line.replaceAll(/\s*[\r\n]\s*/g, ' '))
    .filter((line) => line.trim() !== '')

/** The cells of a line of a table, without their quotes: a spreadsheet has tabs, a file semicolons or commas. */
function cellsOf(line: string): string[] {
  const isCommas = /,\S/.test(line) && !/,\s/.test(line.replaceAll(/"[^"]*"/g, ''))
  const separator = ['\t', ';', '|'].find((one) => line.includes(one)) ?? (isCommas ? ',' : null)
  if (separator === null) return [line.trim()]
  const cell = new RegExp(
    `\\${separator} *(?:"((?:[^"]|"")*)" *(?=\\${separator}|$)|([^${separator}]*))`,
    'g',
  )
  return [...`${separator}${line}`.matchAll(cell)].map(([, quoted, bare = '']) =>
    (quoted?.replaceAll('""', '"') ?? bare).trim(),
  )
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
const isRole = (text: string) => roles.test(plain(text))

const columnOf = (cell: string) =>
  (Object.keys(columns) as (keyof typeof columns)[]).find((name) => columns[name].test(plain(cell)))

type Read = Omit<PastedElu, 'line'>

function byHead(head: ReturnType<typeof columnOf>[], cells: string[], nomFirst: boolean): Read {
  const cell = (name: keyof Read) =>
    cells.filter((text, index) => head[index] === name && text !== '').join(', ')
  const name = head.includes('prenom')
    ? { prenom: written(cell('prenom')), nom: written(cell('nom')) }
    : nameOf(cell('nom'), nomFirst)
  return { ...name, fonction: cell('fonction') }
}

function byShape(line: string, nomFirst: boolean): Read | null {
  const cells = cellsOf(line)
  if (cells.length === 1) return bySentence(cells[0] ?? '', nomFirst)
  const [first = '', second = '', ...others] = cells
    .map((cell, index) => (index === 0 ? cell.replace(bullet, '') : cell))
    .filter((cell) => cell !== '' && !besides.test(cell))
  if (second === '') return bySentence(first, nomFirst)
  const third = others.join(', ')
  if (third === '' || isRole(second)) {
    const fonction = [second, ...others].join(', ')
    return isRole(first) && !isRole(fonction)
      ? { ...nameOf(fonction, nomFirst), fonction: first }
      : { ...nameOf(first, nomFirst), fonction }
  }
  const isNomFirst = isCapital(first) === isCapital(second) ? nomFirst : isCapital(first)
  const [prenom, nom] = isNomFirst ? [second, first] : [first, second]
  return { prenom: written(prenom), nom: written(nom), fonction: third }
}

/**
 * Reads "Odile Vauquelin, maire" or "Maire : Odile Vauquelin". A function may have commas, colons or dashes of its own. Null
 * for several names of one function.
 */
function bySentence(line: string, nomFirst: boolean): Read | null {
  const sentence = line.replace(bullet, '')
  const splits = [...sentence.matchAll(/\s+[–—-]\s+|\s*:\s+|,\s+/g)].map(({ index, 0: separator }) => ({
    before: sentence.slice(0, index),
    after: sentence.slice(index + separator.length),
    isComma: separator.startsWith(','),
  }))
  const first = splits[0]
  if (first === undefined) return null
  if (!isRole(first.before)) return { ...nameOf(first.before, nomFirst), fonction: first.after }
  const { before, after } = splits.findLast(({ isComma }) => !isComma) ?? splits.at(-1) ?? first
  return isRole(after) || after.includes(',') ? null : { ...nameOf(after, nomFirst), fonction: before }
}

/** Separates a whole name: words in capitals are the surname, else the last one with its particles, or the first. */
function nameOf(whole: string, nomFirst: boolean): Pick<PastedElu, 'prenom' | 'nom'> {
  const words = whole.replace(titles, '').split(/\s+/).filter(Boolean)
  const capital = words.filter(isCapital)
  if (capital.length > 0 && capital.length < words.length) {
    const others = words.filter((word) => !isCapital(word))
    return { prenom: written(others.join(' ')), nom: written(capital.join(' ')) }
  }
  const at = nomFirst ? 1 : words.findIndex((word, index) => index > 0 && particles.has(word.toLowerCase()))
  const cut = at > 0 ? at : words.length - 1
  const [before, after] = [words.slice(0, cut).join(' '), words.slice(cut).join(' ')]
  return nomFirst
    ? { prenom: written(after), nom: written(before) }
    : { prenom: written(before), nom: written(after) }
}

const isCapital = (word: string) => word.length > 1 && word === word.toUpperCase() && /\p{Lu}{2}/u.test(word)

/** A name in capitals as it is written elsewhere: "LE GALL" becomes "Le Gall". */
const written = (name: string) => {
  const bare = name.replace(titles, '').trim()
  return isCapital(bare)
    ? bare
        .toLowerCase()
        .replaceAll(/(^|[\s'’-])(\p{L})/gu, (_, before, letter) => before + letter.toUpperCase())
    : bare
}
