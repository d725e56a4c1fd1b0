export type PastedElu = { prenom: string; nom: string; fonction: string }

const columns = {
  nom: /^noms?$/,
  prenom: /^prenoms?$/,
  fonction: /^(fonctions?|roles?|mandats?|qualite|delegations?)$/,
}
const roles = /\b(maire|adjointe?|conseill(er|ere)s?|deleguee?s?|president(e)?|vice)\b/
const titles = /^(m|mm|mr|mme|mlle|monsieur|madame)\.?\s+/i
const particles = new Set(['de', 'du', 'des', 'la', 'le', 'van', 'von', 'd’', "d'"])

/**
 * Reads élus as town halls have them: a table with or without a head, or a line each ("Odile Vauquelin, maire"). Names in
 * capitals are surnames; without any, `nomFirst` says which comes first. `unread`: lines without a name or a function.
 */
export function elusIn(text: string, nomFirst: boolean): { elus: PastedElu[]; unread: string[] } {
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  const rows = lines.filter(Boolean).map((line) => ({ line, cells: cellsOf(line) }))
  const head = rows[0]?.cells.map((cell) => columnOf(cell)) ?? []
  const isTable = head.includes('nom') && head.includes('fonction')
  const read = rows.slice(isTable ? 1 : 0).map(({ line, cells }) => {
    const elu = isTable ? byHead(head, cells, nomFirst) : byShape(cells, nomFirst)
    return { line, elu: elu === null || elu.nom === '' || elu.fonction === '' ? null : elu }
  })
  return {
    elus: read.flatMap(({ elu }) => elu ?? []),
    unread: read.flatMap(({ line, elu }) => (elu === null ? [line] : [])),
  }
}

/** The cells of a line: a table has tabs, a file semicolons, a text commas, colons or dashes. */
function cellsOf(line: string): string[] {
  const separator = ['\t', ';', '|', /\s+[–—-]\s+/, /\s*:\s+/, /,\s+/].find(
    (one) => line.split(one).length > 1,
  )
  const cells = separator === undefined ? [line] : line.split(separator)
  // Commas within a function stay: "3e adjoint, chargé de l’école".
  const whole = separator instanceof RegExp ? [cells[0] ?? '', cells.slice(1).join(', ')] : cells
  return whole.map((cell) => cell.trim()).filter((cell, index) => cell !== '' || index > 0)
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

const columnOf = (cell: string) =>
  (Object.keys(columns) as (keyof PastedElu)[]).find((name) => columns[name].test(plain(cell)))

function byHead(head: (keyof PastedElu | undefined)[], cells: string[], nomFirst: boolean): PastedElu {
  const cell = (name: keyof PastedElu) => cells[head.indexOf(name)] ?? ''
  const name = head.includes('prenom')
    ? { prenom: written(cell('prenom')), nom: written(cell('nom')) }
    : nameOf(cell('nom'), nomFirst)
  return { ...name, fonction: cell('fonction') }
}

function byShape(cells: string[], nomFirst: boolean): PastedElu | null {
  const [first = '', second = '', ...others] = cells
  if (second === '') return null
  const third = others.filter(Boolean).join(', ')
  if (third === '') {
    const isRoleFirst = roles.test(plain(first)) && !roles.test(plain(second))
    const [name, fonction] = isRoleFirst ? [second, first] : [first, second]
    return { ...nameOf(name, nomFirst), fonction }
  }
  const isNomFirst = isCapital(first) === isCapital(second) ? nomFirst : isCapital(first)
  const [prenom, nom] = isNomFirst ? [second, first] : [first, second]
  return { prenom: written(prenom), nom: written(nom), fonction: third }
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
